import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { within } from '../../safe/time.js';
import { type OwnData, readOwn } from './entry.js';
import { dataOf, detach, refresh, renew, save, sessionIdOf, sessionOf, store, stored } from './session.js';

/** A session that is ready for a release: what it holds now, and how to write what comes out of it. */
export interface OpenSession {
  readonly own: OwnData;
  /** Applies the change to the kit's own key, under a new session id. */
  commit(change: (own: OwnData) => OwnData): Promise<void>;
  /** Before the response: one that still carries a session id that has ended must go out without a session. */
  leave(): Promise<void>;
}

const rememberMs = 60_000;

export interface Releases {
  /** Waits for the session's turn; the answer gives it on, and may be called twice. */
  turn(id: string): Promise<() => void>;
  /** The session as it is stored now; undefined where it has ended. */
  open(req: AppRequest): Promise<OpenSession | undefined>;
}

/**
 * Opens sessions for release, one at a time for each session id; who waits longer than `patience` is told `busy`. A release gives the session a new id; a return of
 * the same browser that was on its way at that moment still carries the old one, and is led to the new session,
 * without ever being told its id.
 */
export function createReleases(key: string, patience: number): Releases {
  const turns = new Map<string, Promise<void>>();
  const renewed = new Map<string, { id: string; at: number }>();

  return {
    async turn(id) {
      const before = turns.get(id) ?? Promise.resolve();
      let done = (): void => undefined;
      const mine = new Promise<void>((resolve) => {
        done = () => {
          if (turns.get(id) === mine) turns.delete(id);
          resolve();
        };
      });
      turns.set(id, mine);
      try {
        await within(patience, async () => await before);
      } catch {
        void before.then(done);
        throw new IdentityError('busy');
      }
      return done;
    },

    async open(req) {
      const id = sessionIdOf(req);
      if (await refresh(req)) return stayed(req, id);
      const moved = renewed.get(id);
      const found = moved && moved.at + rememberMs > performance.now() && (await stored(req, moved.id));
      return found ? movedOn(req, moved.id, readOwn(found, key)) : undefined;
    },
  };

  function stayed(req: AppRequest, id: string): OpenSession {
    const before = dataOf(sessionOf(req));
    const own = readOwn(before, key);
    return {
      own,
      async commit(change) {
        if (sessionIdOf(req) === id) {
          const now = await stored(req, id);
          if (now === undefined) throw ended();
          const data = merge(before, dataOf(sessionOf(req)), dataOf(now));
          await renew(req, { ...data, [key]: change(readOwn(data, key)) });
        } else {
          // onSuccess has logged the person in, and given the session a new id of its own.
          sessionOf(req)[key] = change(own);
          await save(req);
        }
        note(id, sessionIdOf(req));
      },
      async leave() {
        const gone = async (): Promise<boolean> => (await stored(req, id)) === undefined;
        if (sessionIdOf(req) === id && (await gone().catch(() => true))) detach(req);
      },
    };
  }

  function movedOn(req: AppRequest, newId: string, own: OwnData): OpenSession {
    const before = dataOf(sessionOf(req));
    return {
      own,
      async commit(change) {
        const now = await stored(req, newId);
        if (now === undefined) throw ended();
        const data = merge(before, dataOf(sessionOf(req)), dataOf(now));
        await store(req, newId, { ...data, [key]: change(readOwn(now, key)), cookie: now.cookie });
      },
      async leave() {
        detach(req);
      },
    };
  }

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
