import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { memoryStore } from '../../../lib/index.js';
import { randomOf } from '../fuzz/random.js';
import { isLinearizable } from './checker.js';
import { byKey, type Call, type State, type Work } from './history.js';
import { type Lie, lies } from './lies.js';
import { playCalls } from './play-calls.js';
import { allowing } from './record.js';
import { printPart, shortestPart } from './shortest-part.js';

const call = (began: number, ended: number | undefined, actor: string, work: Work): Call => ({
  actor,
  key: 'flow',
  work,
  began: began * 1e6,
  ...(ended !== undefined && { ended: ended * 1e6 }),
});
const create = (value: string, done = true): Work => ({ name: 'create', value, done });
const replace = (version: number, value: string, done = true): Work => ({
  name: 'replace',
  version,
  value,
  done,
});
const read = (found: State): Work => ({ name: 'read', found });

const begun = call(0, 1, 'A', create('one'));

describe('sound histories', () => {
  const sound: Readonly<Record<string, readonly Call[]>> = {
    'nothing at all': [],
    'a read of nothing, and one of what was written': [
      call(0, 1, 'A', read('')),
      call(2, 3, 'A', create('one')),
      call(4, 5, 'B', read('1.one')),
    ],
    'two swaps at once, of which one wins': [
      begun,
      call(2, 5, 'A', replace(1, 'two')),
      call(3, 4, 'B', replace(1, 'three', false)),
    ],
    'a reader that sees a write before its writer knows': [
      begun,
      call(2, 9, 'A', replace(1, 'two')),
      call(3, 4, 'B', read('2.two')),
      call(5, 6, 'C', read('2.two')),
    ],
    'a write without a reply that is done much later': [
      begun,
      call(2, undefined, 'A', replace(1, 'two')),
      call(3, 4, 'B', read('1.one')),
      call(5, 6, 'B', read('2.two')),
    ],
    'and one that is never done': [
      begun,
      call(2, undefined, 'A', replace(1, 'two')),
      call(3, 4, 'B', replace(1, 'three')),
      call(5, 6, 'B', read('2.three')),
    ],
    'a delete without a reply that is done between two creates': [
      begun,
      call(2, undefined, 'A', { name: 'delete' }),
      call(3, 4, 'B', create('two', false)),
      call(5, 6, 'B', create('three')),
    ],
    'a failover that takes a write with it': [
      begun,
      call(2, 3, 'A', replace(1, 'two')),
      call(4, 5, '-', { name: 'failover' }),
      call(6, 7, 'B', read('1.one')),
    ],
  };
  test.each(Object.entries(sound))('%s', (_name, history) => {
    expect(isLinearizable(history)).toBe(true);
  });
});

describe('unsound histories, and the part that shows it', () => {
  const printed = (...history: readonly Call[]): string => {
    expect(isLinearizable(history)).toBe(false);
    return printPart(shortestPart(history));
  };
  const more = [
    call(1, 2, 'C', read('1.one')),
    call(20, 21, 'C', replace(7, 'late', false)),
    call(22, 30, 'C', read('1.one')),
  ];

  test('a lost update', () => {
    expect(printed(begun, call(2, 3, 'A', replace(1, 'two')), call(4, 5, 'B', read('1.one')), ...more))
      .toMatchInlineSnapshot(`
     "flow (of 6 calls these contradict one another):
          0.000            A          create one: may have been done
          2.000     3.000  A          replace version 1 by two: done
          4.000     5.000  B          read: version 1, one"
    `);
  });
  test('a read of what had been replaced', () => {
    expect(
      printed(
        begun,
        call(2, 9, 'A', replace(1, 'two')),
        call(3, 4, 'B', read('2.two')),
        call(5, 6, 'C', read('1.one')),
        ...more,
      ),
    ).toMatchInlineSnapshot(`
     "flow (of 7 calls these contradict one another):
          0.000            A          create one: may have been done
          2.000            A          replace version 1 by two: may have been done
          3.000     4.000  B          read: version 2, two
          5.000     6.000  C          read: version 1, one"
    `);
  });
  test('a swap that does not compare', () => {
    expect(printed(begun, call(2, 5, 'A', replace(1, 'two')), call(3, 4, 'B', replace(1, 'three')), ...more))
      .toMatchInlineSnapshot(`
     "flow (of 6 calls these contradict one another):
          0.000     3.000  A          replace version 1 by two: done
          1.000     2.000  B          replace version 1 by three: done"
    `);
  });
  test('two creates of one flow', () => {
    expect(printed(begun, call(2, 5, 'B', create('two')))).toMatchInlineSnapshot(`
     "flow (of 2 calls these contradict one another):
          0.000     1.000  A          create one: done
          2.000     5.000  B          create two: done"
    `);
  });
  test('a swap that was refused, and done', () => {
    expect(printed(begun, call(2, 5, 'B', replace(1, 'two', false)), call(6, 7, 'B', read('2.two'))))
      .toMatchInlineSnapshot(`
     "flow (of 3 calls these contradict one another):
          0.000     1.000  A          create one: done
          2.000     5.000  B          replace version 1 by two: refused"
    `);
  });
  test('a failover in which a flow became what it never was', () => {
    expect(
      printed(
        begun,
        call(2, 3, 'A', replace(1, 'two')),
        call(4, 5, '-', { name: 'failover' }),
        call(6, 7, 'B', read('1.two')),
      ),
    ).toMatchInlineSnapshot(`
     "flow (of 4 calls these contradict one another):
          0.000            A          replace version 1 by two: may have been done
          2.000     3.000  -          failover
          4.000     5.000  B          read: version 1, two"
    `);
  });
});

