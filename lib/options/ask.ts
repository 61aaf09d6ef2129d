import { safePath, secureUrl } from '../internal/urls.js';
import type { Duration } from '../internal/timeouts.js';
import * as v from '../internal/validate.js';
import { waysOf } from '../service/options.js';
import {
  type AgeId,
  type AttributeId,
  attributeIds,
  type DerivedId,
  isAgeId,
  isAttributeId,
} from '../types/attributes.js';
import type { Way } from '../types/ways.js';
import { country } from './countries.js';
import {
  type AppRequest,
  type Ask,
  type DerivedBy,
  type DerivedMap,
  type GivenOf,
  type IssuerId,
  type KeepFor,
  type Method,
  type OtherWay,
  type Result,
  type RevealedBy,
  type Stored,
  madeByAsk,
} from './result-types.js';

/** What `ask` takes: one question, what is kept of its answer, and for how long. */
export interface Question<
  Reveal extends readonly AttributeId[] = readonly AttributeId[],
  Derived extends DerivedMap = DerivedMap,
  Answer = unknown,
> {
  /** The attributes to ask for: of the PID, or an age such as `age_over_18`, which is true or false in the result. */
  readonly reveal: Reveal;
  /** What the service answers with yes or no, without the attribute itself, such as `{ nationality: 'DE' }`. */
  readonly derived?: Derived | undefined;
  /** The sentence on the start page that says why this is asked. */
  readonly purpose?: string | undefined;
  /** Further sentences by name, for pages that ask again: `require({ reason: 'door' })` shows `reasons.door`. */
  readonly reasons?: Readonly<Record<string, string>> | undefined;
  /** What the start page says is stored: one text or a list. */
  readonly keptAs?: string | readonly string[] | undefined;
  /** Returns the part of the result to store in the session. Without it, no attribute is stored. */
  readonly keep?:
    Method<[result: Result<string, RevealedBy<Reveal>, DerivedBy<Derived>>], Answer> | undefined;
  /**
   * The rule: returns true for people whose kept data is enough. The guards of this question answer 403 to all others, who
   * are not asked again, and `of` returns undefined for them. It stands after `keep`. A new rule counts at once.
   */
  readonly allow?: Method<[kept: GivenOf<Stored<Answer>>, req: AppRequest], boolean>;
  /** How long the kept data counts. Default: the `keepFor` of the factory, or else `'8h'`. It stands after `keep`, too. */
  readonly keepFor?: Duration | KeepFor<GivenOf<Stored<Answer>>>;
  /**
   * The path where a browser goes after success, if neither a hook nor the `returnTo` of the start names one. Default: the
   * `successRedirect` of the factory, or else `/`.
   */
  readonly successRedirect?: string | undefined;
  /** Another way for people who have no wallet, or cannot use it. Default: `pages.otherWay`. */
  readonly otherWay?: OtherWay | undefined;
  /**
   * With `wallets`: by which ways a wallet may answer. Default: the `ways` of the factory, or else `['link', 'code']`. With
   * `['link']`, only the browser that the wallet sends back gets a result. A code can be sent on to somebody else.
   */
  readonly ways?: readonly Way[] | undefined;
  /** The issuer to ask for. Default: the `issuer` of the factory, or else `IDENTITY_ISSUER`. */
  readonly issuer?: IssuerId | undefined;
}

/**
 * Makes one question: what is asked, why, what is kept of the answer, who gets in by it, and for how long. It is checked at
 * once and frozen, so you can keep a question in a file of its own and test it alone. Give it a name in the option `questions`.
 *
 * @example
 * ```ts
 * import { ask, identityVerification } from 'pidgate'
 *
 * export const age = ask({
 *   reveal: ['age_over_18'],
 *   purpose: 'You must be 18 or over to buy spirits.',
 *   keptAs: 'Whether you are 18 or over',
 *   keep: ({ attributes }) => ({ adult: attributes.age_over_18 }),
 *   allow: ({ adult }) => adult,
 *   keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
 * })
 *
 * const identity = identityVerification({ questions: { age } })
 * export const adultsOnly = identity.require({ question: 'age' })
 * ```
 */
export function ask<
  const Reveal extends readonly AttributeId[],
  const Derived extends DerivedMap = {},
  Answer = undefined,
