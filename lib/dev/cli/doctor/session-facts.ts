import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { SessionFacts } from '../../../set-up/facts.js';
import { withTimeout } from '../../../internal/timeouts.js';
import type { HttpAnswer } from './http.js';

/** A request that has been through the session middleware. */
export interface SessionRequest extends IncomingMessage {
  session?: { readonly cookie?: Cookie } | undefined;
  sessionID?: string | undefined;
  sessionStore?: Store | undefined;
}

interface Cookie {
  readonly secure?: unknown;
  readonly domain?: unknown;
  readonly sameSite?: unknown;
  readonly httpOnly?: unknown;
  readonly partitioned?: unknown;
  readonly originalMaxAge?: unknown;
}

interface Store {
  get(id: string, done: (error: unknown, found?: unknown) => void): void;
  set(id: string, data: object, done: (error?: unknown) => void): void;
  destroy(id: string, done: (error?: unknown) => void): void;
}

type Headers = Readonly<Record<string, string>>;

/** Sends a request to the app in this process; `prepare` has it before the app does. */
export type SendRequest = (
  headers: Headers,
  prepare?: (request: SessionRequest) => void,
) => Promise<{ readonly request: SessionRequest | undefined; readonly answer: HttpAnswer }>;

const patience = 5_000;

/** What the middleware gives, and what it does to a session of the doctor's own, which is then removed. */
export async function sessionFacts(
  send: SendRequest,
  otherCookie: string | undefined,
): Promise<SessionFacts | undefined> {
  const { request } = await send({});
  const { session, sessionStore } = request ?? {};
  const cookie = session?.cookie;
  if (cookie === undefined || sessionStore === undefined) return undefined;
  const { request: plain } = await send({ 'x-forwarded-proto': 'http' });
  const unresolved = (['secure', 'sameSite'] as const).find((name) => cookie[name] === 'auto');
  const away = !(await works(sessionStore));
  // Neither with such a store nor with such a word could the app give a cookie.
  const canStart = !away && unresolved !== 'sameSite';
  const started = canStart ? await send({}, startSession) : undefined;
  const given = started && sessionCookieIn(started.answer);
  const revives = given !== undefined && (await revivesAfter(send, sessionStore, given));
  const sameSiteOf = (of: SessionRequest | undefined) => of?.session?.cookie?.sameSite;
  return {
    secure: cookie.secure === true,
    sameSite:
      cookie.sameSite === true ? 'strict' : typeof cookie.sameSite === 'string' ? cookie.sameSite : undefined,
    sameSiteVaries: sameSiteOf(plain) === 'lax' && sameSiteOf(started?.request) === 'none',
    unresolved,
    httpOnly: cookie.httpOnly !== false,
    domain: typeof cookie.domain === 'string' ? cookie.domain : undefined,
    partitioned: cookie.partitioned === true,
    life: typeof cookie.originalMaxAge === 'number' ? cookie.originalMaxAge : undefined,
    name: given?.split('=', 1)[0],
    memory: sessionStore.constructor.name === 'MemoryStore',
    away,
    revives,
    readsOther:
      otherCookie === undefined || !canStart ? undefined : await reads(send, sessionStore, otherCookie),
  };
}

/** Has express-session save a session, which is another at each look, and give its cookie, a Secure one too. */
function startSession(request: SessionRequest): void {
  Object.defineProperty(request.socket, 'encrypted', { value: true });
  onSession(request, (session) => Object.assign(session, { pidgateDoctor: { toJSON: Math.random } }));
}

/** Calls when the middleware sets the request's session. */
function onSession(request: SessionRequest, tell: (session: object) => void): void {
  let current: SessionRequest['session'];
  Object.defineProperty(request, 'session', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(value: SessionRequest['session']) {
      current = value;
      if (value) tell(value);
    },
  });
}

/** Ends the session of this cookie as soon as a request has loaded it, and looks whether it is there after the response. */
async function revivesAfter(send: SendRequest, store: Store, cookie: string): Promise<boolean> {
  const id = signedIdIn(cookie) ?? '';
  await send({ cookie }, (request) => onSession(request, () => store.destroy(id, () => undefined)));
  const revives = await holds(store, id).catch(() => false);
  await remove(store, id);
  return revives;
}

/** Whether the cookie's signature holds in this process: then it looks for the session under the id in it. */
async function reads(send: SendRequest, store: Store, cookie: string): Promise<boolean> {
  const id = signedIdIn(cookie) ?? '';
  const ids: (string | undefined)[] = [];
  await put(store, id);
  await send({ cookie }, (request) => onSession(request, () => ids.push(request.sessionID)));
  await remove(store, id);
  return ids[0] === id;
}

async function works(store: Store): Promise<boolean> {
  const id = `pidgate-doctor-${randomUUID()}`;
  const steps = async (): Promise<boolean> => {
    await put(store, id);
    const held = await holds(store, id);
    await remove(store, id);
    return held;
  };
  return await withTimeout(patience, steps).catch(() => false);
}

/** The name and value of the session's cookie, which is signed. */
export function sessionCookieIn(answer: HttpAnswer): string | undefined {
  if (answer.kind !== 'reply') return undefined;
  const cookies = (answer.headers['set-cookie'] ?? []).map((line) => line.split(';', 1)[0] ?? '');
  return cookies.find((cookie) => signedIdIn(cookie) !== undefined);
}

function signedIdIn(cookie: string): string | undefined {
  return /=s%3A(.+)\.[^.]+$/.exec(cookie)?.[1];
}

async function put(store: Store, id: string): Promise<void> {
  const expires = new Date(Date.now() + 60_000).toISOString();
  const cookie = { originalMaxAge: 60_000, expires, httpOnly: true, path: '/' };
  await new Promise<void>((resolve, reject) => {
    store.set(id, { cookie }, (error) => (error ? reject(new Error('away')) : resolve()));
  });
}

async function holds(store: Store, id: string): Promise<boolean> {
  return await new Promise((resolve, reject) => {
    store.get(id, (error, session) => (error ? reject(new Error('away')) : resolve(Boolean(session))));
  });
}

async function remove(store: Store, id: string): Promise<void> {
  await new Promise<void>((resolve) => {
    store.destroy(id, () => resolve());
  });
}
