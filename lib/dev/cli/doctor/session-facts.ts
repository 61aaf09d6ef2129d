import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { withTimeout } from '../../../internal/timeouts.js';

/** A request that has been through the session middleware. */
export interface SessionRequest extends IncomingMessage {
  session?: { readonly cookie?: Cookie } | undefined;
  sessionID?: string | undefined;
  sessionStore?: Store | undefined;
  signedCookies?: unknown;
}

interface Cookie {
  readonly secure?: unknown;
  readonly sameSite?: unknown;
  readonly httpOnly?: unknown;
  readonly path?: unknown;
}

interface Store {
  get(id: string, done: (error: unknown, found?: unknown) => void): void;
  set(id: string, data: object, done: (error?: unknown) => void): void;
  destroy(id: string, done: (error?: unknown) => void): void;
}

export interface SessionFacts {
  readonly secure: boolean;
  readonly sameSite: string | undefined;
  readonly httpOnly: boolean;
  readonly path: string;
  /** Undefined where something before the session middleware hides it. */
  readonly name: string | undefined;
  /** express-session's own store, which is for development. */
  readonly memory: boolean;
  readonly away: boolean;
  /** A session that was ended while a request ran is there again afterwards. */
  readonly revives: boolean;
}

const patience = 5_000;

/** What the middleware gave to this request, and what it does to a session of the doctor's own, which is then removed. */
export async function sessionFacts(
  { session, sessionStore }: SessionRequest,
  send: (prepare: (request: SessionRequest) => void) => Promise<void>,
): Promise<SessionFacts | undefined> {
  const cookie = session?.cookie;
  if (cookie === undefined || sessionStore === undefined) return undefined;
  const id = `pidgate-doctor-${randomUUID()}`;
  let name: string | undefined;
  let away = false;
  let revives = false;
  try {
    await withTimeout(patience, async () => await put(sessionStore, id));
    await send((request) => {
      endWhileItRuns(request, id, (read) => {
        name = read;
      });
    });
    revives = await withTimeout(patience, async () => await holds(sessionStore, id));
    await withTimeout(patience, async () => await remove(sessionStore, id));
  } catch {
    away = true;
  }
  return {
    secure: cookie.secure === true,
    sameSite:
      cookie.sameSite === true ? 'strict' : typeof cookie.sameSite === 'string' ? cookie.sameSite : undefined,
    httpOnly: cookie.httpOnly !== false,
    path: typeof cookie.path === 'string' ? cookie.path : '/',
    name,
    memory: sessionStore.constructor.name === 'MemoryStore',
    away,
    revives,
  };
}

/** express-session reads the id of a session here too. As soon as it has loaded this one, it is ended. */
function endWhileItRuns(request: SessionRequest, id: string, tellName: (name: string) => void): void {
  let lastRead = '';
  let current: SessionRequest['session'];
  Object.defineProperty(request, 'session', {
    configurable: true,
    enumerable: true,
    get: () => current,
    set(value: SessionRequest['session']) {
      current = value;
      if (!value || request.sessionID !== id) return;
      tellName(lastRead);
      request.sessionStore?.destroy(id, () => undefined);
    },
  });
  request.signedCookies = new Proxy(
    {},
    {
      get(_cookies, name) {
        lastRead = String(name);
        return id;
      },
    },
  );
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
    store.get(id, (error, found) => (error ? reject(new Error('away')) : resolve(Boolean(found))));
  });
}

async function remove(store: Store, id: string): Promise<void> {
  await new Promise<void>((resolve) => {
    store.destroy(id, () => resolve());
  });
}
