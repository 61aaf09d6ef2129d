import { type Ending, createPool, fire, fireSlowly } from './fire.js';
import { kindFor } from './kinds.js';
import { settledHeap } from './heap.js';
import { createProgress } from './progress.js';
import { randomOf } from './random.js';
import { closed, type Shot } from './shot.js';
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

/** A run in which so much goes wrong has shown enough. */
const mostWrong = 500;

/** Fires so many requests; each is made of the seed and its own number. */
export async function barrage(target: Target, { seed, count, slowEvery, atOnce }: Orders): Promise<Tally> {
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
        if (index % slowEvery === 0) {
          const sent = fireSlowly(target.port, shot, random, progress);
          slow.push(
            sent.then(({ ending, replies }) => {
              add(tally.slow, ending);
              note(tally, target, { ...about, lenient: ending !== 'goes on' }, replies);
            }),
          );
        } else note(tally, target, about, await fire(target.port, pool, shot));
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

function note(
  { statuses, kinds, wrong }: Counts,
  { waiting, verified }: Target,
  { index, kind, shot, lenient = false }: { index: number; kind: string; shot: Shot; lenient?: boolean },
  replies: readonly (Reply | undefined)[],
): void {
  const ofKind = kinds.get(kind) ?? new Map<number, number>();
  kinds.set(kind, ofKind);
  for (const reply of replies) {
    const status = reply?.status ?? closed;
    add(statuses, status);
    add(ofKind, status);
    const text = reply?.body ?? '';
    const allowed = shot.allowed.includes(status) || (lenient && [closed, 400].includes(status));
    if (!allowed) wrong.push(`${index} ${kind}: ${status}`);
    // What the kit leaves to Express comes as a page of Express: right where there is no such address.
    if (text.includes('<pre>') && status !== 404) wrong.push(`${index} ${kind}: ${status} by Express`);
    if (shot.body !== undefined && text !== '' && text !== shot.body && !lenient) {
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
