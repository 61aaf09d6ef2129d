// The flow's own parts, driven one by one: only here, where every order of two requests is played.
import { IdentityError } from '../../../lib/errors.js';
import {
  type Delivery,
  type Flow,
  type ReturnOutcome,
  type ReturnStop,
  type StartInput,
  type Visit,
  flowOf,
  toIdentityError,
} from '../../../lib/flow/flow.js';
import type { ReturnInput } from '../../../lib/flow/return.js';
import {
  createDeps,
  type FlowDeps,
  type FlowHooks,
  type FlowResult,
  type FlowSettings,
} from '../../../lib/flow/context.js';
import type { FlowRecord } from '../../../lib/flow/record.js';
import type { StoredFlow } from '../../../lib/flow/records.js';
import type { IdentityEvent } from '../../../lib/types/events.js';
import type { FlowStore } from '../../../lib/types/store.js';
import type { Verifier } from '../../../lib/types/trust.js';
import type { IdentityService } from '../../../lib/service/contract.js';
import { resolveOptions } from '../../../lib/options/resolve.js';
import { parseCallback } from '../../../lib/service/prove/callback.js';
import { createProveService } from '../../../lib/service/prove/client.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { testClock, type TestClock } from '../../support/clock.js';
import { byName } from '../../support/callbacks.js';

const origin = 'https://app.example';

/** The service, with a start of the test's own. */
function serviceThat(start: IdentityService['start']): IdentityService {
  return { ...createProveService({ baseUrl: 'https://service.example', apiKey: 'key' }), start };
}

/** What several processes have in common. */
interface World {
  readonly clock: TestClock;
  readonly store: FlowStore;
}

function world(store?: (clock: TestClock) => FlowStore): World {
  const clock = testClock();
  return { clock, store: store?.(clock) ?? memoryStore({ clock }) };
}

const options = resolveOptions({
  baseUrl: 'https://service.example',
  apiKey: 'key',
  issuer: 'xx-test',
  trust: { 'xx-test': byName },
  appUrl: [origin, 'https://other.example'],
  reveal: ['given_name'],
});

/** What an app decides, as the flow is given it. */
function flowSettings({ clock, store }: World, more: Partial<FlowSettings> = {}): FlowSettings {
  return {
    ...options,
    ...options.limits,
    returnPath: '/identity/return',
    isSandbox: () => false,
    successRedirectOf: () => '/done',
    errorRedirect: undefined,
    verifyTimeout: 1_000,
    hookTimeout: 1_000,
    proving: 50,
    verifying: 100,
    store,
    service: serviceThat(async () => await Promise.resolve({ redirectUrl: 'https://wallet.example/' })),
    verifiers: new Map(),
    hooks: {},
    clock,
    onEvent: undefined,
    log: { fault: () => {}, once: () => {}, accepted: () => {}, lastOf: () => undefined },
    ...more,
  };
}

/** Lets so many pieces of work run at once. */
export function limitOf(max: number): FlowDeps['verifying'] {
  return createDeps(flowSettings(world(), { verifying: max })).verifying;
}

type Setup = Partial<Omit<FlowDeps, 'verifiers'>> & { readonly verifier?: Verifier };

/** One process: the flow's real functions over a store, a clock and a verifier of the test's own. */
export interface Process {
  readonly deps: FlowDeps;
  readonly flow: Flow;
  readonly events: Omit<IdentityEvent, 'at'>[];
  readonly ran: string[];
  readonly judged: string[];
  /** Starts a flow and returns its state. */
  start(more?: Partial<StartInput>): Promise<string>;
  deliver(state: string, form?: Record<string, string>): Promise<Delivery>;
  /** The flow's record as it is read now. */
  stored(state: string): Promise<StoredFlow>;
  recordOf(state: string): Promise<FlowRecord>;
}

