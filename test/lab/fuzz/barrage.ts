import { type Ending, createPool, fire, fireSlowly } from './fire.js';
import { endsWithin } from '../deadline.js';
import { callbackBodies } from './callback-bodies.js';
import { callbackHttp } from './callback-http.js';
import { oddities } from './oddities.js';
import { returns } from './returns.js';
import { settledHeap } from './heap.js';
import { createProgress } from './progress.js';
import { type Random, randomOf } from './random.js';
import { closed, type Kind, type Shot, tooSlow } from './shot.js';
import type { Reply } from './connection.js';
import type { Target } from './target.js';

export interface Orders {
  readonly seed: number;
  readonly count: number;
  /** One request in so many is slow or breaks off. */
  readonly slowEvery: number;
  readonly atOnce: number;
}

export interface Tally {
  readonly statuses: Map<number, number>;
  readonly kinds: Map<string, Map<number, number>>;
  readonly slow: Map<Ending, number>;
  /** What was not right, with the number of the request. */
  readonly wrong: string[];
  /** Bytes after the first half and at the end, all garbage collected. */
  readonly heap: [half: number, end: number];
  readonly ms: number;
}

const kinds: readonly Kind[] = [...callbackBodies, ...callbackHttp, ...returns, ...oddities];
const whole = kinds.reduce((sum, { weight }) => sum + weight, 0);

function kindFor(random: Random): Kind {
  let left = random.below(whole);
  return kinds.find(({ weight }) => (left -= weight) < 0) as Kind;
}

/** A run in which so much goes wrong has shown enough. */
const mostWrong = 500;

/** How long so many requests may take in all: many times what they need. */
export const longest = (count: number): number => 240_000 + count * 60;

/** Fires so many requests; each is made of the seed and its own number. Fails where one of them never ends. */
export async function barrage(target: Target, orders: Orders): Promise<Tally> {
  const open = new Set<string>();
  const what = (): string => `seed ${orders.seed}: ${[...open].join('; ') || 'all requests have ended'}`;
  return await endsWithin(longest(orders.count), fireAll(target, orders, open), what);
}

/** `open` has what is under way, each with its number. */
async function fireAll(
  target: Target,
  { seed, count, slowEvery, atOnce }: Orders,
  open: Set<string>,
): Promise<Tally> {
  const pool = createPool(target.port);
  const tally = { statuses: new Map(), kinds: new Map(), slow: new Map(), wrong: [] as string[] };
  const began = performance.now();
  const heaps: number[] = [];
  let next = 0;
  for (const until of [Math.ceil(count / 2), count]) {
    const progress = createProgress();
    const slow: Promise<void>[] = [];
    const worker = async (): Promise<void> => {
      while (next < until && tally.wrong.length < mostWrong) {
        const index = next++;
        const random = randomOf(seed, index);
        const kind = kindFor(random);
        const shot = kind.make(random, target);
        const about = { index, kind: kind.name, shot };
        const name = `${index} ${kind.name}`;
        open.add(name);
        if (index % slowEvery === 0) {
          const sent = fireSlowly(target.port, shot, random, progress);
          slow.push(
            sent.then(({ ending, replies }) => {
              add(tally.slow, ending);
              const lenient = ending === 'goes on' ? [tooSlow] : [tooSlow, closed, 400];
              note(tally, target, { ...about, lenient }, replies);
              open.delete(name);
            }),
          );
        } else {
          note(tally, target, about, await fire(target.port, pool, shot));
          open.delete(name);
        }
        progress.answered();
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    progress.finish();
    await Promise.all(slow);
    heaps.push(await settledHeap());
  }
  const [half = 0, end = 0] = heaps;
  return { ...tally, heap: [half, end], ms: performance.now() - began };
}

type Counts = Pick<Tally, 'statuses' | 'kinds' | 'wrong'>;

interface Sent {
  readonly index: number;
  readonly kind: string;
  readonly shot: Shot;
  /** What may come back beside what the shot allows, with any body. */
  readonly lenient?: readonly number[];
}

function note(
  { statuses, kinds, wrong }: Counts,
  { waiting, verified }: Target,
  { index, kind, shot, lenient = [] }: Sent,
  replies: readonly (Reply | undefined)[],
): void {
  const ofKind = kinds.get(kind) ?? new Map<number, number>();
  kinds.set(kind, ofKind);
  for (const reply of replies) {
    const status = reply?.status ?? closed;
    add(statuses, status);
    add(ofKind, status);
    const text = reply?.body ?? '';
    const excused = lenient.includes(status);
    if (!excused && !shot.allowed.includes(status)) wrong.push(`${index} ${kind}: ${status}`);
    // What the kit leaves to Express comes as a page of Express: right where there is no such address.
    if (text.includes('<pre>') && status !== 404) wrong.push(`${index} ${kind}: ${status} by Express`);
    if (shot.body !== undefined && text !== '' && text !== shot.body && !excused) {
      wrong.push(`${index} ${kind}: another body`);
    }
    const told = [waiting.state, waiting.presentation, verified.state, verified.presentation, 'node_modules'];
    if (told.some((secret) => text.includes(secret))) wrong.push(`${index} ${kind}: a secret in the reply`);
    if (shot.body !== verified.reply && text.includes(verified.code))
      wrong.push(`${index} ${kind}: the code`);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
