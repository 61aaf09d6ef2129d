import { createRequire } from 'node:module';

/**
 * Time and randomness of a simulated world. This module is loaded before everything else: from then on every timer,
 * every clock and every random byte of the process comes from here, and a seed decides them all.
 */

/** A simulated process of the app: what it has set up runs no more once it is dead. */
export interface Machine {
  readonly name: string;
  /** How far its clock is off. */
  skew: number;
  isAlive: boolean;
  /** Until then it stands still: what is due there comes when it goes on. */
  stoppedUntil: number;
}

/** Where code runs: on a machine, at a request; outside of the app neither. */
interface Place {
  readonly machine: Machine | undefined;
  request: unknown;
}

interface Event {
  at: number;
  readonly place: Place;
  readonly run: () => void;
  isCancelled: boolean;
}

const nowhere: Place = { machine: undefined, request: undefined };
/**
 * One variable is enough, because everything that an event sets off has come to rest before the next event, and is of
 * one place: what goes to another one goes there by an event. An AsyncLocalStorage says the same, and slows down every promise.
 */
let here = nowhere;
const realImmediate = globalThis.setImmediate;
const RealDate = globalThis.Date;

/** Some Monday. */
const dawn = RealDate.UTC(2026, 5, 1, 8);

let now = dawn;
let events: Event[] = [];
let randomState = 1;

/** Everything begins anew, at the same moment, with the numbers that follow from this seed. */
export function resetWorld(seed: number): void {
  now = dawn;
  events = [];
  randomState = seed | 0;
}

export const virtualNow = (): number => now;

/** The machine on which the running code runs; undefined outside of the app. */
export const currentMachine = (): Machine | undefined => here.machine;

/** What the running code works at. */
export const currentRequest = (): unknown => here.request;

function runAt<T>(place: Place, work: () => T): T {
  const before = here;
  here = place;
  try {
    return work();
  } finally {
    here = before;
  }
}

export const runOn = <T>(machine: Machine, work: () => T): T => runAt({ machine, request: undefined }, work);

/** Outside of every machine: the engines, the service and the people go on when a machine is killed. */
export const outside = <T>(work: () => T): T => runAt(nowhere, work);

/** What runs here, and whatever it sets off, works at this request from now on. */
export const enterRequest = (request: unknown): void => {
  here.request = request;
};

/** A new place on a machine: the function runs work there, when what runs now has come to rest. */
export function placeOn(machine: Machine): (work: () => void) => void {
  const place: Place = { machine, request: undefined };
  return (work) => void runAt(place, () => schedule(0, work));
}

/** A number from 0 up to, and without, 2^32 (mulberry32). */
function random32(): number {
  randomState = (randomState + 0x6d2b79f5) | 0;
  let mixed = Math.imul(randomState ^ (randomState >>> 15), 1 | randomState);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return (mixed ^ (mixed >>> 14)) >>> 0;
}

export const randomBelow = (limit: number): number => random32() % limit;

/** Runs the work later, in the world's time, where it is asked for. */
export function schedule(ms: number, run: () => void): () => void {
  const at = now + Math.max(0, ms);
  const event: Event = { at, place: here, run, isCancelled: false };
  insert(event);
  return () => {
    event.isCancelled = true;
  };
}

/** Behind all that is due at the same time. */
function insert(event: Event): void {
  let low = 0;
  let high = events.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((events[middle]?.at ?? 0) <= event.at) low = middle + 1;
    else high = middle;
  }
  events.splice(low, 0, event);
}

/** Many at a time: each comes when all promises have gone on, and a turn of Node's loop for each one takes longer. */
const immediates = 64;
let left = 0;
let goOn: (() => void) | undefined;

function nextImmediate(): void {
  left -= 1;
  const resume = goOn;
  goOn = undefined;
  resume?.();
}

/** Lets everything happen that needs no time. */
const settle = async (): Promise<void> =>
  await new Promise((resolve) => {
    goOn = resolve;
    if (left > 0) return;
    for (left = 0; left < immediates; left += 1) realImmediate(nextImmediate);
  });

/** Plays what is due, one event after another, until nothing is left or the time has come. */
export async function playUntil(end: number): Promise<void> {
  await settle();
  for (;;) {
    const [event] = events;
    if (event === undefined || event.at > end) break;
    events.shift();
    if (event.isCancelled || event.place.machine?.isAlive === false) continue;
    const { stoppedUntil = 0 } = event.place.machine ?? {};
    if (stoppedUntil > event.at) {
      event.at = stoppedUntil;
      insert(event);
      continue;
    }
    now = event.at;
    here = event.place;
    event.run();
    await settle();
    here = nowhere;
  }
  now = end === Infinity ? now : Math.max(now, end);
}

/** How many timers and calls a machine waits for. */
export const pendingOf = (machine: Machine): number =>
  events.filter((event) => event.place.machine === machine && !event.isCancelled).length;

// From here on: what the process sees.

class VirtualDate extends RealDate {
  constructor(...values: readonly unknown[]) {
    super(...((values.length === 0 ? [VirtualDate.now()] : values) as [number]));
  }
  static override now(): number {
    return now + (currentMachine()?.skew ?? 0);
  }
}
globalThis.Date = VirtualDate as DateConstructor;

interface Timer {
  cancel: () => void;
  readonly again?: () => void;
}

function timer(run: (...values: unknown[]) => void, ms = 0, values: readonly unknown[] = []): unknown {
  const handle: Timer = { cancel: schedule(ms, () => run(...values)) };
  return Object.assign(handle, { ref: () => handle, unref: () => handle, hasRef: () => true });
}

function repeatedTimer(
  run: (...values: unknown[]) => void,
  ms = 0,
  values: readonly unknown[] = [],
): unknown {
  const handle = timer(function again() {
    handle.cancel = schedule(ms, again);
    run(...values);
  }, ms) as Timer;
  return handle;
}

const clear = (handle: unknown): void => {
  (handle as Timer | undefined)?.cancel?.();
};

const require = createRequire(import.meta.url);
type Patched = Record<string, unknown>;
const timers = require('node:timers') as Patched;
const timersPromises = require('node:timers/promises') as Patched;
const crypto = require('node:crypto') as Patched;

const replaced: Patched = {
  setTimeout: (run: () => void, ms?: number, ...values: unknown[]) => timer(run, ms, values),
  setInterval: (run: () => void, ms?: number, ...values: unknown[]) => repeatedTimer(run, ms, values),
  clearTimeout: clear,
  clearInterval: clear,
  setImmediate: (run: () => void, ...values: unknown[]) => timer(run, 0, values),
  clearImmediate: clear,
};
Object.assign(globalThis, replaced);
Object.assign(timers, replaced);
timersPromises['setTimeout'] = async (ms: number, value: unknown) =>
  await new Promise((resolve) => schedule(ms, () => resolve(value)));
performance.now = () => now - dawn;

const bytes = (length: number): Buffer => {
  const filled = Buffer.alloc(length);
  for (let at = 0; at < length; at += 1) filled[at] = random32() >>> 11;
  return filled;
};
crypto['randomBytes'] = (length: number, done?: (error: null, filled: Buffer) => void) => {
  const filled = bytes(length);
  if (done === undefined) return filled;
  process.nextTick(done, null, filled);
  return undefined;
};
crypto['randomUUID'] = () =>
  bytes(16)
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
Math.random = () => random32() / 2 ** 32;