>(question: Question<Reveal, Derived, Answer>): Ask<RevealedBy<Reveal>, DerivedBy<Derived>, Stored<Answer>>;
export function ask(question: unknown): object {
  const checked = checkQuestion(question, 'Option ask');
  for (const member of Object.values(checked)) if (typeof member === 'object') Object.freeze(member);
  return Object.freeze({ ...checked, [madeByAsk]: true });
}

/** Returns true for a path of the app, to which a browser can be sent. */
export const isAppPath = (value: unknown): boolean =>
  safePath(value, 'https://app.invalid/app') !== undefined;

export const appPath: v.Check<string> = v.satisfying(
  isAppPath,
  'must be a path of the app, such as /welcome',
);

const aDuration = v.duration();
const keepForKept = v.object({
  atMost: aDuration,
  for: v.aFunction<(kept: never) => unknown>(),
} satisfies v.ChecksOf<KeepFor<unknown>>);

/** Checks a duration, or one that depends on what is kept. */
const keepFor: v.Check<ReturnType<typeof keepForKept> | number> = (value, place) =>
  typeof value === 'object' ? keepForKept(value, place) : aDuration(value, place);

export const isAddress = (value: unknown): boolean =>
  isAppPath(value) || secureUrl(value, false) !== undefined;

export const address = v.satisfying<string>(isAddress, 'must be an https address or a path of the app');

/** Checks another way, of all pages or of one question. */
export const otherWay = v.optional(
  v.object({ url: address, text: v.optional(v.nonEmptyString) } satisfies v.ChecksOf<OtherWay>),
);

/** Checks an attribute's id. */
const attribute: v.Check<AttributeId> = (value, place) => {
  if (isAttributeId(value)) return value;
  if (isMeantAsAge(value)) {
    const why = 'must be age_over_ and a whole number of years from 1 to 150, such as age_over_18';
    throw v.invalid(place, why, ageIn(value));
  }
  const known = attributeIds.map((id) => `'${id}'`).join(', ');
  const meant = typeof value === 'string' ? v.nearMiss(value, attributeIds) : undefined;
  throw v.invalid(place, `must be ${known} or an age such as 'age_over_18'`, meant);
};

const knownDerived = v.object({ nationality: v.optional(country) } satisfies Record<DerivedId, unknown>);

/** Checks what the service answers without revealing it. */
const derived: typeof knownDerived = (value, place) => {
  const age = Object.keys(Object(value) as object).find(isMeantAsAge);
  if (age === undefined) return knownDerived(value, place);
  const why = `must not have ${age.slice(0, 20)}: an age is an attribute of reveal`;
  throw v.invalid(place, why, `reveal: ['${ageIn(age) ?? 'age_over_18'}']`);
};

const isMeantAsAge = (value: unknown): value is string =>
  typeof value === 'string' && /^age|over/i.test(value);

/** The id of the one number in a name. */
function ageIn(name: string): AgeId | undefined {
  const [years, ...others] = name.match(/\d+/g) ?? [];
  const id = `age_over_${Number(years)}`;
  return others.length === 0 && isAgeId(id) ? id : undefined;
}

const purpose = v.satisfying<string>(
  (value) => typeof value === 'string' && value !== '',
  'must be a non-empty string (for several languages, set pages.texts.es.purpose)',
);

/** What a question may have, with how each is checked. */
export const questionMembers = {
  reveal: v.list(attribute, 'must be a list of at least one attribute id'),
  derived: v.optional(derived),
  purpose: v.optional(purpose),
  reasons: v.optional(
    v.record(v.nonEmptyString, 'must be an object of sentences', (name) =>
      /^(?!__proto__$)[A-Za-z0-9_-]{1,64}$/.test(name)
        ? undefined
        : 'reason names may contain letters, digits, - and _',
    ),
  ),
  keptAs: v.optional(v.oneOrMore),
  keep: v.optional(v.aFunction<(result: never) => unknown>()),
  allow: v.optional(v.aFunction<(kept: never, req: AppRequest) => boolean>()),
  keepFor: v.optional(keepFor),
  successRedirect: v.optional(appPath),
  otherWay,
  ways: v.optional(waysOf),
  issuer: v.optional(v.nonEmptyString),
} satisfies v.ChecksOf<Question>;

/** Checks one question, as `ask` and `questions` take it. */
export const checkQuestion = v.objectWith(['keepFor', 'allow'], questionMembers);
