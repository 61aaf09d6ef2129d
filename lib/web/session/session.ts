import type { AppRequest } from '../../options/options.js';
import { IdentityError } from '../../errors.js';

/** What the kit needs of express-session, seen without its types. */
export interface Session {
  readonly cookie: { maxAge?: number | null; originalMaxAge?: number | null };
  save(done: (error?: unknown) => void): unknown;
  regenerate(done: (error?: unknown) => void): unknown;
  reload(done: (error?: unknown) => void): unknown;
  [key: string]: unknown;
}

interface Stored {
  cookie: object;
  [key: string]: unknown;
}

interface SessionRequest {
  session?: Session | null;
  sessionID?: string;
  sessionStore?: {
    get(id: string, done: (error: unknown, stored?: Stored | null) => void): void;
    set(id: string, stored: Stored, done: (error?: unknown) => void): void;
  };
}

const view = (req: AppRequest): SessionRequest => req as unknown as SessionRequest;

/** The request's session, or the error that says what is wrong with the app's session middleware. */
export function sessionOf(req: AppRequest): Session {
  const { session, sessionStore } = view(req);
  if (session === undefined || session === null) throw new IdentityError('session_missing');
  const able = ['save', 'regenerate', 'reload'].every((name) => typeof session[name] === 'function');
  if (able && sessionStore !== undefined) return session;
  throw new IdentityError('session_unsupported');
}

export function sessionIdOf(req: AppRequest): string {
  return view(req).sessionID ?? '';
}

/** Reads the stored session again; false where it is gone (a log-out, or a new id, came first). */
export async function refresh(req: AppRequest): Promise<boolean> {
  const session = sessionOf(req);
  if (!cameWithCookie(req)) return true; // made in this request: nothing is stored that could be newer
  return await new Promise((resolve) => {
    session.reload((error) => {
      resolve(error === undefined || error === null);
    });
  });
}

export async function save(req: AppRequest): Promise<void> {
  await settled((done) => sessionOf(req).save(done));
}

/** Gives the session a new id; its data and the lifetime of its cookie come along. */
export async function renew(req: AppRequest, data: Record<string, unknown>): Promise<void> {
  const { originalMaxAge } = sessionOf(req).cookie;
  await settled((done) => sessionOf(req).regenerate(done));
  const session = sessionOf(req);
  for (const [name, value] of Object.entries(data)) if (name !== '__proto__') session[name] = value;
  if (originalMaxAge !== undefined) session.cookie.maxAge = originalMaxAge;
  await save(req);
}

/** The data of a session, by value, without its cookie. */
export function dataOf(session: Session | Stored): Record<string, unknown> {
  const { cookie: _cookie, ...data } = JSON.parse(JSON.stringify(session)) as Stored;
  return data;
}

/** What the store holds under this id now; undefined where it holds nothing. */
export async function stored(req: AppRequest, id: string): Promise<Stored | undefined> {
  return await new Promise((resolve, reject) => {
    view(req).sessionStore?.get(id, (error, found) => {
      if (error) reject(new IdentityError('session_save_failed'));
      else resolve(found ?? undefined);
    });
  });
}

/** Writes a stored session that is not this request's own. */
export async function store(req: AppRequest, id: string, value: Stored): Promise<void> {
  await settled((done) => view(req).sessionStore?.set(id, value, done));
}

/**
 * Lets the response go out without a session: nothing is saved, no cookie is set, and (with `unset: 'destroy'`) the
 * session whose cookie another site made a browser send is not ended.
 */
export function detach(req: AppRequest): void {
  delete view(req).session;
  delete view(req).sessionID;
}

/**
 * Changes one key of the session as it is stored now; false where it has ended, and then nothing is written. What
 * else this request has changed and not saved yet stays with it: express-session saves that at the end, as ever.
 */
export async function changeKey(
  req: AppRequest,
  key: string,
  change: (data: Record<string, unknown>) => unknown,
): Promise<boolean> {
  const session = sessionOf(req);
  const now = await stored(req, sessionIdOf(req));
  if (now === undefined) return false;
  const value = change(now);
  const alone = sameBut(key, dataOf(session), dataOf(now));
  session[key] = value;
  // A save through the session leaves express-session nothing to save later, when the session may have ended.
  if (alone) await save(req);
  else await store(req, sessionIdOf(req), { ...now, [key]: value });
  return true;
}

function sameBut(key: string, a: Record<string, unknown>, b: Record<string, unknown>): boolean {
  return JSON.stringify({ ...a, [key]: 0 }) === JSON.stringify({ ...b, [key]: 0 });
}

/** Whether the browser brought this session's signed cookie, or the session was made for it just now. */
function cameWithCookie(req: AppRequest): boolean {
  const signed = `s:${sessionIdOf(req)}.`;
  const values = (req.headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.slice(pair.indexOf('=') + 1).trim());
  return values.some((value) => value.startsWith(signed) || value.startsWith(encodeURIComponent(signed)));
}

async function settled(work: (done: (error?: unknown) => void) => unknown): Promise<void> {
  // A store's own error may quote the session, whether it is handed over or thrown.
  await new Promise<void>((resolve, reject) => {
    work((error) => {
      if (error) reject(new Error('The session store failed'));
      else resolve();
    });
  }).catch(() => {
    throw new IdentityError('session_save_failed');
  });
}
