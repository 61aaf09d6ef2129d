import type { Store } from 'express-session';
import { afterAll, beforeAll } from '@jest/globals';
import type { FlowStore } from '../../../lib/types/store.js';
import { type EngineModule, type EngineName, startServer } from '../../support/engines/engine.js';
import { type Wire, openWireTo } from './wire.js';

/** A server that the test may stop, and a store on a client that stays the same over that. */
export interface OwnServer {
  readonly wire: Wire;
  readonly store: FlowStore;
  /** On the same client, if the engine has them there. */
  sessions(): Store | undefined;
  /** From now on a call of the store ends soon, and the server does nothing until what this returns is called. */
  hang(): Promise<() => Promise<void>>;
  /** Stops the server, and waits until the client knows: what it is told now waits for the server. */
  goAway(): Promise<void>;
  comeBack(): Promise<void>;
  close(): Promise<void>;
}

const patience = 30_000;
const soon = 50;

/** `keeps`: whether the server has its data again after it was stopped. */
async function openOwnServer(name: EngineName, engine: EngineModule, keeps: boolean): Promise<OwnServer> {
  const service = await startServer(name, keeps ? engine.durable : {});
  const opened = await openWireTo(service.path, engine);
  const { wire } = opened;
  const client = await engine.connect(name, opened.path);
  const [patient, hasty] = [client.storeWithin(patience), client.storeWithin(soon)];
  await patient.setup?.();
  let now = patient;
  const impatient = (yes: boolean): void => {
    now = yes ? hasty : patient;
  };

  return {
    wire,
    store: {
      create: async (...args) => await now.create(...args),
      read: async (...args) => await now.read(...args),
      replace: async (...args) => await now.replace(...args),
      delete: async (...args) => await now.delete(...args),
    },
    sessions: () => client.sessions?.(),
    async hang() {
      const letGo = await client.hang();
      impatient(true);
      return async () => {
        impatient(false);
        await letGo();
      };
    },
    async goAway() {
      impatient(true);
      const known = client.cutOff?.();
      await Promise.all([wire.down(), service.halt()]);
      await known;
    },
    async comeBack() {
      await service.resume();
      await wire.up(); // not before: a Redis that is still loading refuses what a client sends it
      impatient(false);
    },
    async close() {
      await client.close();
      await opened.close();
      await service.stop();
    },
  };
}

/** For the tests of one group; the server ends after them. */
export function ownServer(name: EngineName, engine: EngineModule, keeps = true): () => OwnServer {
  let server: OwnServer;
  beforeAll(async () => {
    server = await openOwnServer(name, engine, keeps);
  });
  afterAll(async () => {
    await server.close();
  });
  return () => server;
}
