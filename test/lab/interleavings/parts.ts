// The flow's own parts, driven one by one: only here, where every order of two requests is played.
import type { IdentityError } from '../../../lib/errors.js';
import {
  type Delivery,
  type Flow,
  type ReturnCode,
  type ReturnOutcome,
  ReturnStop,
  type StartInput,
  type StoredFlow,
  flowOf,
  mayRunOn,
  sessionLeft,
  toIdentityError,
} from '../../../lib/flow/flow.js';
import { createDeps, type FlowDeps, type FlowHooks, type FlowSettings } from '../../../lib/flow/context.js';
import type { FlowRecord, FlowResult } from '../../../lib/flow/record.js';
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
/** A digest of the owner of the one session that there is. */
const owner = 'an owner';
export const secret = 'a secret of the app under test, and of its flows';

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
    concurrentStarts: 50,
    concurrentVerifications: 100,
    store,
    service: serviceThat(async () => await Promise.resolve({ redirectUrl: 'https://wallet.example/' })),
    verifiers: new Map(),
    hooks: {},
    clock,
    onEvent: undefined,
    notice: () => {},
    log: { fault: () => {}, warn: () => {}, once: () => {} },
    secrets: [secret],
    ...more,
  };
}

/** Lets so many pieces of work run at once. */
export function limitOf(max: number): FlowDeps['concurrentVerifications'] {
  return createDeps(flowSettings(world(), { concurrentVerifications: max })).concurrentVerifications;
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
    if (read === undefined) throw new Error('No record.');
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
      const question = {
        name: 'default',
        issuer: 'xx-test',
        reveal: ['given_name', 'birth_date'] as const,
        derived: {},
      };
      await flow.start({ question, origin, sameDevice: false, ...more }, async (entry) => {
        state = entry.state;
        return await Promise.resolve(owner);
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
  save(): Promise<'saved' | 'session_left'>;
  rollback(): Promise<void>;
  /** True where the browser has received it. */
  answer(location: string): Promise<boolean>;
}

/** Drives a return of the owner in the order of lib/http/return.ts. */
export async function driveReturn(
  flow: Flow,
  code: ReturnCode,
  session: TestSession,
): Promise<ReturnOutcome> {
  const lock = await flow.lock(owner, code.id);
  if (lock === undefined) return flow.busy();
  let found: StoredFlow | undefined;
  let mayHookRun = false;
  try {
    if (lock.hasWaited && !(await session.isStored())) return flow.reload();
    found = await flow.find(code.id);
    if (found === undefined) return flow.rejectCode(code);
    const opened = flow.openResult(found, code);
    session.regenerate();
    const location = await flow.runOnSuccess(opened, 'the request', () => undefined);
    await flow.runKeep(opened, (result) => session.keep(result));
    if ((await session.save()) === 'session_left') throw sessionLeft();
    const confirmed = flow.confirm(opened, location);
    if (await session.answer(location)) await flow.close(opened);
    else flow.leaveOpen(opened);
    return confirmed;
  } catch (fault) {
    const stop =
      fault instanceof ReturnStop ? fault : new ReturnStop('return_hook_failed', toIdentityError(fault));
    await session.rollback();
    if (found === undefined) throw fault;
    mayHookRun = mayRunOn(stop.error);
    return await flow.stop(found, stop);
  } finally {
    if (!mayHookRun) await lock.unlock();
  }
}
