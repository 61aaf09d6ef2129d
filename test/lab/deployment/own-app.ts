import type { Store } from 'express-session';
import { type FlowStore, lockMark } from '../../../lib/types/store.js';
import { type CallbackApp, callbackApps, turns } from '../../support/callbacks.js';
import { agingStore, haltingStore } from './halting-store.js';
import type { OwnServer } from './own-server.js';
import { lockMs } from '../../../lib/flow/lock.js';

/** An app on a server of its own, which something happens to when a call of the store comes to a point. */
export interface OwnApp extends CallbackApp {
  /** Once, and the calls are counted from here. */
  when(point: string, happens: () => Promise<void>): void;
  /** The receipts that onVerified and onSuccess were called with, in order. */
  readonly receipts: readonly string[];
  /** Nobody comes for so long that no lease and no lock stands any more. */
  leaveAlone(): void;
  /** Waits until every release has done its last step, which comes after its answer. */
  idle(): Promise<void>;
}

export const inShort = ({ status, headers }: { status: number; headers: Headers }): string =>
  `${status} ${headers.get('retry-after')}`;

/** It waits as long for the lease or lock of another as its own hooks may take: they take no time. */
const hookTimeout = 100;

/** For hooks in which a server is stopped, and sessions that are written to one. */
const slowHookTimeout = 30_000;

/** No lease and no lock of these apps lasts longer. */
const allOver = lockMs(slowHookTimeout) + 1;

/** `sessions`: on the server too, where they take their time. */
export function ownApps(): (server: OwnServer, sessions?: Store) => Promise<OwnApp> {
  const openApp = callbackApps();

  return async (server, sessions) => {
    let [awaited, happens] = ['', async (): Promise<void> => undefined];
    const receipts: string[] = [];
    const hook = ({ result }: { result: { receipt: { id: string } } }): void => {
      receipts.push(result.receipt.id);
    };
    const reach = async (point: string): Promise<void> => {
      if (point !== awaited) return;
      awaited = '';
      await happens();
    };
    let isLater = false;
    const store = haltingStore(
      agingStore(server.store, () => isLater),
      reach,
    );
    /** The locks that a return will give back, each with its value. */
    const held = new Map<string, string>();
    const counting: FlowStore = {
      ...store,
      async create(id, value, ttl) {
        const made = await store.create(id, value, ttl);
        if (value.startsWith(lockMark) && made) held.set(id, value);
        return made;
      },
      // It is given back after it was read, if that succeeds and it is still there.
      async read(id) {
        const found = await store.read(id).catch((fault: unknown) => {
          held.delete(id);
          throw fault;
        });
        if (found?.value !== held.get(id)) held.delete(id);
        return found;
      },
      async replace(id, version, value, ttl) {
        const isFree = value === `${lockMark}free`;
        try {
          const taken = await store.replace(id, version, value, ttl);
          if (value.startsWith(lockMark) && !isFree && taken) held.set(id, value);
          return taken;
        } finally {
          if (isFree) held.delete(id);
        }
      },
    };
    const app = await openApp({
      ...(sessions && { session: { store: sessions } }),
      hooks: { onVerified: hook, onSuccess: hook },
      options: {
        store: counting,
        keep: async ({ attributes }: { attributes: { given_name: string } }) => {
          await reach('keep');
          return attributes.given_name;
        },
        limits: { hookTimeout: sessions ? slowHookTimeout : hookTimeout },
      },
      after: (it, identity) =>
        it.get('/me', (req, res) => {
          res.json(identity.of(req)?.kept ?? null);
        }),
    });
    return {
      ...app,
      receipts,
      leaveAlone() {
        isLater = true;
        app.clock.forward(allOver);
      },
      async idle() {
        while (held.size > 0) await turns(1);
      },
      when(point, then) {
        [awaited, happens] = [point, then];
        store.recount();
      },
    };
  };
}