export function openProcess(
  { clock, store }: World,
  { verifier, hooks = {}, path = '/identity', ...setup }: Setup = {},
): Process {
  const events: Omit<IdentityEvent, 'at'>[] = [];
  const ran: string[] = [];
  const judged: string[] = [];
  const noted = Object.entries(hooks).map(([name, hook]) => [
    name,
    async (args: { error?: IdentityError }) => {
      ran.push(args.error === undefined ? name : `${name} ${args.error.code}`);
      return await (hook as (given: typeof args) => unknown)(args);
    },
  ]);
  const settings = flowSettings(
    { clock, store },
    {
      path,
      verifiers: new Map([
        [
          'xx-test',
          async (presentation, expected) => {
            judged.push(presentation);
            return await (verifier ?? byName)(presentation, expected);
          },
        ],
      ]),
      hooks: Object.fromEntries(noted) as FlowHooks,
    },
  );
  const emit: FlowDeps['emit'] = (event) => void events.push(event);
  const deps: FlowDeps = { ...createDeps(settings), emit, ...setup };
  const stored: Process['stored'] = async (state) => {
    const read = await deps.records.read(deps.records.placeOf(state));
    if (read === undefined || read === 'revoked') throw new Error(`No record: ${read}`);
    return read;
  };
  const flow = flowOf(deps);
  return {
    deps,
    flow,
    events,
    ran,
    judged,
    stored,
    recordOf: async (state) => (await stored(state)).record,
    async start(more = {}) {
      let state = '';
      const plan = {
        name: 'default',
        issuer: 'xx-test',
        reveal: ['given_name', 'birth_date'] as const,
        derived: {},
      };
      await flow.start({ plan, origin, sameDevice: false, ...more }, async (entry) => {
        state = entry.state;
      });
      return state;
    },
    deliver: async (state, form = { presentation: 'good' }) =>
      await flow.callback(parseCallback({ ...form, state })),
  };
}

/** What a return does with a session; all that lib/http does beside is not here. */
interface TestSession {
  isStored(): Promise<boolean>;
  regenerate(): void;
  keep(result: FlowResult): unknown;
  save(saved: Saved): Promise<'saved' | Exclude<ReturnStop['transition'], `return_hook_${string}`>>;
  rollback(): Promise<void>;
}

type Saved = Pick<Visit, 'result' | 'question' | 'subject' | 'origin'> & { kept: unknown; location: string };

/** Drives a return in the order of lib/http/return.ts. */
export async function driveReturn(
  flow: Flow,
  input: ReturnInput,
  session: TestSession,
  req: unknown = 'the request',
): Promise<ReturnOutcome> {
  const save = async (visit: Visit): Promise<{ readonly location: string } | ReturnStop> => {
    try {
      if (visit.hasWaited && !(await session.isStored())) return { transition: 'session_left' };
      session.regenerate();
      const success = await visit.runOnSuccess(req);
      if ('transition' in success) return success;
      const kept = await visit.runKeep((result) => session.keep(result));
      const { result, question, subject, origin } = visit;
      const ending = await session.save({ result, kept, question, subject, origin, ...success });
      if (ending === 'saved') return success;
      if (ending === 'session_left') return { transition: ending };
      const code = ending === 'subject_changed' ? ending : 'session_save_failed';
      return { transition: ending, error: new IdentityError(code) };
    } catch (fault) {
      return { transition: 'return_hook_failed', error: toIdentityError(fault) };
    }
  };
  return await flow.withVisit(input, async (visit) => {
    const saved = await save(visit);
    if ('location' in saved) return visit.confirm(saved.location);
    await session.rollback();
    return await visit.stop(saved);
  });
}

/** An outcome, seen without its kind. */
export function withComplete(outcome: ReturnOutcome): {
  readonly transition: string;
  readonly answer: string;
  readonly location?: string;
  readonly error?: IdentityError;
  readonly complete?: (received: boolean) => Promise<void>;
} {
  return outcome;
}
