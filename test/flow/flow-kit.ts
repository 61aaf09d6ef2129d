import type { IdentityError } from '../../lib/errors.js';
import { handleCallback } from '../../lib/flow/callback.js';
import type { Delivery } from '../../lib/flow/delivery.js';
import { createDeps, type FlowDeps, type FlowHooks, type FlowSettings } from '../../lib/flow/context.js';
import type { FlowRecord } from '../../lib/flow/record.js';
import type { StoredFlow } from '../../lib/flow/records.js';
import { startFlow, type StartInput } from '../../lib/flow/start.js';
import type { IdentityEvent } from '../../lib/types/events.js';
import type { FlowStore } from '../../lib/types/store.js';
import type { Verifier } from '../../lib/types/verifier.js';
import { parseCallback } from '../../lib/service/prove/callback.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock, type TestClock } from '../support/clock.js';
import { byName } from '../support/callbacks.js';

export const origin = 'https://app.example';

/** What several processes have in common. */
export interface World {
  readonly clock: TestClock;
  readonly store: FlowStore;
}

export function world(store?: (clock: TestClock) => FlowStore): World {
  const clock = testClock();
  return { clock, store: store?.(clock) ?? memoryStore({ clock }) };
}

type Setup = Partial<Omit<FlowDeps, 'verifiers'>> & { readonly verifier?: Verifier };

/** One process: the flow's real functions over a store, a clock and a verifier of the test's own. */
export interface Process {
  readonly deps: FlowDeps;
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
  { verifier, hooks = {}, ...setup }: Setup = {},
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
  const settings: FlowSettings = {
    path: '/identity',
    returnPath: '/identity/return',
    origins: [origin, 'https://other.example'],
    isOwnOrigin: (it) => [origin, 'https://other.example'].includes(it),
    isSandbox: () => false,
    variant: 'derived',
    confirm: 'return',
    successRedirectOf: () => '/done',
    errorRedirect: undefined,
    flowTtl: 600_000,
    verifyTimeout: 1_000,
    hookTimeout: 1_000,
    proving: 50,
    verifying: 100,
    store,
    client: { prove: async () => await Promise.resolve({ redirectUrl: 'https://wallet.example/' }) },
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
    clock,
    onEvent: undefined,
    log: { fault: () => {}, once: () => {}, accepted: () => {}, lastOf: () => undefined },
  };
  const emit: FlowDeps['emit'] = (event) => void events.push(event);
  const deps: FlowDeps = { ...createDeps(settings), emit, ...setup };
  const stored: Process['stored'] = async (state) => {
    const read = await deps.records.read(deps.records.placeOf(state));
    if (read === undefined || read === 'burnt') throw new Error(`No record: ${read}`);
    return read;
  };
  return {
    deps,
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
      await startFlow(deps, { plan, origin, sameDevice: false, ...more }, async (entry) => {
        state = entry.state;
      });
      return state;
    },
    deliver: async (state, form = { presentation: 'good' }) =>
      await handleCallback(deps, parseCallback({ ...form, state })),
  };
}

/** Where the delivery sends the browser; fails where it sends it nowhere. */
export function addressOf(delivery: Delivery): string {
  if ('redirectUri' in delivery) return delivery.redirectUri;
  throw new Error(`No address: ${delivery.transition}`);
}
