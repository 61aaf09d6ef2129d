import type { IdentityError } from '../errors.js';
import type { AttributeId, Variant } from '../types/attributes.js';
import type { IdentityEvent, Step } from '../types/events.js';
import type { FlowStore } from '../types/store.js';
import type { Trust } from '../types/trust.js';
import type { Clock } from '../types/json.js';
import type { AppRequest } from './any-request.js';
import type { Duration } from '../internal/timeouts.js';
import type { PagesOptions } from './pages/options.js';
import type {
  Ask,
  AsJson,
  DerivedBy,
  DerivedMap,
  Method,
  Question,
  Questions,
  ResultOf,
  RevealedBy,
  Stored,
} from './result-types.js';

export type { AppRequest } from './any-request.js';

/** Limits on time, size and number. */
export interface Limits {
  /** One call of the service; default 10 s. */
  readonly requestTimeout?: Duration | undefined;
  /** Verifying one presentation, fetching keys included; default 5 s. */
  readonly verifyTimeout?: Duration | undefined;
  /** One run of a hook; default 10 s. */
  readonly hookTimeout?: Duration | undefined;
  /** Bytes of a callback's body; default 256 kB. */
  readonly callbackBytes?: number | undefined;
  /** Bytes of the context as JSON; default 8 kB. */
  readonly contextBytes?: number | undefined;
  /** Bytes of what `keep` returns, as JSON; default 8 kB. */
  readonly keptBytes?: number | undefined;
  /** Unfinished verifications of one session; one more removes the oldest. Default 5. */
  readonly pendingPerSession?: number | undefined;
  /** Calls of the service in flight; above it a start gets `busy`. Default 50. */
  readonly concurrentStarts?: number | undefined;
  /** Verifications in flight; above it a callback gets `busy`. Default 100. */
  readonly concurrentVerifications?: number | undefined;
}

/** Addresses below `path`; `false` leaves a route out. */
export interface Routes {
  readonly start?: string | false | undefined;
  readonly callback?: string | false | undefined;
  readonly return?: string | false | undefined;
  readonly status?: string | false | undefined;
}

/** What the kit writes its log to: `console`, pino and winston fit. */
export interface Logger {
  /** For faults that stop a verification. */
  error(line: string): unknown;
  /** For settings that are probably wrong. */
  warn(line: string): unknown;
}

/** What a name may be made of. */
type Character =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z')
  | ('A' | 'B' | 'C' | 'D' | 'E' | 'F' | 'G' | 'H' | 'I' | 'J' | 'K' | 'L' | 'M')
  | ('N' | 'O' | 'P' | 'Q' | 'R' | 'S' | 'T' | 'U' | 'V' | 'W' | 'X' | 'Y' | 'Z')
  | '_'
  | '$';

/**
 * Names that are not `redirectTo` or `refuse`. An object type alone takes a value with more members, once the literal
 * is out of sight: in an async function, say, a misspelled refusal would pass beside `redirectTo`.
 */
type OtherName =
  | `${Exclude<Character, 'r'>}${string}`
  | `r${Exclude<Character, 'e'>}${string}`
  | `re${Exclude<Character, 'd' | 'f'>}${string}`
  | `redirect${Exclude<Character, 'T'>}${string}`
  | `refus${Exclude<Character, 'e'>}${string}`
  | `refuse${Character}${string}`;
type NoOtherName = { readonly [Name in OtherName]?: undefined };

/** No member at all. An error about another one quotes this name. */
type OnlyRedirectToOrRefuse = { readonly [name: string]: undefined; readonly refuse?: never };
type Redirect = { readonly redirectTo: string; readonly refuse?: never } & NoOtherName;
type Refusal = { readonly refuse: string; readonly redirectTo?: string | undefined } & NoOtherName;

/** What `onVerified` and `onSuccess` may return; anything else is `hook_failed`. */
export type HookResult = Redirect | Refusal | OnlyRedirectToOrRefuse | null | undefined | void;

type MaybePromise<T> = T | Promise<T>;

/** What the hooks are given of a verification. */
interface Verified<Asked, Context> {
  /** Written out, so that an editor shows what each result holds. */
  readonly result: { [Name in keyof Asked & string]: ResultOf<Name, Asked[Name]> }[keyof Asked & string];
  readonly context: AsJson<Context>;
  readonly signal: AbortSignal;
}

