import { channel, tracingChannel } from 'node:diagnostics_channel';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import express, { type Express, type NextFunction, type Request, type Response, urlencoded } from 'express';
import session from 'express-session';
import { ask, identityVerification, IdentityError, type Verifier } from '../../../lib/index.js';
import type { FlowEngine } from './engines.js';
import { keepFor } from './ages.js';
import { callSession, dataOf, judgeKeep, runHook } from './hooks.js';
import { judgeEvent } from './judges.js';
import { logInsOf } from './log-ins.js';
import type { Service } from './service.js';
import { isAllowed, isOfKit, keptText, type SessionEngine } from './sessions.js';
import { enterRequest, type Machine, runOn, virtualNow } from './virtual.js';
import type { Line } from './wire.js';
import { note, requestNow, type RequestLog, say, type World } from './world.js';

export interface AppMachine extends Machine {
  readonly server: Server;
  /** Which of its two versions the app has: the second asks another question. */
  readonly version: number;
  readonly secrets: readonly [string, ...string[]];
  /** The lines that people and the service have to it: each breaks when the process ends. */
  readonly lines: Set<Line>;
}

export const origin = 'http://localhost:3000';
interface Result {
  readonly receipt: { readonly id: string };
  readonly attributes: { readonly given_name: string };
}

/** What the simulated wallet showed, out of the name that it gave. */
const shownIn = ({ receipt, attributes }: Result) => {
  const [, person = '', link, at] = attributes.given_name.split(' ');
  return { person, receipt: receipt.id, link: Number(link), presentation: `${person} ${link} ${at}` };
};

interface AppParts {
  readonly flows: FlowEngine;
  readonly sessions: SessionEngine;
  readonly service: Service;
}

/** A process of the app, as its developer would write it. */
export function startMachine(
  world: World,
  { name, skew, version, secrets }: Pick<AppMachine, 'name' | 'skew' | 'version' | 'secrets'>,
  parts: AppParts,
): AppMachine {
  const machine = { name, skew, isAlive: true, stoppedUntil: 0, version, secrets, lines: new Set<Line>() };
  const server = runOn(machine, () => createServer(classes, appOf(world, machine, parts)));
  return Object.assign(machine, { server });
}

function newLog(req: Request): RequestLog {
  return {
    name: req.get('x-request') ?? 'a request',
    isAtKit: false,
    looks: new Map(),
    looked: undefined,
    inHook: false,
    isForgetting: false,
    hasCalledForget: false,
    hasForgotten: false,
    onlyForgets: false,
    losesWrite: false,
    forgot: undefined,
    isMadeUp: false,
    isCleared: false,
    subject: undefined,
    keeping: undefined,
    mark: undefined,
  };
}

/**
 * Express gives each app prototypes of its own, and sets them on each request, which then is like no other one for V8:
 * a third of the time of a schedule. Here all have the same ones from the beginning; what is asked of `req.app` is the same too.
 */
class AppRequest extends IncomingMessage {}
class AppResponse extends ServerResponse {}
const { request, response } = express().set('env', 'production');
Object.setPrototypeOf(AppRequest.prototype, request);
Object.setPrototypeOf(AppResponse.prototype, response);
const prototypes = { request: AppRequest.prototype, response: AppResponse.prototype };
const classes = { IncomingMessage: AppRequest, ServerResponse: AppResponse };

