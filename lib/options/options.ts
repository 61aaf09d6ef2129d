import type { IdentityError } from '../errors.js';
import { checkAgent, type Network } from '../internal/network.js';
import { type Duration, maxTimerMs } from '../internal/timeouts.js';
import { isPlainPath } from '../internal/urls.js';
import * as v from '../internal/validate.js';
import { serviceMembers, type ServiceOptions, serviceVariables } from '../service/options.js';
import type { AttributeId } from '../types/attributes.js';
import type { AboutFlow, IdentityEvent, Step } from '../types/events.js';
import type { Clock } from '../types/json.js';
import type { FlowStore } from '../types/store.js';
import type { Trust } from '../types/trust.js';
import { appPath, checkQuestion, type Question, questionMembers } from './ask.js';
import type { PagesOptions } from './pages/page-options.js';
import type {
  AppRequest,
  Ask,
  AsJson,
  DerivedBy,
  DerivedMap,
  Method,
  Questions,
  ResultOf,
  RevealedBy,
  Stored,
} from './result-types.js';

export type { AppRequest } from './result-types.js';

const timeout = (fallback: `${number}${'s' | 'm'}`): v.Check<number> => {
  const check = v.duration(maxTimerMs);
  return (value = fallback, place) => check(value, place);
};
const count = (fallback: number): v.Check<number> => v.withDefault(v.wholeNumber(), fallback);
/** Limits on time, size and number. */
export interface Limits {
  /** How long one call of the service may take, with the time that `apiKey` takes; default 10 s. */
  readonly requestTimeout?: Duration | undefined;
  /** How long it may take to verify one presentation, including fetching keys; default 5 s. */
  readonly verifyTimeout?: Duration | undefined;
  /** How long one run of a hook, of `keep` or of `pages.render` may take; default 10 s. */
  readonly hookTimeout?: Duration | undefined;
  /** The largest body of a callback, in bytes; default 64 kB, at most 256 kB. */
  readonly callbackBytes?: number | undefined;
  /** The largest context as JSON, in bytes; default 8 kB. */
  readonly contextBytes?: number | undefined;
  /** The largest value that `keep` may return, in bytes of its JSON; default 8 kB. */
  readonly keptBytes?: number | undefined;
  /**
   * How many starts of this factory may be in progress in one process, each with its call of the service. The next gets
   * `busy`. Default 50.
   */
  readonly concurrentStarts?: number | undefined;
  /**
   * How many presentations this factory may verify at once in one process. The next callback gets `busy`. Default 100.
   */
  readonly concurrentVerifications?: number | undefined;
}

const limitMembers = {
  requestTimeout: timeout('10s'),
  verifyTimeout: timeout('5s'),
  hookTimeout: timeout('10s'),
  callbackBytes: v.withDefault(v.wholeNumber(1, 256 * 1024), 64 * 1024),
  contextBytes: count(8 * 1024),
  keptBytes: count(8 * 1024),
  concurrentStarts: count(50),
  concurrentVerifications: count(100),
} satisfies v.ChecksOf<Limits>;

const limits = v.object(limitMembers);

