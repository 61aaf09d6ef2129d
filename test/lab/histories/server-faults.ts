import type { Wire } from '../deployment/wire.js';
import type { ServerName, Service } from '../../support/servers.mjs';
import type { Fault } from './record.js';

/** A server that the faults are done to. */
export interface Machine {
  readonly service: Service;
  /** Every process of the server, its first one first, which has to stand still when this is asked. */
  pids(): Promise<readonly number[]>;
}

/** Settings with which each write is in the server's file before it is confirmed, and before anybody reads it. */
export const durable: Partial<Readonly<Record<ServerName, Readonly<Record<string, string>>>>> = {
  redis: { appendonly: 'yes', appendfsync: 'always' },
  // InnoDB alone shows a write before it writes it to its log; the binary log is written before both.
  mysql: { 'innodb-flush-log-at-trx-commit': '1', 'log-bin': 'binary', 'sync-binlog': '1' },
};

const paused = new Set<number>();

export async function pause(machine: Machine): Promise<() => void> {
  const pids = await machine.pids();
  for (const pid of pids) {
    paused.add(pid);
    send(pid, 'SIGSTOP');
  }
  return () => {
    resumeAll(pids);
  };
}

/** What stands still cannot be ended. */
export function resumeAll(pids: readonly number[] = [...paused]): void {
  for (const pid of pids) {
    paused.delete(pid);
    send(pid, 'SIGCONT');
  }
}

/** As if its machine lost power, but for what it has already handed to the file system. */
export async function kill(machine: Machine): Promise<void> {
  for (const pid of await machine.pids()) send(pid, 'SIGKILL');
  await machine.service.halt();
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended by itself.
  }
}

/** What a client sees of a server that is alone, behind a wire. One that `sendsAgain` asks twice after a lost reply. */
export function serverFaults(machine: Machine, wire: Wire, { sendsAgain = false } = {}): Fault[] {
  const allows: Fault['allows'] = sendsAgain ? ['refused writes were done'] : [];
  return [
    {
      name: 'connections cut, replies lost',
      allows,
      ...(sendsAgain && { isShown: true }),
      async play({ answered, unanswered, until }) {
        for (let round = 0; round < 40; round += 1) {
          const lost = wire.lost();
          wire.loseNextReply();
          await until(() => wire.lost() > lost);
          await answered(10);
        }
        await wire.down();
        await unanswered(4);
        await wire.up();
      },
    },
    {
      name: 'paused',
      allows: [],
      async play({ answered, unanswered }) {
        for (let round = 0; round < 2; round += 1) {
          const resume = await pause(machine);
          await unanswered(8);
          resume();
          await answered(100);
        }
      },
    },
    {
      name: 'killed and started again',
      allows,
      async play({ answered, unanswered }) {
        for (let round = 0; round < 2; round += 1) {
          await kill(machine);
          await wire.down(); // or it is asked before it is ready
          await unanswered(4);
          await machine.service.resume();
          await wire.up();
          await answered(100);
        }
      },
    },
  ];
}
