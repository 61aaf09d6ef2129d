import { configInvalid } from '../../../errors.js';
import { knownOptions, nonEmptyString, oneOf, optional, withDefault } from '../../../internal/validate.js';
import { isLoopback } from '../../../internal/urls.js';
import type { AppListener, Handler } from '../listen.js';
import { type PersonOption, choosePerson } from '../people/choose.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { checkScenario } from '../scenarios/playable.js';
import { explain } from '../service/reply.js';
import type { Service } from '../service/service.js';
import { type Agent, createAgent } from './browser.js';
import { type Walk, callbackFailed, walk } from './walk.js';

/** An app under test: the Express app itself, a server, or the address of one that runs. */
export type AppUnderTest = Handler | string;

/** Options of `sandbox.complete`. */
export interface CompleteOptions {
  /**
   * The path that starts the verification; default `/identity/start`, which ends at `successRedirect` and opens no guarded
   * page. To test a guard: `'/identity/start?returnTo=/club'`.
   */
  readonly start?: string;
  /** Who is at the wallet. Default: the person of the sandbox. */
  readonly person?: PersonOption;
  /** What happens on the way; default `'approve'`. */
  readonly scenario?: ScenarioId;
  /**
   * With `role: 'wallet'`: how the wallet is reached. By `'link'` (the default) it is on the device of the browser, by
   * `'code'` on another one, and the browser goes on by itself.
   */
  readonly way?: 'link' | 'code';
}

/** A verification that was walked to its end. */
export interface CompletedVisit {
  /** The last page. */
  readonly response: Response;
  readonly url: string;
  /**
   * The error code that the app showed; undefined if it showed none, and `unknown` if the last page has a status of 400 or
   * above and no code. If the callback got no usable reply, and none with a code, it begins with `callback_`, such as
   * `callback_status`, and a warning says what the reply was. It is `return_to_other_origin` if the way back does not lead
   * into the app.
   */
  readonly error: string | undefined;
  /** The browser, for further requests. */
  readonly agent: Agent;
}

const known = ['start', 'person', 'scenario', 'way'] as const satisfies readonly (keyof CompleteOptions)[];

/** Walks a verification through an app, as a person with a browser and a wallet would. */
export async function complete(
  service: Service,
  front: AppListener,
  app: AppUnderTest,
  options: CompleteOptions = {},
): Promise<CompletedVisit> {
  knownOptions(options, known, 'complete');
  const { scenario = service.upcoming.scenario ?? 'approve' } = options;
  const start = withDefault(nonEmptyString, '/identity/start')(options.start, 'complete: start');
  const isWallet = service.access !== undefined;
  checkScenario(scenario, isWallet);
  const way =
    optional(oneOf(['link', 'code']))(options.way, 'complete: way') ?? (isWallet ? 'link' : undefined);
  if (way !== undefined && !isWallet)
    throw configInvalid("complete: way is for a sandbox with role 'wallet'.");
  const person =
    options.person === undefined
      ? undefined
      : choosePerson(options.person, service.clock(), 'complete: person');
  const origin = typeof app === 'string' ? originOf(app) : front.serve(checkHandler(app));
  const { working } = service.accounts;
  const before = working.redirectUrl;
  if (!isWallet)
    working.redirectUrl = `${origin}${before === undefined ? callbackFor(start) : new URL(before).pathname}`;
  const agent = createAgent(origin);
  try {
    const walked = await walk(service, agent, { start, scenario, person, way });
    const { last, error, other } = walked;
    // An answer of the kit has a code of its own.
    if (walked.start.response.status === 404 && error === 'unknown') await refuseStart(agent, start);
    tellOfCallback(walked);
    return { response: last.response, url: last.url, error, agent: other ?? agent };
  } finally {
    working.redirectUrl = before;
  }
}

const noApp = 'complete: the app must be an Express app, a server or an address.';

/** Something else, such as what a `createApp` returned around the app, would fail in the listener, out of reach. */
function checkHandler(app: unknown): Handler {
  const { emit } = Object(app) as { emit?: unknown };
  if (typeof app === 'function' || typeof emit === 'function') return app as Handler;
  throw configInvalid(noApp);
}

function originOf(url: string): string {
  if (!URL.canParse(url)) throw configInvalid(noApp);
  const { origin, pathname } = new URL(url);
  if (!isLoopback(new URL(url))) throw configInvalid('complete: the app must be on this machine.');
  if (pathname === '/') return origin;
  throw configInvalid(`complete: the address of the app must be ${origin}; put a path into start.`);
}

/** Something else than the start of a router was given: what its own address shows tells what is meant. */
async function refuseStart(agent: Agent, path: string): Promise<never> {
  const { location, response } = await agent.get(path);
  const answered = `complete: there is no start at ${path}: POST answered 404.`;
  const { pathname, search } = new URL(path, agent.origin);
  const route = pathname.replace(/\/+$/, '');
  if (response.status === 405) {
    throw configInvalid(`${answered} identity.start needs a POST route: app.post('${pathname}', …).`);
  }
  if (location === undefined && /\/start(?:\/|$)/.test(pathname)) {
    if (route !== pathname) throw configInvalid(`${answered} Did you mean start: '${route}${search}'?`);
    const mount = /.*(?=\/start(?:\/|$))/.exec(pathname)?.[0];
    const named = pathname.endsWith('/start') ? '' : ', and is there a question of that name';
    throw configInvalid(
      `${answered} Is the router mounted (app.use('${mount}', identity)), and above your 404 handler${named}?`,
    );
  }
  const meant = new URL(location ?? `/identity/start?returnTo=${path}`, agent.origin);
  throw configInvalid(`${answered} Did you mean start: '${meant.pathname}${meant.search}'?`);
}

/** In words what `error` can only name. A callback that is lost on purpose surprises nobody. */
function tellOfCallback({ outcome, error }: Walk): void {
  if (outcome?.ok !== false || outcome.problem.kind === 'lost') return;
  if (error !== `${callbackFailed}${outcome.problem.kind}`) return;
  const { happened, fix } = explain(outcome.problem);
  const warning = { type: 'PidgateWarning', code: 'PIDGATE_CALLBACK' };
  process.emitWarning(`pidgate: complete: ${happened} ${fix}`, warning);
}

/** The callback route beside the start. */
function callbackFor(start: string): string {
  const [path = ''] = start.split('?');
  const at = path.lastIndexOf('/start');
  return at === -1 ? '/identity/callback' : `${path.slice(0, at)}/callback`;
}
