import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { EngineModule } from '../../support/engines/engine.js';

/** Stands between a client and its server, both on Unix sockets. */
export interface Wire {
  /** Ends all connections and takes no more. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** The server gets what is sent next and does it; instead of its reply the client sees the connection end. */
  loseNextReply(): void;
  /** How often that has happened. */
  lost(): number;
  /** What has passed: a round trip begins where a client speaks after its server. */
  passed(): { readonly trips: number; readonly toServer: number; readonly fromServer: number };
}

/**
 * A wire that is up, and its path for a client, which is of the same kind as the server's. Where that is a function,
 * each connection leads to the server that it names then.
 */
export async function openWireTo(
  server: string | (() => string),
  { socketIn }: Pick<EngineModule, 'socketIn'>,
): Promise<{ readonly wire: Wire; readonly path: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pidgate-wire-'));
  const pathNow = typeof server === 'string' ? () => server : server;
  const socket = join(folder, socketIn ?? basename(pathNow()));
  const wire = openWire(socket, () => (socketIn === undefined ? pathNow() : join(pathNow(), socketIn)));
  await wire.up();
  return {
    wire,
    path: socketIn === undefined ? socket : folder,
    async close() {
      await wire.down();
      await rm(folder, { recursive: true });
    },
  };
}

function openWire(path: string, server: () => string): Wire {
  const open = new Set<Socket>();
  let losing = false;
  let lost = 0;
  let [trips, toServer, fromServer] = [0, 0, 0];
  const wire = createServer((near) => {
    const far = connect(server());
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    let answered = true;
    near.pipe(far);
    near.on('data', ({ length }) => {
      if (answered) trips += 1;
      answered = false;
      toServer += length;
    });
    far.on('data', (reply) => {
      answered = true;
      fromServer += reply.length;
      if (!losing) {
        near.write(reply);
        return;
      }
      losing = false;
      lost += 1;
      near.destroy();
    });
  });

  return {
    async up() {
      wire.listen(path);
      await once(wire, 'listening');
    },
    async down() {
      wire.close();
      for (const socket of open) socket.destroy();
      await once(wire, 'close');
    },
    loseNextReply() {
      losing = true;
    },
    lost: () => lost,
    passed: () => ({ trips, toServer, fromServer }),
  };
}