/** The addresses of the routes, below `path`. With `false`, the router leaves the route out. */
export interface Routes {
  readonly start?: string | false | undefined;
  readonly callback?: string | false | undefined;
  readonly return?: string | false | undefined;
  readonly status?: string | false | undefined;
  /** With `wallets`: the page while a wallet is asked. */
  readonly wallet?: string | undefined;
  /** With `wallets`: where a wallet fetches what it is asked. */
  readonly request?: string | undefined;
  /** With the way `browser`: where the page posts what the browser has brought from a wallet. */
  readonly answer?: string | undefined;
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** The command that makes a secret. */
export const makeSecret = `node -p "crypto.randomBytes(32).toString('base64url')"`;

/** One character, however often, is a placeholder that nobody has replaced. Spaces do not count as another one. */
const isSecretText = (value: unknown): value is string =>
  typeof value === 'string' && value.length >= 32 && new Set(value.replaceAll(/\s/g, '')).size > 1;

const secret = v.satisfying<string | readonly [string, ...string[]]>(
  (value) => isSecretText(value) || (Array.isArray(value) && value.length > 0 && value.every(isSecretText)),
  `must be a random text of at least 32 characters, or a list of them. This makes one: ${makeSecret}`,
);

const pathOrFunction = (value: unknown, place: string): string | ((code: string) => string | undefined) =>
  typeof value === 'function' ? (value as (code: string) => string | undefined) : appPath(value, place);

const segment = v.satisfying<string | false>(
  (value) => value === false || (isText(value) && /^(\/[A-Za-z0-9_-]+)+$/.test(value)),
  'must be a path such as /start, or false',
);

const path = v.satisfying<string>(
  (value) => isText(value) && /^(\/[A-Za-z0-9_-]+)+$/.test(value),
  'must be a path such as /wallet: a wallet cannot do without it',
);

const routes = v.object({
  start: v.withDefault(segment, '/start'),
  callback: v.withDefault(segment, '/callback'),
  return: v.withDefault(segment, '/return'),
  status: v.withDefault(segment, '/status'),
  wallet: v.optional(path),
  request: v.optional(path),
  answer: v.optional(path),
} satisfies v.ChecksOf<Routes>);

/** What the kit writes its log to: `console`, pino and winston fit. */
export interface Logger {
  /** Gets a line about a fault, such as a store that does not answer. */
  error(line: string): unknown;
  /** Gets a line about a refused proof, or about something that is probably set wrong. */
  warn(line: string): unknown;
}

type Letter =
  | ('a' | 'b' | 'c' | 'd' | 'e' | 'f' | 'g' | 'h' | 'i' | 'j' | 'k' | 'l' | 'm')
  | ('n' | 'o' | 'p' | 'q' | 'r' | 's' | 't' | 'u' | 'v' | 'w' | 'x' | 'y' | 'z');
type Character = Letter | Uppercase<Letter> | '_' | '$';

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

/** What the hooks are given of a verification: without a name, so that older compilers compare the members. */
type Verified<Asked, Context> = {
  args: {
    /** Written out, so that an editor shows what each result holds. */
    readonly result: { [Name in keyof Asked & string]: ResultOf<Name, Asked[Name]> }[keyof Asked & string];
    readonly context: AsJson<Context>;
    readonly signal: AbortSignal;
  };
}['args'];

/** The options that are not about one question. */
interface Settings<Asked, Context, Confirm = 'return'> extends ServiceOptions {
  /** Whom to trust: a trust entry, or a verifier function of your own, by issuer id. */
  readonly trust?: Trust | undefined;
  /** Allows the issuer `xx-sandbox`, which proves nothing, even if NODE_ENV is neither `development` nor `test`. */
  readonly allowSandbox?: boolean | undefined;

  /** The path where you mount the router; default `/identity`. It also keeps two factories of one app apart. */
  readonly path?: string | undefined;
  /** The public origins of the app; default `APP_URL`. If a proxy strips a path prefix, each includes that prefix. */
  readonly appUrl?: string | readonly string[] | undefined;
  readonly routes?: Routes | undefined;
  /**
   * Where a browser goes after a verification that failed: a path, or a function of the error code that returns one.
   * `?error=<code>` is added to it. Without it, or if the function returns undefined, the kit's own page is shown.
   * That page is shown all the same after a return that can be tried again or must be started anew, and after a start
   * that fails with a status below 500.
   */
  readonly errorRedirect?: string | ((code: string) => string | undefined) | undefined;

  /** Of a service: whether the wallet is on the same device as the browser; default `'auto'`. With `wallets`, see `ways`. */
  readonly sameDevice?: 'auto' | boolean | ((req: AppRequest) => boolean) | undefined;
  /** Returns a stable id of the user who is logged in, or undefined if nobody is. */
  readonly subject?: (req: AppRequest) => string | undefined;
  /** Returns data of the start that your hooks need later. It is stored with the flow, sealed. */
  readonly context?: Method<[req: AppRequest], Context> | undefined;

