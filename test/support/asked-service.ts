import { memoryStore } from '../../lib/stores/memory.js';
import type { FlowStore } from '../../lib/types/store.js';
import { type Service, startService, started } from '../service/service.js';
import { type AppSetup, type Running, startApp } from './app.js';
import { closeAfter } from './close-after.js';

/** A flow store that remembers which ids it holds. */
export interface WatchedStore extends FlowStore {
  readonly held: Set<string>;
  readonly created: string[];
}

function watchedStore(store: FlowStore = memoryStore()): WatchedStore {
  const held = new Set<string>();
  const created: string[] = [];
  return {
    ...store,
    held,
    created,
    async create(id, value, ttlMs) {
      const done = await store.create(id, value, ttlMs);
      held.add(id);
      created.push(id);
      return done;
    },
    async delete(id) {
      await store.delete(id);
      held.delete(id);
    },
  };
}

/** What `onError` was told. */
export interface Told {
  readonly code: string;
  readonly step: string;
  readonly context: unknown;
}

export interface Asked extends Running {
  readonly service: Service;
  readonly store: WatchedStore;
  readonly told: Told[];
}

export const wallet = 'https://wallet.example/go?id=1';

/** An app whose service is a real HTTP server that answers what the test says; at first, a wallet's address. */
export async function startAsking(setup: AppSetup = {}): Promise<Asked> {
  const service = await startService();
  closeAfter(async () => await service.stop());
  service.answers(started(wallet));
  const store = watchedStore();
  const told: Told[] = [];
  const onError = ({
    error,
    step,
    context,
  }: {
    error: { code: string };
    step: string;
    context?: unknown;
  }): void => {
    told.push({ code: error.code, step, context });
  };
  const running = await startApp({
    ...setup,
    options: { baseUrl: service.baseUrl, store, onError, ...setup.options },
  });
  return {
    ...running,
    service,
    store,
    told,
  };
}
