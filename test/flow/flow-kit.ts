import type { IdentityError } from '../../lib/errors.js';
import { createCap } from '../../lib/flow/concurrency-limit.js';
import { answer } from '../../lib/flow/callback.js';
import type { Delivery } from '../../lib/flow/delivery.js';
import type { FlowHooks, FlowKit } from '../../lib/flow/deps.js';
import type { FlowRecord } from '../../lib/flow/record.js';
import { createShelf, type Held } from '../../lib/flow/records.js';
import { begin, type Beginning } from '../../lib/flow/start.js';
import type { IdentityEvent } from '../../lib/contracts/events.js';
import type { FlowStore } from '../../lib/contracts/store.js';
import type { Verifier } from '../../lib/contracts/verifier.js';
import { parseCallback } from '../../lib/protocol/callback.js';
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

type Setup = Partial<Omit<FlowKit<string>, 'verifiers'>> & { readonly verifier?: Verifier };

/** One process: the flow's real functions over a store, a clock and a verifier of the test's own. */
export interface Process {
  readonly kit: FlowKit<string>;
  readonly events: Omit<IdentityEvent, 'at'>[];
  readonly ran: string[];
  readonly judged: string[];
  /** Starts a flow and answers its state. */
  start(more?: Partial<Beginning>): Promise<string>;
  deliver(state: string, form?: Record<string, string>): Promise<Delivery>;
  /** The flow's record as it is read now. */
  held(state: string): Promise<Held>;
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
  const kit: FlowKit<string> = {
    returnPath: '/identity/return',
    origins: [origin, 'https://other.example'],
    issuer: 'xx-test',
    variant: 'derived',
    confirm: 'return',
    successRedirectOf: () => '/done',
    errorRedirect: undefined,
    flowTtl: 600_000,
    verifyTimeout: 1_000,
    hookTimeout: 1_000,
    shelf: createShelf(store, '/identity', clock, 600_000),
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
    proving: createCap(50),
    verifying: createCap(100),
    waiting: new Set(),
    hooks: Object.fromEntries(noted) as FlowHooks<string>,
    clock,
    emit: (event) => void events.push(event),
    ...setup,
  };
  const held: Process['held'] = async (state) => {
    const read = await kit.shelf.read(state);
    if (read === undefined || read === 'burnt') throw new Error(`No record: ${read}`);
    return read;
  };
  return {
    kit,
    events,
    ran,
    judged,
    held,
    recordOf: async (state) => (await held(state)).record,
    async start(more = {}) {
      let state = '';
      const plan = { name: 'default', reveal: ['given_name', 'birth_date'] as const, derived: {} };
      await begin(kit, { plan, origin, sameDevice: false, ...more }, async (entry) => {
        state = entry.state;
      });
      return state;
    },
    deliver: async (state, form = { presentation: 'good' }) =>
      await answer(kit, parseCallback({ ...form, state })),
  };
}

/** Where the delivery sends the browser; fails where it sends it nowhere. */
export function addressOf(delivery: Delivery): string {
  if ('redirectUri' in delivery) return delivery.redirectUri;
  throw new Error(`No address: ${delivery.occasion}`);
}
