import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe, tracingChannel, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request as openRequest } from 'node:http';
import { type RegisteredSandbox, isLocal, sandboxIssuer, sandboxSymbol } from '../../options/development.js';
import type { Configuration } from '../../options/resolve.js';
import type { IdentityVerification } from '../../identity-verification.js';
import type { Asked } from '../../service/contract.js';
import { receiptId } from '../../service/receipt.js';
import type { IdentityEvent } from '../../types/events.js';
import type { Trust } from '../../types/trust.js';
import { letStartAfresh } from './start-afresh.js';
import { type Finished, newTell, tellMistakes, tellOfAnswer, tellOfRedirect } from './mistakes.js';

// Runs in the processes of an app in development, and tells its sandbox what a service does not know: which question is
// asked, which check the app reports, what it stores. No value of a person goes this way.

/** A question of an app, and the address where it starts. */
export interface AppQuestion {
  readonly name: string;
  readonly start: string;
  readonly asks: readonly string[];
  /** Why it is asked, by language; `*` for those that are not named. */
  readonly purposes: Readonly<Record<string, string>>;
}

/** What an app tells its sandbox. */
export type AppNews =
  | {
      readonly type: 'app';
      readonly name: string;
      readonly url: string;
      readonly questions: readonly AppQuestion[];
    }
  /** A flow that is about to start. The sandbox knows it by the id of its receipt. */
  | {
      readonly type: 'flow';
      readonly receipt: string;
      readonly flow: string;
      readonly question: string;
      readonly asks: readonly string[];
    }
  | {
      readonly type: 'event';
      readonly flow: string;
      readonly event: string;
      readonly code?: string;
      readonly check?: string;
    }
  | { readonly type: 'kept'; readonly receipt: string; readonly kept: unknown }
  /** A page whose guard sent a browser to a start. */
  | { readonly type: 'guarded'; readonly url: string; readonly start: string };

interface Registry {
  [sandboxSymbol]?: Map<string, RegisteredSandbox<Configuration, IdentityVerification>>;
}

/**
 * Has the apps of this process use a sandbox's trust entries where they ask it, by its address or with its access
 * certificate, and tell it what they do, in development. Returns what ends that.
 */
export function joinSandbox(sandboxUrl: string, trust: Trust, clientId?: string): () => void {
  const sandboxes = ((globalThis as Registry)[sandboxSymbol] ??= new Map());
  const { origin } = new URL(sandboxUrl);
  const [tellDeveloper, places] = [newTell(), new Set<string>()];
  const apps: WatchedApps = new Map();
  sandboxes.set(origin, {
    trust,
    clientId,
    accompany(config, options) {
      const given = options as Readonly<Record<string, unknown>>;
      tellOfStandIn(origin, trust, config, given);
      if (config.mode !== 'development') return { config };
      const told = tellMistakes(tellDeveloper, config, given, places);
      watch(apps);
      const tellSandbox: Tell = async (news) => await tell(origin, news);
      const watchRouter = (router: IdentityVerification): void => {
        letStartAfresh(router);
        told.watchRouter(router);
      };
      return { config: accompany(told.config, apps, tellDeveloper, tellSandbox), watchRouter };
    },
  });
  return () => {
    if (sandboxes.get(origin)?.trust !== trust) return;
    sandboxes.delete(origin);
    unwatch(apps);
  };
}

/** An app that asks a real issuer, and gets made-up people, must say so, unless its own code says it. */
function tellOfStandIn(
  origin: string,
  trust: Trust,
  config: Configuration,
  { trust: inCode }: Readonly<Record<string, unknown>>,
): void {
  const own = Object(inCode) as Trust;
  const real = Object.keys(trust).filter(
    (issuer) =>
      issuer !== sandboxIssuer && config.trust[issuer] === trust[issuer] && own[issuer] !== trust[issuer],
  );
  if (real.length === 0) return;
  process.emitWarning(
    `pidgate: the sandbox at ${origin} stands in for ${real.join(', ')} in this process. It proves nothing.`,
    { type: 'PidgateWarning', code: 'PIDGATE_SANDBOX' },
  );
}