/** The options that are not about one question. */
interface Settings<Asked, Context, Confirm = 'return'> {
  /** The service's address; default `IDENTITY_BASE_URL`. */
  readonly baseUrl?: string | undefined;
  /** The API key, or a function that fetches it; default `IDENTITY_API_KEY`. */
  readonly apiKey?: string | (() => MaybePromise<string>) | undefined;
  /** Default `IDENTITY_VARIANT`, else `'derived'`. */
  readonly variant?: Variant | undefined;
  /** Trust entries or verifiers, by issuer id. */
  readonly trust?: Trust | undefined;
  /** Allows `xx-sandbox`, which proves nothing, also if NODE_ENV is neither `development` nor `test`. */
  readonly allowSandbox?: boolean | undefined;

  /** The path of the router's mount; default `/identity`. It also keeps two factories of one app apart. */
  readonly path?: string | undefined;
  /** The app's public origins, each with the path that a proxy takes off, if one does; default `APP_URL`. */
  readonly appUrl?: string | readonly string[] | undefined;
  readonly routes?: Routes | undefined;
  /** Path after a failure, to which `?error=<code>` is added; default is the kit's own page. */
  readonly errorRedirect?: string | undefined;

  /** Whether the wallet is on this device; default `'auto'`. */
  readonly sameDevice?: 'auto' | boolean | ((req: AppRequest) => boolean) | undefined;
  /** Returns a stable id of the logged-in user, or undefined. */
  readonly subject?: ((req: AppRequest) => string | undefined) | undefined;
  /** Returns the data of the start that the hooks need; it is sealed with the flow. */
  readonly context?: Method<[req: AppRequest], Context> | undefined;

  readonly store?: FlowStore | undefined;
  /** How long a verification may take; default `'10m'`. */
  readonly flowTtl?: Duration | undefined;
  /** When `onSuccess` runs: at the browser's return (the default), or in the callback, which is bound to no browser. */
  readonly confirm?: Confirm | undefined;
  readonly limits?: Limits | undefined;
  /** Whose pages these are: name, logo, colour, links, language and texts, or HTML of your own. */
  readonly pages?: PagesOptions | undefined;
  /** Where operator's faults are written, one line per code and check per minute; default `console`. `false` silences. */
  readonly logger?: Logger | false | undefined;
  /** Calls the service and fetches keys; default is the global `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  readonly clock?: Clock | undefined;

  /** Runs in the callback, once the presentation is verified. */
  readonly onVerified?: Method<[args: Verified<Asked, Context>], MaybePromise<HookResult>> | undefined;
  /** Runs when the browser that started has returned. */
  readonly onSuccess?:
    | Method<
        [args: Verified<Asked, Context> & (Confirm extends 'return' ? { readonly req: AppRequest } : {})],
        MaybePromise<HookResult>
      >
    | undefined;
  /** Runs when something failed. If the flow has ended, `redirectTo` replaces the error page. */
  readonly onError?:
    | Method<
        [args: { readonly error: IdentityError; readonly step: Step; readonly context?: AsJson<Context> }],
        MaybePromise<Exclude<HookResult, Refusal>>
      >
    | undefined;
  /** Gets every event, without personal data; also on the diagnostics channel `pidgate`. */
  readonly onEvent?: Method<[event: IdentityEvent], void> | undefined;
}

type Unnamed<Asked> = Asked extends { readonly default: infer Question extends Ask } ? Question : Ask;

/**
 * The options of {@link identityVerification}; `undefined` counts as absent everywhere. Without type arguments they are
 * those of any factory.
 */
export interface IdentityOptions<Asked = Questions, Context = unknown>
  extends Settings<Asked, Context>, Omit<Question, 'reveal' | 'keep'> {
  /** The PID attributes to ask for; without it, only the questions in `requests` are asked. */
  readonly reveal?: readonly AttributeId[] | undefined;
  /** Returns the part of the result that is stored in the session; without it, none is. */
  readonly keep?: Unnamed<Asked>['keep'];
  /** Questions by name, each made by `ask`, for `/start/:request` and `require({ request })`. */
  readonly requests?: Readonly<Omit<Asked, 'default'>> | undefined;
}

/** The question of the options' own `reveal`, under the name `default`, and those of `requests`. */
export type AllQuestions<Reveal extends readonly AttributeId[], Derived, Answer, Requests> = ([
  Reveal,
] extends [never]
  ? {}
  : { default: Ask<RevealedBy<Reveal>, DerivedBy<Derived>, Stored<Answer>> }) &
  Requests;

/** {@link IdentityOptions}, as the factory infers its questions from them. */
export interface FactoryOptions<
  Reveal extends readonly AttributeId[],
  Derived extends DerivedMap,
  Answer,
  Requests,
  Context,
  Confirm,
>
  extends
    Settings<AllQuestions<Reveal, Derived, Answer, Requests>, Context, Confirm>,
    Omit<Question<Reveal, Derived, Answer>, 'reveal'> {
  readonly reveal?: Reveal | undefined;
  readonly requests?: Requests | undefined;
}
