import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundled } from '../../support/program.js';
import { endsWithin } from '../deadline.js';
import type { Order, Word } from './actor-process.js';
import { isLinearizable } from './checker.js';
import { byKey, type Call } from './history.js';
import type { Address } from './open-store.js';
import { resumeAll } from './server-faults.js';
import { type Part, shortestPart } from './shortest-part.js';

/** How an engine is set up, and what is done to it. */
export interface SetUp {
  /** The engine and its settings. */
  readonly name: string;
  start(): Promise<Running>;
}

export interface Running {
  /** How many processes call it. */
  readonly processes: number;
  /** For the process with this number. */
  address(process: number): Address;
  readonly faults: readonly Fault[];
  stop(): Promise<void>;
}

export type Amiss =
  /** In a failover a key goes back to something that it was. */
  | 'confirmed writes were lost'
  /** A client sent a write again: it was refused because the first had been done, or was done twice. */
  | 'refused writes were done';

export interface Fault {
  readonly name: string;
  /** What may be in a history that is not linearizable. */
  readonly allows: readonly Amiss[];
  /** The fault is made so that this is in some histories. */
  readonly isShown?: true;
  /** Resolves when the engine is well again. */
  play(watch: Watch): Promise<void>;
}

/** What a fault sees of the calls while it lasts. */
export interface Watch {
  /** Waits for so many more calls with an outcome. */
  readonly answered: (count: number) => Promise<void>;
  /** Waits for so many more calls without one. */
  readonly unanswered: (count: number) => Promise<void>;
  /** Waits until this is so, and looks whenever there are new calls. */
  readonly until: (isSo: () => boolean) => Promise<void>;
}

/** The calls around one fault, and what the checker says of them. */
export interface Judged {
  readonly fault: Fault;
  readonly calls: number;
  readonly refused: number;
  readonly unknown: number;
  readonly keys: number;
  /** The keys whose history is not linearizable. */
  readonly amiss: readonly Call[][];
  /** Those that what is allowed does not explain. */
  readonly wrong: readonly Call[][];
  readonly checkedMs: number;
}

/** Long enough for everything, on any machine. */
const longest = 200_000;

interface Player {
  obey(order: Order): Promise<void>;
  end(): Promise<void>;
}

function startPlayer(program: string, heard: (calls: readonly Call[]) => void): Player {
  const child: ChildProcess = fork(program, [], { execArgv: [] });
  const waiting: (() => void)[] = [];
  const ended = once(child, 'exit').then(() => {
    throw new Error('A process that calls the store has ended.');
  });
  ended.catch(() => undefined);
  child.on('message', (word: Word) => {
    if ('calls' in word) heard(word.calls);
    else waiting.shift()?.();
  });
  return {
    async obey(order) {
      const done = new Promise<void>((resolve) => void waiting.push(resolve));
      child.send(order);
      await Promise.race([done, ended]);
    },
    async end() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    },
  };
}

/**
 * Plays each fault once while several processes call the store, and again until the time is over. Each history has
 * at least so many calls, however long that takes.
 */
