import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from './history.js';
import { type Address, openStore } from './open-store.js';
import { type Actor, playCalls, readAll } from './play-calls.js';

/** What an actor's process is told. */
export type Order =
  | { readonly open: Address; readonly name: string; readonly seed: number; readonly origin: string }
  /** The part that begins now; none: it stops. */
  | { readonly part: string | undefined }
  | { readonly read: readonly string[] };

/** What it tells: `done` answers an order. */
export type Word = { readonly calls: readonly Call[] } | { readonly done: true };

/** Several at a time in each process, on one client. */
const actorsEach = 3;
/** About how long a flow stays the newest. */
const flowNs = 4e8;

let actors: readonly Actor[] = [];
let part: string | undefined;
let playing: Promise<unknown> = Promise.resolve();
let calls: Call[] = [];

const say = (word: Word): void => void process.send?.(word);

function tell(call: Call): void {
  calls.push(call);
  if (calls.length >= 20) sayCalls();
}

function sayCalls(): void {
  if (calls.length > 0) say({ calls });
  calls = [];
}

async function open({ open: address, name, seed, origin }: Extract<Order, { open: Address }>): Promise<void> {
  const store = await openStore(address);
  const zero = BigInt(origin);
  const now = (): number => Number(process.hrtime.bigint() - zero);
  actors = Array.from({ length: actorsEach }, (_, index) => ({
    name: `${name}${index + 1}`,
    store,
    now,
    tell,
    seed: seed + index,
    newest: () => Math.floor(now() / flowNs),
    part: () => part,
    // A machine that does nothing else would only show how fast it is.
    pause: async (isUnknown) => {
      if (isUnknown) sayCalls();
      await delay(isUnknown ? 100 : Math.random() * 10);
    },
  }));
}

async function obey(order: Order): Promise<void> {
  if ('open' in order) await open(order);
  else if ('read' in order) {
    if (actors[0] !== undefined) await readAll(actors[0], order.read);
  } else {
    part = order.part;
    if (part === undefined) await playing;
    else playing = Promise.all(actors.map(playCalls));
  }
  sayCalls();
  say({ done: true });
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit());