  /** Where flows are stored between start and return; default `memoryStore()`, which is for a single process. */
  readonly store?: FlowStore | undefined;
  /**
   * Seals the flows in the store: random, at least 32 characters, the same in all processes. To change it, give a list: the
   * first seals, and all of them open. Default `IDENTITY_SECRET`, and with `memoryStore` a random secret of this process.
   */
  readonly secret?: string | readonly string[] | undefined;
  /** How long a verification may take; default `'10m'`. After a late proof, two minutes are left for the return. */
  readonly flowTtl?: Duration | undefined;
  /** When `onSuccess` runs: at the browser's return (the default), or in the callback, where no browser is bound to the result. */
  readonly confirm?: Confirm | undefined;
  readonly limits?: Limits | undefined;
  /** How the pages look and what they say: name, logo, colours, links, language and texts, or HTML of your own. */
  readonly pages?: PagesOptions | undefined;
  /**
   * Where the kit writes faults that an operator can fix, refused proofs and what is probably set up wrong: as a rule one
   * line a minute for each code and check. Default `console`. With `false` it writes nothing.
   */
  readonly logger?: Logger | false | undefined;
  /** Makes the connections to the service, and those for keys and lists: for a proxy or a client certificate. */
  readonly agent?: Network['agent'];
  /** Calls the service and fetches keys and lists, in place of node:http and node:https. */
  readonly fetch?: Network['fetch'];
  readonly clock?: Clock | undefined;

