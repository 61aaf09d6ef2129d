import type { EventEmitter } from 'node:events';
import type { Store } from 'express-session';
import type { FlowStore } from '../../../lib/types/store.js';
import { type ServerName, type Service, serverNames, servers } from '../servers.mjs';

/** A server and one of its clients. */
export type EngineName = (typeof servers)[ServerName]['clients'][number];

export const engineNames = serverNames.flatMap(
  (name): readonly string[] => servers[name].clients,
) as EngineName[];

/** The first client of each server. */
export const oneOfEach: readonly EngineName[] = serverNames.map((name) => servers[name].clients[0]);

/** Where an engine is, and the name under which this use of it keeps apart from others. */
export interface EngineAddress {
  readonly name: EngineName;
  /** As the service has it: `test/support/service.mjs`. */
  readonly path: string;
  /** Lower-case letters and digits: a schema or database, the beginning of each key in Redis. */
  readonly space: string;
}

/** Flows and sessions of one process. */
export interface Engine {
  readonly flows: FlowStore;
  readonly sessions: Store;
  close(): Promise<void>;
}

/** A client with its defaults, which stays the same while its server goes away and comes back. */
export interface LastingClient {
  /** A store whose calls end within so many milliseconds. */
  storeWithin(ms: number): FlowStore & { setup?(): Promise<void> };
  /** Sessions through the same client. */
  sessions?(): Store;
  /** Resolves when its connection has ended. Without it, no connection outlives its server unnoticed. */
  cutOff?(): Promise<unknown>;
  /** The server hears everything and does nothing, until it is let go: then all of it is done. */
  hang(): Promise<() => Promise<void>>;
  close(): unknown;
}

/** What the load is measured by. */
export interface Probe {
  /** Of the server. */
  readonly pid: number;
  /** Bytes that the server says it has written to its disk. */
  toDisk(): Promise<number>;
  /** Bytes that the server holds for the record of one finished flow (not for its claim, which is smaller), and for one session. */
  held(): Promise<{ readonly flow: number; readonly session: number }>;
  /** Bytes that it holds for all flows, by what it counts, and for one. */
  pending(): Promise<{ readonly all: Readonly<Record<string, number>>; readonly one: number }>;
  close(): Promise<void>;
}

/** All that tests and measurements need of a server's clients; in the file of the server's name. */
export interface EngineModule {
  /** The name of the socket of a server whose path is a folder. */
  readonly socketIn?: string;
  /** Settings with which its data outlives a stop, if they need any. */
  readonly durable?: Readonly<Record<string, string>>;
  /** Settings as one would run it. */
  readonly production: Readonly<Record<string, string>>;
  /** Whether a client sends what nobody waits for any more when the server is back. */
  readonly sendsLate: boolean;
  /** Whether its client has sessions too, which are down with it and wait for nothing. */
  readonly sharesSessions: boolean;
  /** Whether a client asks again by itself when a reply is lost. */
  readonly asksAgain?: (name: EngineName) => boolean;
  /** The variable of the example app, and an address of the kind that it takes. */
  readonly variable: { readonly name: string; readonly nowhere: string };

  /** Makes what the engine needs before the first process; each test does it once. */
  prepare?(address: EngineAddress): Promise<void>;
  open(address: EngineAddress, connections: number): Promise<Engine>;
  connect(name: EngineName, path: string): Promise<LastingClient>;
  /** A part of the server as the example app is told of it. */
  place(path: string): Promise<{ readonly address: string; close(): Promise<void> }>;
  /** `space` is empty where the stores have their default names. */
  probe(address: EngineAddress): Promise<Probe>;
}

export function serverOf(name: EngineName): ServerName {
  const server = serverNames.find((one) => (servers[one].clients as readonly string[]).includes(name));
  if (server === undefined) throw new Error(`No server has the client ${name}.`);
  return server;
}

/** A process loads one engine only: that is a good part of the time that it needs to begin. */
export async function loadEngine(server: ServerName): Promise<EngineModule> {
  return ((await import(`./${server}.ts`)) as { engine: EngineModule }).engine;
}

export async function startServer(
  name: EngineName,
  settings?: Readonly<Record<string, string>>,
): Promise<Service> {
  return await servers[serverOf(name)].start(settings);
}

/** What a client says by its events is also what its calls fail with. */
export const ignore = (): void => undefined;

/** `once` of node:events would fail with the client's error, which comes first. */
export async function heard(client: Pick<EventEmitter, 'once'>, event: string): Promise<void> {
  await new Promise<void>((resolve) => {
    client.once(event, () => {
      resolve();
    });
  });
}
