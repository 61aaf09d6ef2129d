import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MemoryStore } from 'express-session';
import { type FlowStore, memoryStore } from '../../lib/index.js';
import { copyOf, login, showing, shownTo } from '../support/account.js';
import { openSandbox, type Running, startApp, testClock } from '../support/app.js';
import { gate } from '../support/callbacks.js';
import { closeAfter } from '../support/close-after.js';
import { sessionsAround, storeAround } from '../support/stores.js';

/** What a return asks of the stores, in order, and what of the app runs in between. */
const steps = [
  'session get',
  'flow create', // the lock
  'flow read',
  'onSuccess',
  'keep',
  'session get', // the old one is read again
  'session set', // the new one
  'session destroy', // the answer is out
  'flow replace', // closed
  'flow replace', // the lock is given back
];
/** In the process that dies. */
const hookTimeout = 60_000;
/** For so long a lock stands: two hooks, and the steps beside them. */
const lockMs = 2 * hookTimeout + 40_000;
const points = steps.flatMap((step, at) => [
  { when: `before ${step}`, at },
  { when: `after ${step}`, at: at + 0.5 },
]);
const locked = steps.indexOf('flow create');
const answered = steps.indexOf('session destroy');
/** Until the flow is closed: the old session is there no longer than until it is destroyed. */
const mayRepeat = (at: number): boolean => at === answered;

beforeEach(() => {
  jest.spyOn(console, 'error').mockImplementation(() => undefined); // Express tells what failed in the one that died
});
afterEach(() => void jest.restoreAllMocks());

/** Stores of a process that, from a point on, does nothing any more; `revive` lets it fail at the end of a test. */
function mortal(flows: FlowStore, sessions: MemoryStore) {
  const [died, end] = [gate(), gate()];
  let [next, at, dead] = [0, Infinity, false];
  const seen: string[] = [];
  const reach = async (point: number): Promise<void> => {
    if (point === at) {
      dead = true;
      died.open();
    }
    if (!dead) return;
    await end.opened;
    throw new Error('It was killed.');
  };
  const step = async <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const nth = next++;
    seen.push(name);
    await reach(nth);
    const done = await work();
    await reach(nth + 0.5);
    return done;
  };
  return {
    flows: storeAround(async (call, work) => await step(`flow ${call}`, work), flows),
    sessions: sessionsAround(async (call, work) => await step(`session ${call}`, work), sessions),
    step,
    died: died.opened,
    dies(point: number): void {
      [next, at] = [0, point];
      seen.length = 0;
    },
    seen,
    revive: () => end.open(),
  };
}

async function twoProcesses() {
  const clock = testClock();
  const sandbox = await openSandbox();
  const [flows, sessions] = [memoryStore({ clock }), new MemoryStore()];
  const victimStores = mortal(flows, sessions);
  const receipts: string[] = [];
  const note = ({ result }: { result: { receipt: { id: string } } }): void => {
    receipts.push(result.receipt.id);
  };
  const open = async (
    store: FlowStore,
    sessionStore: MemoryStore,
    own: Record<string, unknown>,
    origins: readonly string[] = [],
  ): Promise<Running> =>
    await startApp({
      sandbox,
      origins,
      session: { store: sessionStore },
      options: { clock, store, limits: { hookTimeout: 50 }, keep: () => 'kept', onSuccess: note, ...own },
      before: login(),
      after: showing(['user']),
    });
  const survivor = await open(flows, sessions, {});
  const dying = {
    limits: { hookTimeout },
    onSuccess: async (args: Parameters<typeof note>[0]) => {
      await victimStores.step('onSuccess', async () => note(args));
    },
    keep: async () => await victimStores.step('keep', async () => await Promise.resolve('kept')),
  };
  const victim = await open(victimStores.flows, victimStores.sessions, dying, [survivor.url]);
  sandbox.redirectUrl = `${survivor.url}/identity/callback`;
  closeAfter(victimStores.revive);
  return { clock, victim, survivor, victimStores, receipts };
}

describe('F65 a process that dies during a return', () => {
  test('F65 the steps are these', async () => {
    const { victim, survivor, victimStores } = await twoProcesses();
    const browser = survivor.browser();
    const back = await survivor.toReturn(browser);
    victimStores.dies(steps.length - 0.5);
    await browser.get(back.replace(survivor.url, victim.url));
    await victimStores.died;
    expect(victimStores.seen).toEqual(steps);
  });

  test.each(points)('F65 $when: the person comes to the end, the old cookie to nothing', async ({ at }) => {
    const { clock, victim, survivor, victimStores, receipts } = await twoProcesses();
    const person = survivor.browser();
    await person.post(`${survivor.url}/login`);
    const back = await survivor.toReturn(person);
    const old = copyOf(survivor, person);

    victimStores.dies(at);
    const answer = person.get(back.replace(survivor.url, victim.url)).then(
      ({ status }) => status,
      () => 'cut off',
    );
    await victimStores.died;
    const hasSession = at >= answered;
    expect(hasSession ? await answer : 303).toBe(303);
    const hadRun = receipts.length;
    expect([
      ['erika', null],
      [null, null],
    ]).toContainEqual(await shownTo(survivor, old)); // kept is nothing in there

    clock.forward(lockMs - 1);
    const isLocked = at > locked && at < answered;
    expect(isLocked ? (await person.get(back)).status : 503).toBe(503);
    expect(receipts).toHaveLength(hadRun);
    clock.forward(1);
    expect((await person.visit(back)).url).toBe(`${survivor.url}/`);
    expect(await shownTo(survivor, person)).toEqual(['erika', 'kept']);
    expect(receipts.length).toBe(hasSession ? hadRun : hadRun + 1);
    const late = await old.visit(back);
    expect([late.url.endsWith('/'), late.status === 403]).toEqual([mayRepeat(at), !mayRepeat(at)]);
    expect(await shownTo(survivor, old)).toEqual(mayRepeat(at) ? ['erika', 'kept'] : [null, null]);
    expect(new Set(receipts).size).toBe(1);

    // And in the same session, the next verification.
    expect((await person.visit(await survivor.toReturn(person))).url).toBe(`${survivor.url}/`);
    expect(await shownTo(survivor, person)).toEqual(['erika', 'kept']);
  });
});
