import type { AttributeId, DerivedId, DerivedResults, PidAttributes } from '../contracts/attributes.js';
import type { Receipt } from '../protocol/receipt.js';

/** The derived attributes of a request, each with the value that is asked about. */
export type DerivedMap = { readonly [Id in DerivedId]?: string };

/**
 * The result of a verification: exactly what was asked, each value verified. Without type arguments it is that of any
 * request: an attribute is there or not.
 */
export interface Result<
  Request extends PropertyKey = PropertyKey,
  Reveal extends readonly AttributeId[] = readonly AttributeId[],
  Derived = DerivedMap,
> {
  /** The name of the request, or `default`. */
  readonly request: Request;
  readonly issuer: string;
  /** True if the sandbox issued it, which proves nothing. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: number extends Reveal['length']
    ? Readonly<Partial<PidAttributes>>
    : Readonly<Pick<PidAttributes, Reveal[number]>>;
  readonly derived: {} extends Derived
    ? Readonly<Partial<Pick<DerivedResults, keyof Derived & DerivedId>>>
    : Readonly<Pick<DerivedResults, keyof Derived & DerivedId>>;
  readonly receipt: Receipt;
}

/** The reveal list of one named request. */
export type RevealOf<Reveals, Name extends keyof Reveals> = Reveals[Name] & readonly AttributeId[];

/** The derived map of one named request. */
export type DerivedOf<Deriveds, Name extends PropertyKey> = Name extends keyof Deriveds ? Deriveds[Name] : {};

/** The result of any request of a factory, told apart by `request`. */
export type AnyResult<
  Reveal extends readonly AttributeId[] = readonly AttributeId[],
  Derived = DerivedMap,
  Reveals = {},
  Deriveds = {},
> =
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

/** The stored return value of `keep`. */
export type Kept<Answer> = unknown extends Answer ? unknown : AsJson<Awaited<Answer>>;

/**
 * What is stored for one request, by its name; undefined for a named one without `keep` (nothing is inferred then), and
 * unknown for any factory.
 */
export type KeptOf<Answer, Answers, Name> = 0 extends 1 & Answers
  ? unknown
  : Name extends keyof Answers
    ? unknown extends Answers[Name]
      ? undefined
      : Kept<Answers[Name]>
    : Name extends 'default'
      ? Kept<Answer>
      : undefined;

/** Returned by `of(req)`: the facts of the verification, and the return value of `keep`. */
export interface KeptIdentity<Value = unknown> {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly receipt: Receipt;
  readonly kept: Value;
}
