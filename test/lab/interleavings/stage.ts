import { limitOf } from '../../flow/flow-kit.js';
import type { FlowDeps } from '../../../lib/flow/context.js';
import type { ReturnCode } from '../../../lib/flow/secrets.js';
import type { FlowStore } from '../../../lib/types/store.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { type Actor, type Life, newLife } from './life.js';
import type { Scenario } from './scenario.js';
import { type Choose, createSteps, type Steps } from './steps.js';
import type { VirtualTime } from './virtual-time.js';

export const hookTimeout = 1_000;
export const flowTtl = 600_000;

/** All that the requests of one run have in common. */
export interface Stage {
  readonly scenario: Scenario;
  readonly time: VirtualTime;
  readonly steps: Steps;
  readonly life: Life;
  readonly store: FlowStore;
  readonly processes: readonly Pick<FlowDeps, 'waiting' | 'verifying' | 'proving'>[];
  /** What the session of the owner knows. */
  readonly session: { state?: string; destination?: string };
  code?: ReturnCode;
  /** The service knows a state, and somebody a code. */
  readonly stateKnown: Known;
  readonly codeKnown: Known;
  /** How often a hook, the store and the session were called. */
  readonly counts: Record<'onVerified' | 'onSuccess' | 'onError' | 'store' | 'saves' | 'answers', number>;
  readonly underWay: Set<{ readonly by: Actor; readonly since: number }>;
  readonly receipts: Set<string>;
  /** Requests whose hook does not answer, and until when that counts. */
  readonly stuck: Map<Actor, number>;
  /** What waits until so many steps were made. */
  readonly later: { readonly after: number; readonly go: () => void }[];
  /** Nothing goes wrong any more. */
  calm: boolean;
}

export function openStage(scenario: Scenario, time: VirtualTime, choose: Choose): Stage {
  const { form, onVerified, onSuccess, onError } = scenario;
  const terms = { form, hookTimeout, flowTtl };
  const hooks = { onVerified: !!onVerified, onSuccess: !!onSuccess, onError: !!onError };
  const process = () => ({
    waiting: new Set<string>(),
    verifying: limitOf(100),
    proving: limitOf(100),
  });
  return {
    scenario,
    time,
    steps: createSteps(choose),
    life: newLife({ ...terms, ...hooks }, time.now()),
    store: memoryStore({ clock: () => new Date(time.now()) }),
    processes: [process(), process()],
    session: {},
    stateKnown: known(),
    codeKnown: known(),
    counts: { onVerified: 0, onSuccess: 0, onError: 0, store: 0, saves: 0, answers: 0 },
    underWay: new Set(),
    receipts: new Set(),
    stuck: new Map(),
    later: [],
    calm: false,
  };
}

export interface Known {
  readonly said: Promise<void>;
  readonly say: () => void;
}

/** Something to wait for until somebody says that it is there. */
function known(): Known {
  let say = (): void => undefined;
  const said = new Promise<void>((resolve) => {
    say = resolve;
  });
  return {
    said,
    say: () => {
      say();
    },
  };
}
