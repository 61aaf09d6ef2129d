import { configInvalid } from '../errors.js';
import type { ShapedOptions } from './schema.js';
import type { AttributeId, DerivedId, Variant } from '../contracts/attributes.js';
import { parseProveRequest } from '../protocol/prove.js';
import { countryMeant } from './countries.js';
import { safePath } from '../safe/urls.js';

/** One request, checked. */
export interface RequestConfiguration {
  readonly name: string;
  readonly issuer: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
  readonly purpose: string | undefined;
  readonly keep: ((result: never) => unknown) | undefined;
  readonly successRedirect: string;
}

/** Returns all requests by name. A request that the service would refuse is refused here, at construction. */
export function resolveRequests(
  { requests = {}, successRedirect = '/', ...unnamed }: ShapedOptions,
  general: string,
  variant: Variant,
): ReadonlyMap<string, RequestConfiguration> {
  const all = [['default', { ...unnamed, successRedirect }] as const, ...Object.entries(requests)];
  return new Map(
    all.map(
      ([
        name,
        { issuer = general, reveal, derived = {}, purpose, keep, successRedirect: own = successRedirect },
      ]) => {
        const where = name === 'default' ? '' : `requests.${name}.`;
        const asked = Object.keys(derived).length === 0 ? {} : { derived };
        const parsed = parseProveRequest({ issuer, revealed: reveal, state: 'x', ...asked }, variant);
        if (!parsed.ok) throw configInvalid(`Option ${where}derived: ${parsed.description}`);
        checkNationality(`${where}derived.nationality`, derived['nationality']);
        checkRedirect(`${where}successRedirect`, own);
        const request = {
          name,
          issuer,
          reveal: Object.freeze(reveal),
          derived: Object.freeze(derived),
          purpose,
          keep,
        };
        return [name, Object.freeze({ ...request, successRedirect: own })];
      },
    ),
  );
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
  if (keep === undefined && Object.values(requests).every((it) => it.keep === undefined)) return;
  throw configInvalid(
    "Option keep: nothing enters the session with confirm: 'callback'; remove keep, or use 'return'.",
  );
}

/** Refuses a redirect to another site: it must be a path of the app. */
export function checkRedirect(option: string, value: string): void {
  if (safePath(value, 'https://app.invalid/app') !== undefined) return;
  throw configInvalid(`Option ${option}: must be a path of the app, such as /welcome.`);
}