export async function recordHistories(
  setUp: SetUp,
  { seconds, seed, calls: least = 2_000 }: { seconds: number; seed: number; calls?: number },
): Promise<Judged[]> {
  let calls: Call[] = [];
  const looks = new Set<() => void>();
  const running = await setUp.start();
  const program = await bundled(join(import.meta.dirname, 'actor-process.ts'));
  const players = Array.from({ length: running.processes }, () =>
    startPlayer(program, (more) => {
      calls.push(...more);
      for (const look of looks) look();
    }),
  );
  const everyone = async (order: (index: number) => Order): Promise<void> =>
    void (await Promise.all(players.map(async (player, index) => await player.obey(order(index)))));
  const origin = process.hrtime.bigint();

  const until: Watch['until'] = async (isSo) => {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!isSo()) return;
        looks.delete(look);
        resolve();
      };
      looks.add(look);
      look();
    });
  };
  const count = (isAnswered: boolean): number =>
    calls.reduce((sum, { ended }) => sum + Number((ended !== undefined) === isAnswered), 0);
  const more = async (wanted: number, isAnswered: boolean): Promise<void> => {
    const enough = count(isAnswered) + wanted;
    await until(() => count(isAnswered) >= enough);
  };
  const watch: Watch = {
    until,
    answered: async (wanted) => await more(wanted, true),
    unanswered: async (wanted) => await more(wanted, false),
  };

  const playOnce = async (fault: Fault, part: string, end: number): Promise<Judged> => {
    calls = [];
    await everyone(() => ({ part }));
    await watch.answered(least / 4);
    const now = (): number => Number(process.hrtime.bigint() - origin);
    const began = now();
    await fault.play(watch);
    const ended = now();
    await until(() => calls.length >= least && now() >= end);
    await everyone(() => ({ part: undefined }));
    const keys = [...byKey(calls).keys()];
    await players[0]?.obey({ read: keys });
    return judge(fault, calls, { began, ended });
  };

  const judged: Judged[] = [];
  try {
    const names = 'ABCDEFGH';
    await everyone((index) => ({
      open: running.address(index),
      name: names[index] ?? '',
      origin: `${origin}`,
      seed: seed + index * 100,
    }));
    const began = performance.now();
    const share = (seconds * 1e9) / running.faults.length;
    const shortest = Math.min(share, 20e9);
    for (let round = 0; round === 0 || performance.now() - began < seconds * 1_000; round += 1) {
      for (const [index, fault] of running.faults.entries()) {
        const end = Number(process.hrtime.bigint() - origin) + shortest;
        const open = (): string => `${setUp.name}, ${fault.name}, with ${calls.length} calls`;
        judged.push(await endsWithin(longest, playOnce(fault, `${round}-${index}`, end), open));
      }
    }
  } finally {
    await Promise.all(players.map(async (player) => await player.end()));
    resumeAll(); // where a fault has failed
    await running.stop();
  }
  return judged;
}

interface Span {
  readonly began: number;
  readonly ended: number;
}

function judge(fault: Fault, calls: readonly Call[], during: Span): Judged {
  const began = performance.now();
  const histories = [...byKey(calls).values()];
  const amiss = histories.filter((history) => !isLinearizable(history));
  const explained = (history: readonly Call[]): readonly Call[] =>
    fault.allows.reduce((calls, kind) => allowing[kind](calls, during), history);
  const wrong = amiss.filter((history) => !isLinearizable(explained(history)));
  return {
    fault,
    calls: calls.length,
    keys: histories.length,
    amiss,
    wrong,
    refused: calls.filter(isRefused).length,
    unknown: calls.filter(({ ended }) => ended === undefined).length,
    checkedMs: performance.now() - began,
  };
}

const isWrite = ({ work }: Call): boolean => work.name !== 'read';

const isRefused = ({ work, ended }: Call): boolean => ended !== undefined && 'done' in work && !work.done;

/** The history with what is allowed taken for possible. */
export const allowing: Readonly<Record<Amiss, (history: readonly Call[], during: Span) => readonly Call[]>> =
  {
    'confirmed writes were lost': (history, during) => [
      ...history,
      { actor: '-', key: history[0]?.key ?? '', work: { name: 'failover' }, ...during },
    ],
    'refused writes were done': (history, { began, ended }) => [
      ...history.map((call) => (isRefused(call) ? { ...call, ended: undefined } : call)),
      // The second time may come whenever its key is again as it was before the first.
      ...history
        .filter((call) => isWrite(call) && call.began < ended && !((call.ended ?? Infinity) < began))
        .map((call) => ({ ...call, ended: undefined })),
    ],
  };

/** The parts that contradict themselves, the shortest first. */
export const partsOf = (histories: readonly Call[][]): Part[] =>
  histories.map(shortestPart).toSorted((a, b) => a.calls.length - b.calls.length);