/** The history of six actors on a store in memory, whose calls take a while before and after they take effect. */
async function playOn(lie: Lie): Promise<Call[]> {
  const random = randomOf(1, 0);
  const turns = async (): Promise<void> => {
    for (let left = random.below(20); left > 0; left -= 1) await Promise.resolve();
  };
  const inner = lie(memoryStore(), random);
  const slow = async <T>(work: () => Promise<T>): Promise<T> => {
    await turns();
    const done = await work();
    await turns();
    if (random.oneIn(50)) throw new Error('The reply was lost.');
    return done;
  };
  const store = {
    create: async (...args: Parameters<typeof inner.create>) => await slow(() => inner.create(...args)),
    read: async (id: string) => await slow(() => inner.read(id)),
    replace: async (...args: Parameters<typeof inner.replace>) => await slow(() => inner.replace(...args)),
    delete: async (id: string) => await slow(() => inner.delete(id)),
  };
  const calls: Call[] = [];
  let time = 0;
  const actors = ['A', 'B', 'C', 'D', 'E', 'F'].map(async (name, seed) => {
    await playCalls({
      name,
      store,
      seed,
      pause: turns,
      now: () => (time += 1),
      newest: () => Math.floor(calls.length / 60),
      part: () => (calls.length < 3_000 ? 'flow' : undefined),
      tell: (it) => void calls.push(it),
    });
  });
  await Promise.all(actors);
  return calls;
}

describe('a store is called by six at once', () => {
  const unsoundOf = (calls: readonly Call[]): Call[][] =>
    [...byKey(calls).values()].filter((history) => !isLinearizable(history));

  test('a sound one is found sound', async () => {
    const calls = await playOn((store) => store);
    expect(unsoundOf(calls)).toEqual([]);
    const unknown = calls.filter(({ ended }) => ended === undefined);
    const refused = calls.filter(({ work }) => 'done' in work && !work.done);
    expect([calls.length, unknown.length, refused.length].every((count) => count > 20)).toBe(true);
  });

  test.each(Object.entries(lies))('one is caught: %s', async (_name, lie) => {
    const found = unsoundOf(await playOn(lie));
    expect(found).not.toEqual([]);
    for (const history of found) {
      const part = shortestPart(history);
      expect(isLinearizable(part.calls)).toBe(false);
      expect(part.calls.length).toBeLessThan(8);
    }
  });
});

/** Any order of any of the calls, and then whether it fits: as the definition says, and nothing clever. */
function fitsAnyOrder(history: readonly Call[]): boolean {
  const known = history.filter(({ ended }) => ended !== undefined);
  const unknown = history.filter(({ ended }) => ended === undefined);
  return subsets(unknown).some((some) => orders([...known, ...some]).some(fits));
}

function subsets<T>([first, ...rest]: readonly T[]): T[][] {
  if (first === undefined) return [[]];
  return subsets(rest).flatMap((some) => [some, [first, ...some]]);
}

function orders<T>(all: readonly T[]): T[][] {
  if (all.length === 0) return [[]];
  return all.flatMap((first, index) => orders(all.toSpliced(index, 1)).map((rest) => [first, ...rest]));
}

