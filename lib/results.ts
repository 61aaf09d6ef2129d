import type { AttributeId, DerivedId, DerivedResults, PidAttributes } from './ports.js';
import type { Receipt } from './protocol/receipt.js';

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

/** What `of(req)` answers: the facts of the verification, and what `keep` chose. */
export interface KeptIdentity<Kept> {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly receipt: Receipt;
  readonly kept: Kept;
}