function appOf(
  world: World,
  machine: Omit<AppMachine, 'server'>,
  { flows, sessions, service }: AppParts,
): Express {
  const { middleware, hasOnVerified, hasOnSuccess, hasSubject, onError } = world.plan;
  const { touch: _touch, sameSite, maxAge: cookieAge, passport, ...options } = middleware;
  const { version, secrets } = machine;
  const app = express();
  app.set('env', 'production');
  Object.assign(app, prototypes);
  app.use((req: Request, res: Response, next: NextFunction) => {
    enterRequest(newLog(req));
    res.once('finish', () => logIns.userOf(req)); // an access log
    next();
  });
  const cookie = { sameSite, maxAge: cookieAge };
  app.use(session({ secret: 'simulated', store: sessions.storeFor(), cookie, ...options }));
  const logIns = logInsOf(passport);
  app.use(logIns.middleware);

  const tell = (where: string, text: string): void => void world.told.push({ where, text });
  const log = (line: string): void => tell('the log', line);
  const identity = identityVerification({
    baseUrl: 'http://localhost:4000',
    apiKey: 'the-api-key',
    secret: secrets,
    issuer: 'de-ausweis',
    trust: { 'de-ausweis': verifierOf(world) },
    appUrl: origin,
    reveal: version === 1 ? ['given_name'] : ['given_name', 'family_name'],
    questions: {
      member: ask({
        reveal: ['given_name'],
        keepFor: keepFor.vault,
        keep: (result) => keep(result as Result),
      }),
    },
    keepFor: keepFor.club,
    keep: (result) => keep(result as Result),
    ...(hasSubject && {
      subject: (req: Request) => {
        const user = logIns.userOf(req);
        const request = requestNow();
        if (request !== undefined) request.subject = user;
        return user;
      },
    }),
    context: () => ({ note: 'context-secret' }),
    store: flows.storeFor(),
    successRedirect: '/club',
    logger: { error: log, warn: log },
    onEvent: (event) => {
      tell('an event', JSON.stringify(event));
      say(world, `event ${event.type}${'code' in event ? ` ${event.code}` : ''}`);
      judgeEvent(world, event);
    },
    fetch: service.fetch,
    onVerified: hasOnVerified
      ? async ({ result }) => await runHook(world, machine, 'onVerified', shownIn(result as Result))
      : undefined,
    onSuccess: hasOnSuccess
      ? async ({ req, result }) =>
          await runHook(world, machine, 'onSuccess', shownIn(result as Result), {
            req: req as Request,
            logIn: logIns.logIn,
            forget: async () => await forget(req),
          })
      : undefined,
    onError: ({ error }) => {
      tell('an error', `${error.code} ${error.message} ${String(error.cause)}`);
      if (onError === 'throws' && !world.isCalm) throw new Error('onError throws');
      return onError === 'redirects' ? { redirectTo: '/sorry' } : undefined;
    },
  });
  const keep = (result: Result): string => {
    const shown = shownIn(result);
    judgeKeep(world, shown.receipt);
    world.kept.set(shown.receipt, virtualNow());
    world.linkOf.set(shown.receipt, shown.link);
    const request = requestNow();
    if (request !== undefined) request.keeping = shown.receipt;
    return keptText(shown);
  };
  const forget = async (req: unknown): Promise<void> => await identity.forget(req as never);
  let second: Pick<typeof identity, 'forget'> | undefined;
  /** Of the same app: it has kept nothing, and gives the session another owner all the same. */
  const secondFactory = () =>
    (second ??= identityVerification({
      baseUrl: 'http://localhost:4000',
      apiKey: 'the-api-key',
      secret: secrets,
      issuer: 'de-ausweis',
      trust: { 'de-ausweis': verifierOf(world) },
      appUrl: origin,
      reveal: ['given_name'],
      path: '/second',
      store: flows.storeFor(),
      logger: false,
    }));
  const forgetInRoute = async (req: Request, call = async (): Promise<unknown> => await forget(req)) => {
    const request = requestNow();
    const had = isOfKit(dataOf(req));
    if (request !== undefined) Object.assign(request, { isForgetting: true, hasCalledForget: true });
    try {
      await call();
    } finally {
      if (request !== undefined) request.isForgetting = false;
    }
    if (had && request?.hasForgotten === false) {
      note(world, 'I4', `${request.name} is told that it has forgotten, and nothing was erased`);
    }
  };
  const enterKit = (_req: Request, _res: Response, next: NextFunction): void => {
    const request = requestNow();
    if (request !== undefined) request.isAtKit = true;
    next();
  };
  app.use('/identity', enterKit, identity);

  app.use(['/switch', '/soft-log-out', '/forget'], urlencoded({ extended: false }));
  app.post('/log-in/:user', async (req, res) => {
    await logIns.logIn(req, req.params.user);
    res.end('logged in');
  });
  // What the browser has put together stays; what was proved for the other account does not.
  app.post('/switch/:user', async (req, res) => {
    await logIns.logIn(req, req.params.user, { keepSessionInfo: true });
    await callSession(req, 'save');
    await forgetInRoute(req);
    dataOf(req).seen = true;
    res.end('switched');
  });
  app.post('/account/:user', (req, res) => {
    logIns.change(req, req.params.user);
    res.end('changed');
  });
  app.post('/soft-log-out', async (req, res) => {
    await forgetInRoute(req);
    logIns.change(req, undefined);
    res.end('logged out');
  });
  // It changes nothing else, and works on whether it has forgotten or not.
  app.post('/forget/:how', async (req, res) => {
    const request = requestNow();
    const { how } = req.params;
    if (request !== undefined) Object.assign(request, { onlyForgets: true, losesWrite: how === 'failing' });
    const session = dataOf(req);
    const textOf = (): string =>
      JSON.stringify(session, (key, value: unknown) => (key === 'cookie' ? null : value));
    const before = textOf();
    const calls = async (): Promise<void> => {
      const other = how === 'both' ? secondFactory() : identity;
      const all = how === 'both' || how === 'twice' ? [identity, other] : [identity];
      const ends = await Promise.allSettled(all.map(async (one) => await one.forget(req)));
      const failed = ends.filter((end) => end.status === 'rejected');
      const isSame = dataOf(req) === session && textOf() === before;
      if (failed.length === all.length && !isSame)
        note(world, 'I5', `${request?.name ?? ''} has another session after a forget that failed`);
      if (failed[0] !== undefined) throw failed[0].reason;
    };
    const forgetting = await forgetInRoute(req, calls).catch((error: unknown) => ({ error }));
    await new Promise<void>((resolve) => void setTimeout(resolve, 150));
    if (forgetting !== undefined) throw forgetting.error;
    res.end('forgotten');
  });
  app.post('/log-out', async (req, res) => {
    await logIns.logOut(req);
    res.end('logged out');
  });
  app.post('/basket/:item', (req, res) => {
    const data = dataOf(req);
    data.basket = [...(data.basket ?? []), req.params.item];
    res.end('in the basket');
  });
  app.get('/sorry', (_req, res) => void res.end('sorry'));
  app.get('/club', identity.require({ maxAge: '30m' }), (req, res) => {
    const { kept, verifiedAt } = identity.of(req) ?? {};
    res.json({ kept, user: logIns.userOf(req), verifiedAt: verifiedAt?.getTime(), version });
  });
  const allow = (kept: unknown): boolean => isAllowed(String(kept));
  app.get('/vault', identity.require({ question: 'member', maxAge: '5m', allow }), (req, res) => {
    const { kept, verifiedAt } = identity.of(req, { question: 'member' }) ?? {};
    res.json({ kept, user: logIns.userOf(req), verifiedAt: verifiedAt?.getTime(), version });
  });
  app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
    const isEngine = error instanceof Error && error.message === 'The engine is away';
    if (error instanceof IdentityError) res.status(error.status).end('broken by the kit');
    else res.status(500).end(isEngine ? 'broken by an engine' : 'broken');
  });
  return app;
}

