// The flow's own parts, driven one by one: only here, where every order of two requests is played.
import type { IdentityError } from '../../../lib/errors.js';
import {
  type End,
  type Flow,
  type ReturnCode,
  type ReturnSession,
  type StartInput,
  comeBack,
  createFlow,
  handleCallback,
  maxReloads,
  startFlow,
} from '../../../lib/flow/flow.js';
import type { StoredFlow } from '../../../lib/flow/records.js';
import type { FlowHooks, FlowSettings } from '../../../lib/flow/context.js';
import type { FlowRecord } from '../../../lib/flow/record.js';
import type { IdentityEvent } from '../../../lib/types/events.js';
import type { FlowStore } from '../../../lib/types/store.js';
import type { Verifier } from '../../../lib/types/trust.js';
import type { IdentityService } from '../../../lib/service/contract.js';
import { resolveOptions } from '../../../lib/options/resolve.js';
import { parseCallback, receivedOf } from '../../../lib/service/prove/callback.js';
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
    // The test learns the state from the wallet's address.
    service: serviceThat(
      async ({ state }) => await Promise.resolve({ redirectUrl: `https://wallet.example/#${state}` }),
    ),
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
export function limitOf(max: number): Flow['concurrentVerifications'] {
  return createFlow(flowSettings(world(), { concurrentVerifications: max })).concurrentVerifications;
}

type Setup = Partial<Omit<Flow, 'verifiers'>> & { readonly verifier?: Verifier };

/** One process: the flow's real functions over a store, a clock and a verifier of the test's own. */
export interface Process {
  readonly flow: Flow;
  readonly events: Omit<IdentityEvent, 'at'>[];
  readonly ran: string[];
  readonly judged: string[];
  /** Starts a flow and returns its state. */
  start(more?: Partial<StartInput>): Promise<string>;
  deliver(state: string, form?: Record<string, string>): Promise<End>;
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
  const emit: Flow['emit'] = (event) => void events.push(event);
  const flow: Flow = { ...createFlow(settings), emit, ...setup };
  const stored: Process['stored'] = async (state) => {
    const read = await flow.records.read(flow.records.placeOf(state));
    if (read === undefined) throw new Error('No record.');
    return read;
  };
  return {
    flow,
    events,
    ran,
    judged,
    stored,
    recordOf: async (state) => (await stored(state)).record,
    async start(more = {}) {
      const question = {
        name: 'default',
        issuer: 'xx-test',
        reveal: ['given_name', 'birth_date'] as const,
        derived: {},
      };
      const input = { question, origin, sameDevice: false, ways: [], ...more };
      const { location = '' } = await startFlow(flow, input, async () => await Promise.resolve(owner));
      return new URL(location).hash.slice(1);
    },
    deliver: async (state, form = { presentation: 'good' }) =>
      await handleCallback(flow, receivedOf(parseCallback({ ...form, state }))),
  };
}

/** What a return does with a session, where every order is played. */
export type TestSession = Omit<ReturnSession, 'subject' | 'disarm'>;

/** Comes back for the last time, with a code, in the session of the owner or of somebody else. */
export async function arrive(
  flow: Flow,
  code: ReturnCode,
  whose: 'owner' | 'stranger',
  done: string | undefined,
  session: TestSession,
): Promise<End> {
  const isOwner = whose === 'owner';
  return await comeBack(flow, {
    code,
    req: 'the request',
    reloads: maxReloads,
    owner: isOwner ? owner : 'somebody else',
    hasStarted: isOwner,
    isBrought: true,
    last: isOwner ? { id: code.id } : undefined,
    done: isOwner ? done : undefined,
    session: { subject: () => undefined, disarm: () => undefined, ...session },
  });
}
