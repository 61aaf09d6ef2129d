import type { Request } from 'express';
import type { AttributeId, AttributeValues, DerivedId, DerivedResults } from '../types/attributes.js';
import type { Receipt } from '../service/receipt.js';
import type { Way } from '../types/ways.js';
import type { Duration } from '../internal/timeouts.js';

/** The issuers of the interface. The union is open, because the service may add others. */
export type IssuerId = 'de-ausweis' | 'xx-sandbox' | (string & {});

/** A request of the app, whatever the parameters of its route are called. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AppRequest = Request<any, any, any, any>;

/** The derived attributes of a question, each with the value that is asked about. */
export type DerivedMap = { readonly [Id in DerivedId]?: string | undefined };

/**
 * The result of a verification: what was asked, as it was verified. Without type arguments it is the
 * result of any question, so each attribute may be missing.
 */
export interface Result<
  Name extends string = string,
  Reveal extends string = string,
  Derived extends string = string,
> {
  /** The name of the question, or `default` if it has none. */
  readonly question: Name;
  readonly issuer: string;
  /** True if the sandbox issued it, which proves nothing. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: Readonly<
    string extends Reveal ? Partial<AttributeValues> : Pick<AttributeValues, Reveal & AttributeId>
  >;
  readonly derived: Readonly<
    string extends Derived ? Partial<DerivedResults> : Pick<DerivedResults, Derived & DerivedId>
  >;
  readonly receipt: Receipt;
}

/** A callback as a method: its parameters are compared both ways, so that each specific one fits where any is meant. */
export type Method<Args extends readonly unknown[], Answer> = { method(...args: Args): Answer }['method'];

/** Another way, for people who have no wallet, to do what a verification is for. */
export interface OtherWay {
  /** An https address or a path of the app. */
  readonly url: string;
  /** The words of the link. Default: the text `other_way`. */
  readonly text?: string | undefined;
}

/** A time that depends on what is kept. So a negative answer can count for a shorter time. */
export interface KeepFor<Kept = unknown> {
  /** The longest time that counts, whatever `for` returns. The start page names it. */
  readonly atMost: Duration;
  /** Returns the time for what is kept. It runs when the result is stored. */
  readonly for: Method<[kept: Kept], Duration>;
}

/** The names in a list of attributes. The compiler does not see those of a computed list; then it is string. */
export type RevealedBy<Reveal extends readonly string[]> = number extends Reveal['length']
  ? string
  : Reveal[number];

/** The names in a map of derived attributes: never in an empty one, string in one that may lack them. */
export type DerivedBy<Derived> = {} extends Derived
  ? keyof Derived extends never
    ? never
    : string
  : keyof Derived & string;

/** The mark of a question. It is registered, so that two copies of the package agree. */
export const madeByAsk: unique symbol = Symbol.for('pidgate.ask');

/** A question that `ask` has checked and frozen. Without type arguments it is any question. */
export interface Ask<Reveal extends string = string, Derived extends string = string, Kept = unknown> {
  readonly reveal: readonly AttributeId[];
  readonly derived?: DerivedMap;
  readonly purpose?: string;
  readonly reasons?: Readonly<Record<string, string>>;
  readonly keptAs?: readonly string[];
  /** Returns the part of the result that is stored in the session. */
  keep?(result: Result<string, Reveal, Derived>): unknown;
  /** Whether what was kept is enough. */
  allow?(kept: Kept, req: AppRequest): boolean;
  readonly keepFor?: Duration | { readonly atMost: Duration };
  readonly successRedirect?: string;
  readonly otherWay?: OtherWay;
  readonly ways?: readonly Way[];
  readonly issuer?: IssuerId;
  /** Only `ask` makes a question: a plain object would lose what it asks for. */
  readonly [madeByAsk]: { readonly reveal: Reveal; readonly derived: Derived; readonly kept: Kept };
}

/** Questions by name. */
export type Questions = Readonly<Record<string, Ask>>;

/** The result of a question with this name. */
export type ResultOf<Name extends string, Question> =
  Question extends Ask<infer Reveal, infer Derived> ? Result<Name, Reveal, Derived> : never;

/** The result of any question of a factory, told apart by `question`. Without type arguments it is that of any factory. */
export type VerificationResult<Asked = Questions> = {
  [Name in keyof Asked & string]: ResultOf<Name, Asked[Name]>;
}[keyof Asked & string];

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

/** What the session holds of the value that `keep` returned. */
export type Stored<Answer> = unknown extends Answer ? unknown : AsJson<Awaited<Answer>>;

/** What `allow` and `keepFor` of a question are given where its `keep` stands below them, or is missing. Its name says why. */
export interface KeepMustStandAbove {}

/** What a function of a question is given of what is kept; the other where nothing is. */
export type GivenOf<Kept, Otherwise = KeepMustStandAbove> = [Kept] extends [undefined] ? Otherwise : Kept;

/** What is kept of the answer to a question. */
export type KeptOf<Question> = Question extends Ask<string, string, infer Kept> ? Kept : never;

/** What `identity.of(req)` returns: the facts of the verification, and what `keep` returned. */
export interface KeptIdentity<Value = unknown> {
  readonly issuer: string;
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  /** Without the digest of the presentation, which the hooks get. */
  readonly receipt: Pick<Receipt, 'id' | 'number'>;
  readonly kept: Value;
}
