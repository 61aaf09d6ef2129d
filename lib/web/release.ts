import { IdentityError } from '../errors.js';
import type { AppRequest } from '../options.js';
import { type OwnData, readOwn } from './own-data.js';
import { dataOf, refresh, renew, sessionIdOf, sessionOf, store, stored } from './session.js';

/** A session that is ready for a release: what it holds now, and how to write what comes out of it. */
export interface OpenSession {
  readonly own: OwnData;
  /** True where the request still carries an old session id: its response must go out without a session. */
  readonly moved: boolean;
  /** Applies the change to the kit's own key, under a new session id. */
  commit(change: (own: OwnData) => OwnData): Promise<void>;
}

const rememberMs = 60_000;

export interface Releases {
  /** Waits for the session's turn; the answer gives it on. */
  turn(id: string): Promise<() => void>;
  /** The session as it is stored now; undefined where it has ended. */
  open(req: AppRequest): Promise<OpenSession | undefined>;
}

/**
 * Opens sessions for release, one at a time for each session id. A release gives the session a new id; a return of
 * the same browser that was on its way at that moment still carries the old one, and is led to the new session,
 * without ever being told its id.
 */
export function createReleases(key: string): Releases {
  const turns = new Map<string, Promise<void>>();
  const renewed = new Map<string, { id: string; at: number }>();

  return {
    async turn(id) {
      const before = turns.get(id);
      let done = (): void => undefined;
      const mine = new Promise<void>((resolve) => {
        done = () => {
          if (turns.get(id) === mine) turns.delete(id);
          resolve();
        };
      });
      turns.set(id, mine);
      await before;
      return done;
    },

    async open(req) {
      const oldId = sessionIdOf(req);
      if (await refresh(req)) {
        const before = dataOf(sessionOf(req));
        return {
          own: readOwn(before, key),
          moved: false,
          async commit(change) {
            const now = await stored(req, oldId);
            if (now === undefined) throw ended();
            const data = merge(before, dataOf(sessionOf(req)), dataOf(now));
            await renew(req, { ...data, [key]: change(readOwn(data, key)) });
            note(oldId, sessionIdOf(req));
          },
        };
      }
      const newId = renewed.get(oldId)?.id;
      const found = newId === undefined ? undefined : await stored(req, newId);
      if (newId === undefined || found === undefined) return undefined;
      const before = dataOf(sessionOf(req));
      return {
        own: readOwn(found, key),
        moved: true,
        async commit(change) {
          const now = await stored(req, newId);
          if (now === undefined) throw ended();
          const data = merge(before, dataOf(sessionOf(req)), dataOf(now));
          await store(req, newId, { ...data, [key]: change(readOwn(now, key)), cookie: now.cookie });
        },
      };
    },
  };

  function note(oldId: string, newId: string): void {
    const at = performance.now();
    for (const [id, entry] of renewed) {
      if (entry.at + rememberMs > at) break;
      renewed.delete(id);
    }
    renewed.set(oldId, { id: newId, at });
  }
}

/** What is stored now, with what a hook of this request changed: nobody's change is lost. */
function merge(
  before: Record<string, unknown>,
  mine: Record<string, unknown>,
  now: Record<string, unknown>,
): Record<string, unknown> {
  const merged = { ...now };
  for (const name of new Set([...Object.keys(before), ...Object.keys(mine)])) {
    if (JSON.stringify(before[name]) === JSON.stringify(mine[name])) continue;
    if (Object.hasOwn(mine, name)) merged[name] = mine[name];
    else delete merged[name];
  }
  return merged;
}

function ended(): IdentityError {
  return new IdentityError('session_save_failed', {
    message: 'The session ended while the app was at work.',
  });
}
