import type { NextFunction, Response, Router } from 'express';
import { type Flow, type FlowHooks, createFlow, createKeptSeal, processSecret } from './flow/flow.js';
import type { AllQuestions, AppRequest, FactoryOptions } from './options/options.js';
import type { AttributeId } from './types/attributes.js';
import type { IdentityEvent, Log } from './types/events.js';
import type { FlowStore } from './types/store.js';
import { createVerifiers } from './verify/verify-presentation.js';
import { accompanied, kitSymbol } from './options/development.js';
import { type Configuration, resolveOptions, secretIsMissing } from './options/resolve.js';
import type { DerivedMap, GivenOf, KeptIdentity, KeptOf, Questions } from './options/result-types.js';
import { isMemoryStore, memoryStore } from './stores/memory.js';
import {
  type Guard,
  type RequireOptions,
  createGuard,
  findKept,
  forgetIdentity,
  getKeptIdentity,
} from './http/guard.js';
import { createTheme } from './http/pages/theme.js';
import { keyOf } from './http/session/session-data.js';
import { asyncHandler } from './http/async-handler.js';
import { createOpenBodies } from './internal/open-bodies.js';
import { createLog } from './http/log.js';
import { sendLimited } from './http/send-page.js';
import { createRouter } from './http/router.js';
import type { StartOptions } from './http/start-input.js';
import { startFromRoute } from './http/start.js';
import { createHelp } from './http/help/create-help.js';
import type { Help } from './http/help/help.js';
import { createNotice } from './http/notice.js';
import type { Kit } from './http/context.js';

/** The questions that `require`, `of` and `start` are about when they name none: the default one, where there is one. */
type Unnamed<Asked> = 'default' extends keyof Asked ? 'default' : keyof Asked & string;

/** What `allow` of a guard is given for a question without `keep`. It has no member, and its name says why. */
interface KeepIsMissing {}

/** The last parameter: a factory without a default question needs to be told which one is meant. */
type OptionsOf<Asked, Options> = 'default' extends keyof Asked
  ? [options?: Options]
  : [optionsWithQuestion: Options & { readonly question: string }];

/**
 * The router, and the functions that your app calls elsewhere. Without type arguments it is the router of any factory: a
 * function that takes it accepts every factory, and what was kept is `unknown`.
 */
export interface IdentityVerification<Asked = Questions, Context = unknown> extends Router {
  /**
   * Returns middleware that lets a request through only if its session has a verified identity that meets the question's
   * `allow` and the options. Call it: `identity.require()`. It guards the address at which it stands. If a framework serves the data of a page at
   * another address too, as Next.js and React Router do, check `of` where the data is read.
   */
  require<Name extends keyof Asked & string = Unnamed<Asked>>(
    ...options: OptionsOf<Asked, RequireOptions<Name, GivenOf<KeptOf<Asked[Name]>, KeepIsMissing>>>
  ): Guard;
  /**
   * Returns what this session has of a verification that counts for the question, or undefined if there is none, or if the
   * question's `allow` refuses it. With `evenIfRefused: true` it is returned then too, for a page that shows people what is
   * stored of them.
   */
  of<Name extends keyof Asked & string = Unnamed<Asked>>(
    req: AppRequest,
    ...options: OptionsOf<
      Asked,
      { readonly question?: Name | undefined; readonly evenIfRefused?: boolean | undefined }
    >
  ): KeptIdentity<KeptOf<Asked[Name]>> | undefined;
  /** Pass it as `handler` to a rate limiter in front of the start: it answers 429 with a page, or JSON. */
  readonly busy: (req: AppRequest, res: Response, next: NextFunction) => void;
  /**
   * Erases what this factory has kept in this session. A verification that the session has begun, with this or another
   * factory, is not released to it any more. If your route has changed the session, save it first (`req.session.save`).
   */
  forget(req: AppRequest): Promise<void>;
  /**
   * Starts a verification from a `POST` route of your own, and answers the request. If your route has changed the
   * session, save it first (`req.session.save`), because the session is read again.
   */
  start(
    req: AppRequest,
    res: Response,
    ...options: OptionsOf<Asked, StartOptions<keyof Asked & string, Context>>
  ): Promise<void>;
}

/** Compiles where there is a question: `reveal` at the top, or one in `questions`. */
type NeedsQuestion<Reveal, Named> = [Reveal] extends [never]
  ? {} extends Named
    ? { readonly questions: Questions }
    : unknown
  : unknown;

/**
 * Makes the router that asks a person to prove who they are, with the routes start, callback, return and status. Mount it
 * after express-session, at the path that the option `path` names (`/identity` by default).
 *
 * @example
 * ```ts
 * import { identityVerification } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['age_over_18'],
 *   purpose: 'You must be 18 or over to enter the club.',
 *   keep: ({ attributes }) => ({ adult: attributes.age_over_18 }),
 *   keptAs: 'Whether you are 18 or over',
 *   allow: ({ adult }) => adult,
 *   pages: { name: 'The Corner Club' },
 * })
 * app.use('/identity', identity) // after express-session
 * app.get('/club', identity.require(), (_req, res) => {
 *   res.send('Welcome to the club.')
 * })
 * ```
 */
