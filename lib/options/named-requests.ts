import { configInvalid } from '../errors.js';
import type { ShapedOptions, ShapedQuestion } from './schema.js';
import type { AttributeId, DerivedId, Variant } from '../types/attributes.js';
import { parseProveRequest } from '../service/prove/schema.js';
import { countryMeant } from './countries.js';
import { safePath } from '../internal/urls.js';

/** One question under the name of its request, checked, with everything filled in. */
export interface RequestConfiguration {
  readonly name: string;
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
  readonly purpose: string | undefined;
  readonly keep: ((result: never) => unknown) | undefined;
  /** Milliseconds. */
  readonly keepFor: number;
  readonly successRedirect: string;
}

const eightHours = 8 * 60 * 60 * 1000;

/** Returns all questions by the name of their request; the one at the top of the options is named `default`. */
export function resolveRequests(
  options: ShapedOptions,
  generalIssuer: string,
  variant: Variant,
): ReadonlyMap<string, RequestConfiguration> {
  const { keepFor: generalKeepFor = eightHours, successRedirect: generalRedirect = '/' } = options;
  checkRedirect('successRedirect', generalRedirect);
  const resolve = (name: string, question: ShapedQuestion): RequestConfiguration => {
    const { issuer = generalIssuer, derived = {}, purpose, keep } = question;
    const place = name === 'default' ? '' : `requests.${name}.`;
    checkQuestion(question, place, { issuer, variant });
    return Object.freeze({
      name,
      issuer,
      reveal: Object.freeze(question.reveal),
      derived: Object.freeze(derived),
      purpose,
      keep,
      keepFor: question.keepFor ?? generalKeepFor,
      successRedirect: question.successRedirect ?? generalRedirect,
    });
  };
  const unnamed = questionAtTheTop(options);
  const named = Object.entries(options.requests ?? {});
  if (unnamed === undefined && named.length === 0) {
    throw configInvalid(
      'Option reveal is missing: name the attributes to ask for, or questions made by ask in requests.',
    );
  }
  const all = unnamed === undefined ? named : [['default', unnamed] as const, ...named];
  return new Map(all.map(([name, question]) => [name, resolve(name, question)]));
}

function questionAtTheTop({
  reveal,
  derived,
  purpose,
  keep,
  issuer,
}: ShapedOptions): ShapedQuestion | undefined {
  if (reveal !== undefined) return { reveal, derived, purpose, keep, issuer };
  const [alone] = Object.entries({ derived, purpose, keep }).find(([, value]) => value !== undefined) ?? [];
  if (alone === undefined) return undefined;
  throw configInvalid(
    `Option ${alone}: belongs to a question, and without reveal there is none at the top. Set reveal, or move ${alone} ` +
      'into ask.',
  );
}

/** Refuses a question that the service would refuse, or whose members mean nothing, at construction. */
export function checkQuestion(
  { reveal, derived = {}, successRedirect }: ShapedQuestion,
  place: string,
  { issuer, variant }: { readonly issuer: string; readonly variant: Variant } = {
    issuer: 'any',
    variant: 'derived',
  },
): void {
  const asked = Object.keys(derived).length === 0 ? {} : { derived };
  const parsed = parseProveRequest({ issuer, revealed: reveal, state: 'x', ...asked }, variant);
  if (!parsed.ok) throw configInvalid(`Option ${place}derived: ${parsed.description}`);
  checkNationality(`${place}derived.nationality`, derived['nationality']);
  if (successRedirect !== undefined) checkRedirect(`${place}successRedirect`, successRedirect);
}

function checkNationality(option: string, value: string | undefined): void {
  const meant = value === undefined ? undefined : countryMeant(value);
  if (meant === undefined) return;
  throw configInvalid(
    `Option ${option}: must be a country code of ISO 3166-1, two capital letters such as FR.` +
      (meant === '' ? '' : ` Did you mean ${meant}?`),
  );
}

/** Refuses `keep` beside confirm 'callback', which stores nothing in a session. */
export function refuseKeep({ keep, requests = {} }: ShapedOptions): void {
  if (keep === undefined && Object.values(requests).every((question) => question.keep === undefined)) return;
  throw configInvalid(
    "Option keep: nothing enters the session with confirm: 'callback'; remove keep, or use 'return'.",
  );
}

/** Refuses a redirect to another site: it must be a path of the app. */
export function checkRedirect(option: string, value: string): void {
  if (safePath(value, 'https://app.invalid/app') !== undefined) return;
  throw configInvalid(`Option ${option}: must be a path of the app, such as /welcome.`);
}