function fits(order: readonly Call[]): boolean {
  const inTime = order.every(({ began }, index) =>
    order.slice(index + 1).every(({ ended = Infinity }) => ended >= began),
  );
  if (!inTime) return false;
  let worlds: { now: State; held: State[] }[] = [{ now: '', held: [''] }];
  for (const { work, ended } of order) {
    worlds = worlds.flatMap(({ now, held }) => {
      if (work.name === 'failover') return held.map((it) => ({ now: it, held }));
      const [after, outcome] = perform(now, work);
      if (ended !== undefined && outcome !== outcomeOf(work)) return [];
      return [{ now: after, held: [...held, after] }];
    });
  }
  return worlds.length > 0;
}

function perform(state: State, work: Work): [State, unknown] {
  const version = state.split('.')[0];
  if (work.name === 'create') return state === '' ? [`1.${work.value}`, true] : [state, false];
  if (work.name === 'delete') return ['', undefined];
  if (work.name !== 'replace') return [state, state];
  const holds = version === `${work.version}`;
  return holds ? [`${work.version + 1}.${work.value}`, true] : [state, false];
}

const outcomeOf = (work: Work): unknown =>
  work.name === 'read' ? work.found : 'done' in work ? work.done : undefined;

/** A tiny history as a sound store would have made it, of which some outcomes are then altered. */
const tiny = fc
  .array(
    fc.record({
      kind: fc.constantFrom('create', 'replace', 'replace', 'delete', 'read', 'read', 'failover'),
      began: fc.integer({ min: 0, max: 9 }),
      lasted: fc.integer({ min: 0, max: 6 }),
      effect: fc.double({ min: 0, max: 1, noNaN: true }),
      version: fc.integer({ min: 1, max: 3 }),
      fate: fc.constantFrom('told', 'told', 'told', 'unknown', 'altered'),
    }),
    { minLength: 1, maxLength: 6 },
  )
  .map((plans) => {
    let state = '';
    const ordered = plans.toSorted((a, b) => a.began + a.effect * a.lasted - b.began - b.effect * b.lasted);
    return ordered.map(({ kind, began, lasted, version, fate }, index): Call => {
      const value = 'abcdef'[index] ?? '';
      const isAltered = fate === 'altered';
      let work: Work = { name: 'read', found: isAltered ? `${version}.${'abcdef'[version]}` : state };
      if (kind === 'failover' || kind === 'delete') work = { name: kind };
      if (kind === 'create') work = { name: 'create', value, done: (state === '') !== isAltered };
      if (kind === 'replace') {
        work = { name: 'replace', version, value, done: state.startsWith(`${version}.`) !== isAltered };
      }
      [state] = perform(state, work);
      const isTold = kind === 'failover' || fate !== 'unknown';
      return call(began, isTold ? began + lasted : undefined, 'ABCDEF'[index] ?? '', work);
    });
  });

test('on tiny histories the search and the definition agree', () => {
  const seen = { sound: 0, unsound: 0 };
  fc.assert(
    fc.property(tiny, (history) => {
      const expected = fitsAnyOrder(history);
      seen[expected ? 'sound' : 'unsound'] += 1;
      expect(isLinearizable(history)).toBe(expected);
      expect(expected || !fitsAnyOrder(shortestPart(history).calls)).toBe(true);
    }),
    { numRuns: 1_000 },
  );
  expect(Math.min(seen.sound, seen.unsound)).toBeGreaterThan(100);
});

describe('a write that a client sends again', () => {
  const two = call(2, undefined, 'A', replace(1, 'two'));
  const sent: Readonly<Record<string, readonly [history: readonly Call[], isExplained: boolean]>> = {
    'may be done twice, where the key is again as it was': [
      [
        begun,
        two,
        call(3, 4, 'B', read('2.two')),
        call(5, 6, 'B', { name: 'delete' }),
        call(7, 8, 'B', create('one')),
        call(9, 10, 'B', read('1.one')),
        call(11, 12, 'B', read('2.two')),
      ],
      true,
    ],
    'is still lost if a version comes back without it': [
      [begun, two, call(3, 4, 'B', replace(2, 'three')), call(5, 6, 'B', read('2.two'))],
      false,
    ],
    'is not one of before the fault': [
      [begun, call(3, 4, 'B', { name: 'delete' }), call(5, 6, 'B', read('1.one'))],
      false,
    ],
  };
  test.each(Object.entries(sent))('%s', (_name, [history, isExplained]) => {
    expect(isLinearizable(history)).toBe(false);
    const explained = allowing['refused writes were done'](history, { began: 1.5e6, ended: 3e6 });
    expect(isLinearizable(explained)).toBe(isExplained);
  });
});