type Tell = (news: AppNews) => Promise<void>;
type TellDeveloper = ReturnType<typeof newTell>;

/** The step that calls the service, which knows the names of flow and question. */
interface Asking {
  readonly flow?: string;
  readonly question?: string;
}

const asking = new AsyncLocalStorage<Asking>();
const prove = tracingChannel<Asking, Asking>('pidgate:prove').start;

function accompany(
  config: Configuration,
  apps: WatchedApps,
  tellDeveloper: TellDeveloper,
  tellSandbox: Tell,
): Configuration {
  const { origins, questions, service } = config;
  const tellApp = config.onEvent as ((event: IdentityEvent) => unknown) | undefined;
  const [url] = origins;
  const known = questionsOf(config);
  watchGuards(config, known, apps, tellDeveloper, tellSandbox);
  const announced = tellSandbox({ type: 'app', name: nameOf(config), url, questions: known });
  return {
    ...config,
    logger: withoutRefusals(config.logger),
    service: {
      ...service,
      start: async (asked) => {
        const { flow = '', question = '' } = asking.getStore() ?? {};
        await announced;
        const asks = namesOf(asked);
        await tellSandbox({ type: 'flow', receipt: receiptId(asked.state), flow, question, asks });
        return await service.start(asked);
      },
    },
    onEvent: (event: IdentityEvent) => {
      const { type, flow, code, check } = event;
      if (flow !== undefined) {
        void tellSandbox({
          type: 'event',
          flow,
          event: type,
          ...(code && { code }),
          ...(check && { check }),
        });
      }
      return tellApp?.(event);
    },
    questions: new Map(
      [...questions].map(([name, { keep, ...question }]) => [
        name,
        { ...question, keep: keep && tellingKeep(keep as (result: KeptResult) => unknown, tellSandbox) },
      ]),
    ),
  };
}