/** Takes what the simulated wallet made for this very flow. */
const verifierOf =
  (world: World): Verifier =>
  async (presentation, { state }) => {
    const [kind, person, link, at] = presentation.split('|');
    const isGood = kind === 'presentation' && world.secrets.get(state) === `state ${link}`;
    return isGood
      ? {
          valid: true,
          attributes: { given_name: `Erika ${person} ${link} ${at}`, family_name: 'Gabler' },
          derived: {},
        }
      : { valid: false, reason: 'Not a good one.', check: 'B07' };
  };

const steps = ['start', 'prove', 'callback', 'verify', 'return', 'hook', 'store'] as const;

/** Listens to everything that the kit publishes, until the function that it returns is called. */
export function listenToTraces(world: World): () => void {
  if (!world.plan.isTraced) return () => undefined;
  const tell = (message: unknown): void => {
    const { error } = message as { error?: Error };
    const about = `${error?.message} ${error?.stack} ${String(error?.cause)}`;
    world.told.push({ where: 'a trace', text: `${JSON.stringify(message)} ${about}` });
  };
  const all = { start: tell, end: tell, asyncStart: tell, asyncEnd: tell, error: tell };
  for (const step of steps) tracingChannel(`pidgate:${step}`).subscribe(all);
  channel('pidgate').subscribe(tell);
  return () => {
    for (const step of steps) tracingChannel(`pidgate:${step}`).unsubscribe(all);
    channel('pidgate').unsubscribe(tell);
  };
}
