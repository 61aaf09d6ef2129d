import type { Response, Router } from 'express';
import { type Flow, type FlowHooks, createFlow } from './flow/flow.js';
import type { AppRequest, IdentityOptions } from './options/options.js';
import type { AttributeId } from './contracts/attributes.js';
import type { IdentityEvent } from './contracts/events.js';
import type { Log } from './contracts/log.js';
import type { FlowStore } from './contracts/store.js';
import { createVerifiers } from './presentation/verifiers.js';
import { createProveClient } from './protocol/prove-client.js';
import { type Configuration, resolveOptions } from './options/resolve.js';
import type { DerivedMap, Kept, KeptIdentity, KeptOf } from './options/results.js';
import { isMemoryStore, memoryStore } from './stores/memory.js';
import { type Guard, type RequireOptions, forget, guard, kept } from './web/routes/guard.js';
import { createLook } from './web/pages/look.js';
import { keyOf } from './web/session/entry.js';
import { createLog } from './web/log.js';
import { createRouter } from './web/router.js';
import type { StartOverrides } from './web/request/start-input.js';
import type { LeftOut } from './options/loose-types.js';
import { startFrom } from './web/routes/start.js';
import { showFailures } from './web/show-failure.js';
import type { Web } from './web/web.js';
import { testMark } from './contracts/testing.js';

/**
 * The router, and what the app asks of it elsewhere. Without type arguments it is any of them: a function of the app can
 * take every factory, with whatever requests, and what was kept is `unknown`.
 */
export interface IdentityVerification<
  Answer = LeftOut,
  Reveals = LeftOut,
  Answers = LeftOut,
  Context = LeftOut,
> extends Router {
  /** Lets only requests through whose session has a confirmed identity. */
  require<Name extends keyof Reveals | 'default' = 'default'>(
    options?: RequireOptions<Name, KeptOf<Answer, Answers, Name>>,
  ): Guard;
  /** What was kept of the verification; undefined where there is none (any more). */
  of(req: AppRequest): KeptIdentity<Kept<Answer>> | undefined;
  /** The same, for a named request. */
  of<Name extends keyof Reveals>(
    req: AppRequest,
    options: { readonly request: Name },
  ): KeptIdentity<KeptOf<Answer, Answers, Name>> | undefined;
  /** Erases what was kept in this session. */
  forget(req: AppRequest): Promise<void>;
  /**
   * Starts a verification from the app's own `POST` route, and answers the request. The session is read again first:
   * what the route has changed in it must be saved before (`req.session.save`).
   */
  start(
    req: AppRequest,
    res: Response,
    overrides?: StartOverrides<keyof Reveals | 'default', Context>,
  ): Promise<void>;
}

/**
 * Makes the routes that ask a person to prove who they are: start, callback, return and status. Mount them where
 * the option `path` says, after express-session.
 *
 * @example
 * ```ts
 * import express from 'express'
 * import { identityVerification } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['given_name'],
 *   keep: ({ attributes }) => ({ name: attributes.given_name }),
 * })
 * express().use('/identity', identity)
 * ```
 */
export function identityVerification<
  const Reveal extends readonly AttributeId[],
  const Derived extends DerivedMap = {},
  Answer = undefined,
  const Reveals = {},
  const Deriveds = {},
  Answers = {},
  Context = undefined,
  const Confirm extends 'return' | 'callback' = 'return',
>(
  options: IdentityOptions<Reveal, Derived, Answer, Reveals, Deriveds, Answers, Context, Confirm>,
): IdentityVerification<Answer, Reveals, Answers, Context> {
  const config = showFailures(resolveOptions(options));
  const store = config.store ?? memoryStore({ clock: config.clock });
  const log = createLog(config, isMemoryStore(store));
  if (config.confirm === 'callback') {
    warn(
      'CONFIRM_CALLBACK',
      "with confirm: 'callback' nobody knows whose browser a result belongs to; a person who is talked into " +
        'opening a link can be verified for somebody else.',
    );
  }
  const key = keyOf(config.scope);
  const web: Web = {
    config,
    flow: flowOf(config, store, log),
    key,
    testMark: Symbol(key),
    look: createLook(config.pages),
    log,
  };
  const members = {
    [testMark]: web.testMark,
    require: (wanted?: RequireOptions) => guard(web, wanted),
    of: (req: AppRequest, wanted?: { request?: string }) => kept(web, req, wanted),
    forget: async (req: AppRequest) => await forget(web, req),
    start: async (req: AppRequest, res: Response, overrides?: StartOverrides) =>
      await startFrom(web, req, res, overrides),
  };
  const router = createRouter(web);
  configurations.set(router, config);
  return Object.assign(router, members) as unknown as IdentityVerification<Answer, Reveals, Answers, Context>;
}

const configurations = new WeakMap<object, Configuration>();

/** For `pidgate doctor --entry`, which has the app's router at hand and nothing else. No entry of the package has it. */
export function configurationOf(router: object): Configuration | undefined {
  return configurations.get(router);
}

function flowOf(config: Configuration, store: FlowStore, log: Log): Flow {
  const { path, variant, confirm, errorRedirect, flowTtl, limits, clock, origins } = config;
  const { verifyTimeout, hookTimeout, requestTimeout, proving, verifying } = limits;
  const fetch = config.fetch ?? globalThis.fetch;
  if (config.mode === 'production' && isMemoryStore(store)) {
    warn(
      'MEMORY',
      'flows are kept in this process alone: with more than one process, hand in another store.',
    );
  }
  const hooks = { onVerified: config.onVerified, onSuccess: config.onSuccess, onError: config.onError };
  return createFlow({
    path: config.scope,
    returnPath: `${path}${config.routes.return === false ? '' : config.routes.return}`,
    origins,
    isOwnOrigin: config.isOwnOrigin,
    isSandbox: (asked) => config.sandboxIssuers.has(asked),
    variant,
    confirm,
    errorRedirect,
    flowTtl,
    verifyTimeout,
    hookTimeout,
    proving,
    verifying,
    successRedirectOf: (request) => config.requests.get(request)?.successRedirect ?? '/',
    store,
    client: createProveClient({
      baseUrl: config.baseUrl,
      apiKey: config.apiKey,
      timeout: requestTimeout,
      variant,
      fetch,
    }),
    verifiers: createVerifiers(config.trust, { clock, fetch, maxAge: Math.ceil(flowTtl / 1_000) }),
    hooks: Object.fromEntries(Object.entries(hooks).filter(([, hook]) => hook !== undefined)) as FlowHooks,
    log,
    clock,
    onEvent: config.onEvent as ((event: IdentityEvent) => unknown) | undefined,
  });
}

/** The code lets an operator silence the one warning, and no other. */
function warn(code: string, text: string): void {
  process.emitWarning(`pidgate: ${text}`, { type: 'PidgateWarning', code: `PIDGATE_${code}` });
}