  /**
   * Runs in the callback, after the presentation was verified. `presentation` is the text as it came, for those who must
   * archive it. If you copy or print the arguments, or write them as JSON, it is not in there.
   */
  readonly onVerified?:
    | Method<[args: Verified<Asked, Context> & { readonly presentation: string }], MaybePromise<HookResult>>
    | undefined;
  /** Runs when the browser that started has returned; with `confirm: 'callback'`, after the presentation was verified. */
  readonly onSuccess?:
    | Method<
        [args: Verified<Asked, Context> & (Confirm extends 'return' ? { readonly req: AppRequest } : {})],
        MaybePromise<HookResult>
      >
    | undefined;
  /**
   * Runs when a step failed, with a few exceptions, so set your alerts on events. At the start, and at the return if
   * `onSuccess` has refused, you can return `redirectTo` to replace the error page.
   */
  readonly onError?:
    | Method<
        [
          args: AboutFlow & {
            readonly error: IdentityError;
            readonly step: Step;
            readonly context?: AsJson<Context>;
          },
        ],
        MaybePromise<Exclude<HookResult, Refusal>>
      >
    | undefined;
  /** Gets every event, without personal data. The same events are on the diagnostics channel `pidgate`. */
  readonly onEvent?: Method<[event: IdentityEvent], void> | undefined;
}

type Unnamed<Asked> = Asked extends { readonly default: infer Question extends Ask } ? Question : Ask;

/**
 * The options of {@link identityVerification}. An option that is `undefined` counts as
 * absent. `subject`, `allow` and `keepFor` are exceptions, because a misspelled name must not lift a restriction. Without type
 * arguments, these are the options of any factory.
 */
export interface IdentityOptions<Asked = Questions, Context = unknown>
  extends Settings<Asked, Context>, Omit<Question, 'reveal' | 'keep' | 'allow'> {
  /** The attributes to ask for, ages included. Without it, only those in `questions` can be asked. */
  readonly reveal?: readonly AttributeId[] | undefined;
  /** Returns the part of the result to store in the session. Without it, no attribute is stored. */
  readonly keep?: Unnamed<Asked>['keep'];
  /** The rule: returns true for people whose kept data is enough. For all others, guards answer 403 and `of` undefined. */
  readonly allow?: NonNullable<Unnamed<Asked>['allow']>;
  /** Further questions by name, each made by `ask`. The name is used in `/start/:question` and `require({ question })`. */
  readonly questions?: Readonly<Omit<Asked, 'default'>> | undefined;
}

/** The question of the options' own `reveal`, under the name `default`, and those in `questions`. */
export type AllQuestions<Reveal extends readonly AttributeId[], Derived, Answer, Named> = ([Reveal] extends [
  never,
]
  ? {}
  : { default: Ask<RevealedBy<Reveal>, DerivedBy<Derived>, Stored<Answer>> }) &
  Named;

/** {@link IdentityOptions}, as the factory infers its questions from them. */
export interface FactoryOptions<
  Reveal extends readonly AttributeId[],
  Derived extends DerivedMap,
  Answer,
  Named,
  Context,
  Confirm,
>
  extends
    Settings<AllQuestions<Reveal, Derived, Answer, Named>, Context, Confirm>,
    Omit<Question<Reveal, Derived, Answer>, 'reveal'> {
  readonly reveal?: Reveal | undefined;
  readonly questions?: Named | undefined;
}

/** The variable of each option that has one. A value of the environment is checked as one in the code. */
export const optionVariables = {
  ...serviceVariables,
  issuer: ['IDENTITY_ISSUER'],
  appUrl: ['APP_URL'],
} as const;

const hook = v.optional(v.aFunction<(args: never) => unknown>());

const whyNotQuestionName = (name: string): string | undefined =>
  /^(?!(?:default|__proto__)$)[A-Za-z0-9_-]{1,64}$/.test(name)
    ? undefined
    : 'the names of questions may contain letters, digits, - and _, and must not be default';

const whyNotIssuer = (name: string): string | undefined =>
  name === 'format' ? "is of one entry. Name its issuer: trust: { 'xx-issuer': sdJwtVc({ … }) }" : undefined;

const logger = v.withMethods<Logger>('error', 'warn');

/** How each option is checked, with the default of those that need no environment. */
export const optionMembers = {
  ...questionMembers,
  reveal: v.optional(questionMembers.reveal), // without it there are only those in `questions`
  questions: v.optional(v.record(checkQuestion, 'must be an object of questions', whyNotQuestionName)),
  ...serviceMembers,
  trust: v.optional(v.record(v.anything, 'must be an object by issuer id', whyNotIssuer)),
  allowSandbox: v.withDefault(v.boolean, false),
  path: v.withDefault(
    v.satisfying<string>(
      (value) => isText(value) && isPlainPath(value),
      'must be a path such as /identity, not /',
    ),
    '/identity',
  ),
  appUrl: v.optional(
    v.satisfying<string | readonly [string, ...string[]]>(
      (value) => isText(value) || (Array.isArray(value) && value.length > 0 && value.every(isText)),
      'must be an origin or a list of origins',
    ),
  ),
  routes: (value = {}, place) => Object.freeze(routes(value, place)),
  errorRedirect: v.optional(pathOrFunction),
  sameDevice: v.optional(
    v.satisfying<'auto' | boolean | ((req: AppRequest) => boolean)>(
      (value) => value === 'auto' || typeof value === 'boolean' || typeof value === 'function',
      "must be 'auto', a boolean or a function",
    ),
  ),
  subject: v.optional(v.aFunction<(req: AppRequest) => string | undefined>()),
  context: v.optional(v.aFunction<(req: AppRequest) => unknown>()),
  store: v.optional(v.withMethods<FlowStore>('create', 'read', 'replace', 'delete')),
  secret: v.optional(secret),
  flowTtl: timeout('10m'),
  confirm: v.withDefault(v.oneOf(['return', 'callback']), 'return'),
  limits: (value = {}, place) => Object.freeze(limits(value, place)),
  pages: v.anything,
  logger: v.withDefault((value, place) => (value === false ? value : logger(value, place)), console),
  fetch: v.optional(v.aFunction<typeof globalThis.fetch>()),
  agent: v.optional(checkAgent),
  clock: v.withDefault(v.aFunction<Clock>(), () => new Date()),
  onVerified: hook,
  onSuccess: hook,
  onError: hook,
  onEvent: hook,
} satisfies v.ChecksOf<IdentityOptions>;

const checkMembers = v.objectWith(['keepFor', 'subject', 'allow'], optionMembers);

export type CheckedOptions = ReturnType<typeof checkMembers>;

export const checkOptions: v.Check<CheckedOptions> = (value, place) => {
  const limit = Object.keys(limitMembers).find((name) => Object.hasOwn(Object(value) as object, name));
  if (limit === undefined) return checkMembers(value, place);
  throw v.invalid(`${place} ${limit}`, `is one of limits: write limits: { ${limit}: … }`);
};
