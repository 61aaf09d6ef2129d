import type { AttributeId, DerivedId, DerivedResults, PidAttributes } from '../contracts/attributes.js';
import type { Receipt } from '../protocol/receipt.js';

/** The derived attributes of a request, each with the value that is asked about. */
export type DerivedMap = { readonly [Id in DerivedId]?: string };

/** The result of a verification: exactly what was asked, each value verified. */
export interface Result<Request extends PropertyKey, Reveal extends readonly AttributeId[], Derived> {
  /** The name of the request, or `default`. */
  readonly request: Request;
  readonly issuer: string;
  /** True if the sandbox issued it, which proves nothing. */
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

/** A value after it was stored as JSON: a Date is a string then, and a function is gone. */
export type AsJson<T> = T extends string | number | boolean | null | undefined
  ? T
  : T extends { toJSON(...args: never): infer Written }
    ? AsJson<Written>
    : T extends symbol | ((...args: never) => unknown)
      ? undefined
      : T extends object
        ? { [Name in keyof T]: AsJson<T[Name]> }
        : T;

/** The stored return value of `keep`; undefined for a request without it (nothing is inferred then). */
export type Kept<Answer> = unknown extends Answer ? undefined : AsJson<Awaited<Answer>>;

/** What is stored for one request, by its name. */
export type KeptOf<Answer, Answers, Name> = Name extends keyof Answers
  ? Kept<Answers[Name]>
  : Name extends 'default'
    ? Kept<Answer>
    : undefined;

/** Returned by `of(req)`: the facts of the verification, and the return value of `keep`. */
export interface KeptIdentity<Value> {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly receipt: Receipt;
  readonly kept: Value;
}
