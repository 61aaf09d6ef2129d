import type { Plan } from './plan.js';
import { currentRequest, type Machine, outside, schedule, virtualNow } from './virtual.js';

/** One run of onVerified or onSuccess. */
export interface HookRun {
  readonly hook: string;
  readonly receipt: string;
  readonly machine: string;
  readonly request: RequestLog | undefined;
  readonly began: number;
  ended?: number;
  end?: 'well' | 'badly' | 'late';
  /** What it wrote into the session when its time was about over. */
  mark?: string;
}

/** One request that the app has got, and what it saw of the session engine. */
export interface RequestLog {
  readonly name: string;
  /** One of the kit's routes has it: what is stored from then on, and not by a hook, the kit stores. */
  isAtKit: boolean;
  /** When each session that it read was handed to it, and what was in it. */
  readonly looks: Map<string, { readonly at: number; readonly text: string | undefined }>;
  /** When the session engine last showed it one, by the engine's own order. */
  looked: number | undefined;
  /** A hook of the app runs: what is written meanwhile, the app writes. */
  inHook: boolean;
  /** The app has called `forget`: what is stored meanwhile, the kit stores. */
  isForgetting: boolean;
  /** It has called it, and it has written. */
  hasCalledForget: boolean;
  hasForgotten: boolean;
  /** Nothing but that: it changes nothing of its own in the session. */
  onlyForgets: boolean;
  /** Its next write of a session gets lost. */
  losesWrite: boolean;
  /** What its last `forget` has written. */
  forgot: { readonly looked: number; readonly written: number } | undefined;
  /** The record that it read last was not one that the kit had written there. */
  isMadeUp: boolean;
  /** A hook gave it another session: what was in the old one, the app has left behind. */
  isCleared: boolean;
  /** Who was logged in, as the kit was told last. */
  subject: string | undefined;
  /** The receipt of what the app has chosen to keep in it. */
  keeping: string | undefined;
  /** What its hook wrote into the session. */
  mark: string | undefined;
}

/** What happens in one schedule, and what is noted of it. */
export interface World {
  readonly plan: Plan;
  readonly trace: string[];
  readonly broken: string[];
  readonly hooks: HookRun[];
  /** Everything that leaves the kit for others to read. */
  readonly told: { readonly where: string; readonly text: string }[];
  /** Words that only the wallet, the flow and the browser may know, and what they are. */
  readonly secrets: Map<string, string>;
  /** By presentation: the receipt that the app was handed with it. */
  readonly receipts: Map<string, string>;
  /** By receipt: who was logged in where it was kept. */
  readonly subjects: Map<string, Set<string | undefined>>;
  /** By receipt: when a browser was told that it has it. */
  readonly released: Map<string, number>;
  /** By receipt: of which start. */
  readonly linkOf: Map<string, number>;
  /** By receipt: when the app last chose what is kept of it. */
  readonly kept: Map<string, number>;
  readonly calls: { flows: number; sessions: number };
  /** By flow: what has become of it, as the kit tells. */
  readonly ends: Map<string, 'confirmed' | 'revoked'>;
  /** Flows of which the store has a record that the kit has not written there, and since when. */
  readonly madeUp: Map<string, number>;
  /** Machines that were killed: what ran there never ends. */
  readonly killed: Set<string>;
  /** Ends a process at once, and starts another one in its place. */
  kill: (machine: Machine) => void;
  hookRuns: number;
  /** Faults have ended: everything works from now on. */
  isCalm: boolean;
  /** Why a person may lose a flow of their own: an engine that failed, or a hook that did more than its work. */
  excuse: string | undefined;
  /** Somebody has written to the flow store. */
  isTampered: boolean;
  /** A process was killed, or the flow store failed: SECURITY.md says what may then be handed over again. */
  mayRepeat: boolean;
  /** A session store showed an old session: what it was asked for then is not the kit's to know. */
  hasOldSession: boolean;
  /** A call of the session store that is made, and never answered: who made it waits for ever. */
  hasHungSession: boolean;
  /** The largest difference between two clocks so far, and whether there was any. */
  skew: number;
}

export function newWorld(plan: Plan): World {
  return {
    plan,
    trace: [],
    broken: [],
    hooks: [],
    told: [],
    secrets: new Map(),
    receipts: new Map(),
    subjects: new Map(),
    released: new Map(),
    linkOf: new Map(),
    kept: new Map(),
    calls: { flows: 0, sessions: 0 },
    ends: new Map(),
    madeUp: new Map(),
    killed: new Set(),
    kill: () => undefined,
    hookRuns: 0,
    isCalm: false,
    excuse: undefined,
    isTampered: false,
    mayRepeat: false,
    hasOldSession: false,
    hasHungSession: false,
    skew: Math.abs(plan.skew) * 1_000,
  };
}

const dawn = Date.UTC(2026, 5, 1, 8);

export function say(world: World, line: string): void {
  const seconds = ((virtualNow() - dawn) / 1_000).toFixed(3);
  world.trace.push(`${seconds.padStart(9)} ${line}`);
}

/** Notes a breach of an invariant, once. */
export function note(world: World, invariant: string, what: string): void {
  const line = `${invariant}: ${what}`;
  if (world.broken.includes(line)) return;
  world.broken.push(line);
  say(world, `  !! ${line}`);
}

/** Which request the running code works at. */
export const requestNow = (): RequestLog | undefined => currentRequest() as RequestLog | undefined;

export const wait = async (ms: number): Promise<void> =>
  await new Promise((resolve) => void outside(() => schedule(ms, resolve)));

export const short = (id: string): string => id.slice(0, 6);