/** `pidgate dev` prints each refusal, also of what another wallet answers: on the same screen the app says nothing of them. */
function withoutRefusals(logger: Configuration['logger']): Configuration['logger'] {
  if (logger !== console || process.env['IDENTITY_SANDBOX_URL'] === undefined) return logger;
  const isRefusal = (line: string): boolean =>
    /^pidgate: (?:presentation_invalid|credential_expired|credential_revoked) \(/.test(line);
  return {
    error: (line) => (isRefusal(line) ? undefined : logger.error(line)),
    warn: (line) => (isRefusal(line) ? undefined : logger.warn(line)),
  };
}

interface KeptResult {
  readonly sandbox: boolean;
  readonly receipt: { readonly id: string };
}

function tellingKeep(keep: (result: KeptResult) => unknown, tellSandbox: Tell) {
  return (result: KeptResult): unknown => {
    const kept = keep(result);
    const told = (value: unknown) =>
      tellSandbox({ type: 'kept', receipt: result.receipt.id, kept: shapeOf(value) });
    // What JSON cannot carry, or keep rejects with, is the app's to hear of.
    if (result.sandbox)
      Promise.resolve(kept)
        .then(told)
        .catch(() => {});
    return kept;
  };
}

/** What JSON makes of a value, with yes, no and nothing shown and all else hidden. */
function shapeOf(value: unknown): unknown {
  const hide = (inner: unknown): unknown => {
    if (typeof inner === 'boolean' || inner === null) return inner;
    if (Array.isArray(inner)) return inner.map(hide);
    if (typeof inner !== 'object') return '[hidden]';
    return Object.fromEntries(Object.entries(inner as object).map(([name, member]) => [name, hide(member)]));
  };
  const json = JSON.stringify(value);
  return json === undefined ? undefined : hide(JSON.parse(json));
}

/** What is asked for, by the names that the app has written. */
const namesOf = ({ reveal, derived }: Pick<Asked, 'reveal' | 'derived'>): string[] => [
  ...reveal,
  ...Object.keys(derived).map((id) => `${id}?`),
];

/** Without a name of its own, a site has that of its host. */
const nameOf = ({ pages, origins: [url] }: Configuration): string => pages.name ?? new URL(url).host;

function questionsOf(config: Configuration): readonly AppQuestion[] {
  const { path, routes, questions, pages } = config;
  const { start } = routes;
  if (start === false) return [];
  return [...questions].map(([name, { reveal, derived, purpose }]) => {
    const key = name === 'default' ? 'purpose' : `purpose.${name}`;
    const own = pages.languages.map(({ lang, own: texts }) => [lang, texts.get(key)] as const);
    const purposes = [['*', purpose] as const, ...own].flatMap(([lang, text]) =>
      text === undefined ? [] : [[lang, text.replaceAll('{name}', nameOf(config))]],
    );
    return {
      name,
      start: `${path}${start}${name === 'default' ? '' : `/${name}`}`,
      asks: namesOf({ reveal, derived }),
      purposes: Object.fromEntries(purposes) as Record<string, string>,
    };
  });
}

/** An app of a sandbox, and what looks at its responses. */
interface WatchedApp {
  readonly origins: readonly string[];
  readonly look: (finished: Finished) => void;
}

/** By where its questions start: a second factory of the same address takes its place. */
type WatchedApps = Map<string, WatchedApp>;

/** The apps of each open sandbox. */
const watched = new Set<WatchedApps>();

const finishedChannel = 'http.server.response.finish';

function watch(apps: WatchedApps): void {
  if (watched.size === 0) {
    prove.bindStore(asking, (step) => step);
    subscribe(finishedChannel, lookAll);
  }
  watched.add(apps);
}

/** What this process is watched by ends with its last sandbox. */
function unwatch(apps: WatchedApps): void {
  if (!watched.delete(apps) || watched.size > 0) return;
  prove.unbindStore(asking);
  unsubscribe(finishedChannel, lookAll);
}

/** Each looks at the responses of its own app. */
function lookAll(message: unknown): void {
  const finished = message as Finished;
  const { headers } = finished.request;
  const asked = headers['x-forwarded-host'] ?? headers.host ?? '';
  for (const { origins, look } of [...watched].flatMap((apps) => [...apps.values()])) {
    if (origins.some((origin) => isAt(origin, String(asked)))) look(finished);
  }
}

/** All names of this machine are one. */
function isAt(origin: string, host: string): boolean {
  const [own, asked] = [new URL(origin), `http://${host}`];
  if (own.host === host) return true;
  return own.port !== '' && isLocal(origin) && isLocal(asked) && new URL(asked).port === own.port;
}

function watchGuards(
  config: Configuration,
  questions: readonly AppQuestion[],
  apps: WatchedApps,
  tellDeveloper: TellDeveloper,
  tellSandbox: Tell,
): void {
  const [url] = config.origins;
  const starts = questions.map(({ start }) => start);
  const look = (finished: Finished): void => {
    tellOfAnswer(tellDeveloper, finished, config);
    const { request, response } = finished;
    const location = String(response.getHeader('location') ?? '');
    if (request.method !== 'GET' || !URL.canParse(location, url)) return;
    const { pathname, searchParams } = new URL(location, url);
    const start = starts.find((it) => pathname.endsWith(it));
    const path = searchParams.get('returnTo')?.replace(/[?#].*$/s, '');
    if (start === undefined || !path?.startsWith('/')) return;
    tellOfRedirect(tellDeveloper, { from: new URL(searchParams.get('returnTo') ?? '', url), config });
    void tellSandbox({
      type: 'guarded',
      url: url + path,
      start: `${start}?returnTo=${encodeURIComponent(path)}`,
    });
  };
  apps.set(`${url} ${starts.join(' ')}`, { origins: config.origins, look });
}

/** A sandbox that does not listen, or is slow, keeps nothing waiting for long, and no process alive. */
async function tell(origin: string, news: AppNews): Promise<void> {
  const request = openRequest(new URL('/app', origin), {
    method: 'POST',
    agent: false,
    headers: { 'content-type': 'application/json' },
    signal: AbortSignal.timeout(1000),
  });
  request.on('socket', (socket) => void socket.unref()).on('error', () => {});
  try {
    request.end(JSON.stringify(news));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    response.resume();
  } catch {
    // it is not told
  }
}