export function identityVerification<
  const Reveal extends readonly AttributeId[] = never,
  const Derived extends DerivedMap = {},
  Answer = undefined,
  Named extends Questions = {},
  Context = undefined,
  const Confirm extends 'return' | 'callback' = 'return',
>(
  options: FactoryOptions<Reveal, Derived, Answer, Named, Context, Confirm> & NeedsQuestion<Reveal, Named>,
): IdentityVerification<AllQuestions<Reveal, Derived, Answer, Named>, Context>;
export function identityVerification(options: unknown): Router {
  const resolved = resolveOptions(options);
  const help = createHelp(resolved);
  const { config, watchRouter } = accompanied<Configuration, IdentityVerification>(
    help.watchOptions(resolved),
    options,
  );
  const store = config.store ?? memoryStore({ clock: config.clock });
  const secrets = secretsFor(config, store, help);
  const log = createLog(config, help);
  if (config.isProduction && isMemoryStore(store)) {
    warn(
      'MEMORY',
      'memoryStore keeps flows in this process alone. If the app has more than one process, or restarts, set the option store to redisStore, postgresStore or mysqlStore.',
    );
  }
  if (config.confirm === 'callback') {
    warn(
      'CONFIRM_CALLBACK',
      "with confirm: 'callback' a result belongs to no browser. Someone who is tricked into opening a link can be " +
        "verified in the attacker's session.",
    );
  }
  const doubled = config.origins.find((origin) => `${origin}/`.includes(`${config.path}/`, 8));
  if (doubled !== undefined) {
    warn('APP_URL', `appUrl is ${doubled}: remove ${config.path}, unless a proxy strips it.`);
  }
  for (const { lang, missing } of config.pages.languages) {
    if (missing.length === 0) continue;
    warn(
      'TEXTS',
      `pages.texts.${lang} lacks ${missing.join(', ')}, so the page shows these in English. pidgate/texts.en.json has all texts.`,
    );
  }
  const kit: Kit = {
    config,
    flow: flowOf(config, store, secrets, log),
    key: keyOf(config.scope),
    keptSeal: createKeptSeal(config.scope, secrets),
    findKept,
    theme: createTheme(config.pages),
    log,
    help,
    openBodies: createOpenBodies(),
  };
  const router = createRouter(kit);
  Object.defineProperty(router, kitSymbol, { value: () => kit }); // a log of the router has no key
  const identity = Object.assign(router, {
    // An argument that is undefined, such as a mistyped `rules.adults`, is no guard without options.
    require: (...wanted: [RequireOptions?]) => createGuard(kit, wanted.length === 0 ? {} : wanted[0]),
    of: (req: AppRequest, wanted?: Parameters<typeof getKeptIdentity>[2]) =>
      getKeptIdentity(kit, req, wanted),
    busy: asyncHandler(async (req, res) => await sendLimited({ kit, req, res })),
    forget: async (req: AppRequest) => await forgetIdentity(kit, req),
    start: async (req: AppRequest, res: Response, overrides?: StartOptions) =>
      await startFromRoute({ kit, req, res }, overrides),
  });
  watchRouter?.(identity as IdentityVerification);
  return identity;
}

type Secrets = NonNullable<Configuration['secrets']>;

/** What only this process sees can do with a secret of this process. */
function secretsFor({ secrets }: Configuration, store: FlowStore, help: Help): Secrets {
  if (secrets === undefined && !isMemoryStore(store)) throw secretIsMissing();
  const [secret, ...older] = secrets ?? [processSecret];
  if (help.isOtherSecret(secret)) {
    warn(
      'SECRET',
      'two factories in this process have different secrets. Give all factories of one app the same option secret.',
    );
  }
  return [secret, ...older];
}

function flowOf(config: Configuration, store: FlowStore, secrets: Secrets, log: Log): Flow {
  const { flowTtl, limits, clock, fetch, agent, onVerified, onSuccess, onError } = config;
  const maxAge = Math.ceil(flowTtl / 1_000);
  return createFlow({
    ...config,
    ...limits,
    path: config.scope,
    returnPath: `${config.path}${config.routes.return || ''}`,
    isSandbox: (issuer) => config.sandboxIssuers.has(issuer),
    concurrentStarts: limits.concurrentStarts,
    concurrentVerifications: limits.concurrentVerifications,
    successRedirectOf: (question) => config.questions.get(question)?.successRedirect ?? '/',
    store,
    secrets,
    verifiers: createVerifiers(config.boundTrust, { clock, fetch, agent, maxAge }),
    hooks: { onVerified, onSuccess, onError } as FlowHooks,
    notice: createNotice({
      clock,
      flowTtl,
      log,
      inMemory: isMemoryStore(store),
      asksWallets: config.access !== undefined,
    }),
    log,
    onEvent: config.onEvent as ((event: IdentityEvent) => unknown) | undefined,
  });
}

/** The code lets an operator silence the one warning, and no other. */
function warn(code: string, text: string): void {
  process.emitWarning(`pidgate: ${text}`, { type: 'PidgateWarning', code: `PIDGATE_${code}` });
}
