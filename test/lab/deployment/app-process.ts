import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { join } from 'node:path';
import { bundled } from '../../support/program.js';
import { endsWithin } from '../deadline.js';
import type { Order, Setup, Word } from './app.js';

/** An app in a process of its own. */
export interface AppProcess {
  readonly url: string;
  /** The hooks that ran until now, in order, with the receipt of each. */
  hooks(): Promise<readonly { readonly hook: string; readonly receipt: string }[]>;
  events(): Promise<readonly { readonly event: string; readonly flow: string | undefined }[]>;
  /** Puts its clock to this time. */
  setClock(now: number): Promise<void>;
  /** Lets it stop for good when it comes to this point; the calls of the store are counted from here. */
  haltAt(point: string): Promise<void>;
  /** Resolves when it has stopped there. */
  halted(): Promise<void>;
  /** SIGKILL, and it is gone when this resolves. */
  kill(): Promise<void>;
  end(): Promise<void>;
}

/** A process that has loaded everything and waits for its setup: loading takes longer than all the rest. */
export interface Spare {
  begin(setup: Setup): Promise<AppProcess>;
  end(): Promise<void>;
}

/** A process that says nothing for so long hangs. */
const longest = 120_000;

export async function startSpare(): Promise<Spare> {
  const child = fork(await bundled(join(import.meta.dirname, 'app.ts')), [], {
    execArgv: [],
    env: { PATH: process.env['PATH'], NODE_ENV: 'production' },
  });
  // What it has told before it ended is heard when the channel has ended too.
  const exited = Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  const ear = listen(child, exited);
  const { words } = ear;
  let orders = 0;
  let from = 0;

  async function obeyed(order: Order): Promise<void> {
    orders += 1;
    const nth = orders;
    child.send(order, () => undefined); // one that has ended is told below
    await ear.heard(() => words.filter((word) => 'done' in word)[nth - 1]);
  }
  /** Its answers to requests come by another way than its words. */
  async function caughtUp(): Promise<void> {
    if (child.connected) await obeyed({});
  }
  const end = async (): Promise<void> => {
    if (child.connected) child.disconnect();
    await exited;
  };

  return {
    end,
    async begin(setup) {
      await obeyed({ setup });
      const url = words.flatMap((word) => ('url' in word ? [word.url] : []))[0] ?? '';
      return {
        url,
        async hooks() {
          await caughtUp();
          return words.filter((word) => 'hook' in word);
        },
        async events() {
          await caughtUp();
          return words.filter((word) => 'event' in word);
        },
        setClock: async (now) => await obeyed({ now }),
        async haltAt(halt) {
          from = words.length;
          await obeyed({ halt });
        },
        async halted() {
          await ear.heard(() => words.slice(from).find((word) => 'halted' in word));
        },
        async kill() {
          child.kill('SIGKILL');
          await exited;
        },
        end,
      };
    },
  };
}

/** Collects what a process tells. */
function listen(child: ChildProcess, exited: Promise<unknown>) {
  const words: Word[] = [];
  const told = new EventEmitter();
  let gone = false;
  child.on('message', (word: Word) => {
    words.push(word);
    told.emit('more');
  });
  void exited.then(() => {
    gone = true;
    told.emit('more');
  });
  return {
    words,
    /** Waits until there is such a word. */
    async heard<T>(find: () => T | undefined): Promise<T> {
      const last = (): string => `its last word was ${JSON.stringify(words.at(-1))}`;
      for (;;) {
        const found = find();
        if (found !== undefined) return found;
        if (gone) throw new Error(`The process ended: ${last()}`);
        await endsWithin(longest, once(told, 'more'), last);
      }
    },
  };
}
