import type { AttributeId, DerivedId, DerivedResults, PidAttributes } from '../contracts/attributes.js';
import type { Receipt } from '../protocol/receipt.js';

/** The derived attributes of a request: the value is what is asked about. */
export type DerivedMap = { readonly [Id in DerivedId]?: string };

/** What a verification brought: exactly what was asked, each value proved. */
export interface Result<Request extends PropertyKey, Reveal extends readonly AttributeId[], Derived> {
  /** The named request, `default` where none was named. */
  readonly request: Request;
  readonly issuer: string;
  /** True where the sandbox answered: nothing is proved. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: Readonly<Pick<PidAttributes, Reveal[number]>>;
  readonly derived: Readonly<Pick<DerivedResults, keyof Derived & DerivedId>>;
  readonly receipt: Receipt;
}

/** The reveal list of one named request. */
export type RevealOf<Reveals, Name extends keyof Reveals> = Reveals[Name] & readonly AttributeId[];

/** The derived map of one named request. */
export type DerivedOf<Deriveds, Name extends PropertyKey> = Name extends keyof Deriveds ? Deriveds[Name] : {};

/** The result of any request of a factory, told apart by `request`. */
export type AnyResult<Reveal extends readonly AttributeId[], Derived, Reveals, Deriveds> =
  | Result<'default', Reveal, Derived>
  | {
      [Name in keyof Reveals]: Result<Name, RevealOf<Reveals, Name>, DerivedOf<Deriveds, Name>>;
    }[keyof Reveals];

/** A value as it comes back from where it was stored as JSON: a Date is a text then, and a function is gone. */
export type AsJson<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(...args: never): infer Written }
    ? AsJson<Written>
    : T extends symbol | ((...args: never) => unknown)
      ? undefined
      : T extends object
        ? { [Name in keyof T]: AsJson<T[Name]> }
        : T;

/** What the session holds of what `keep` answered; of a request without one (nothing is inferred), nothing. */
export type Kept<Answer> = unknown extends Answer ? undefined : AsJson<Awaited<Answer>>;

/** What `of(req)` answers: the facts of the verification, and what `keep` chose. */
export interface KeptIdentity<Value> {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly receipt: Receipt;
  readonly kept: Value;
}
