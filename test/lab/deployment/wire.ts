import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and its server, both on Unix sockets. */
export interface Wire {
  /** Ends all connections and takes no more. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** The server gets what is sent next and does it; instead of its reply the client sees the connection end. */
  loseNextReply(): void;
  /** How often that has happened. */
  lost(): number;
}

export function openWire(path: string, server: string): Wire {
  const open = new Set<Socket>();
  let losing = false;
  let lost = 0;
  const wire = createServer((near) => {
    const far = connect(server);
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
    near.pipe(far);
    far.on('data', (reply) => {
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
  };
}
