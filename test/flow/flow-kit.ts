import type { IdentityError } from '../../lib/errors.js';
import {
  type End,
  type Flow,
  type FlowHooks,
  type StartInput,
  createFlow,
  findFlow,
  handleCallback,
  startFlow,
} from '../../lib/flow/flow.js';
import { flowIdOf } from '../../lib/flow/secrets.js';
import type { IdentityEvent } from '../../lib/types/events.js';
import type { FlowStore } from '../../lib/types/store.js';
import type { Verifier } from '../../lib/types/trust.js';
import type { IdentityService } from '../../lib/service/contract.js';
import { resolveOptions } from '../../lib/options/resolve.js';
import { parseCallback, receivedOf } from '../../lib/service/prove/callback.js';
import { createProveService } from '../../lib/service/prove/client.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { testClock, type TestClock } from '../support/clock.js';
import { byName } from '../support/callbacks.js';
import { storeAround } from '../support/stores.js';

type FlowSettings = Parameters<typeof createFlow>[0];

export const origin = 'https://app.example';

/** The service, with a start of the test's own. */
export function serviceThat(start: IdentityService['start']): IdentityService {
  return { ...createProveService({ baseUrl: 'https://service.example', apiKey: 'key' }), start };
}

/** A service that takes every start; the address of its wallet ends with the state, so that the test knows it. */
const takesEverything = serviceThat(
  async ({ state }) => await Promise.resolve({ redirectUrl: `https://wallet.example/#${state}` }),
);

/** The session of a start that nobody will come back to: test/http has those that are real. */
export const someSession: Parameters<typeof startFlow>[2] = async () => await Promise.resolve('an owner');

/** What several processes have in common. */
export interface World {
  readonly clock: TestClock;
  readonly store: FlowStore;
}

export function world(store?: (clock: TestClock) => FlowStore): World {
  const clock = testClock();
  return { clock, store: store?.(clock) ?? memoryStore({ clock }) };
}

/** A world in which `around` makes each call of the store: before it, after it, or not at all. */
export function worldAround(around: Parameters<typeof storeAround>[0]): World {
  return world((clock) => storeAround(around, memoryStore({ clock })));
}

/** A world whose store fails at every call of this name from the moment that it is cut. */
export function cuttableWorld(name: keyof FlowStore = 'replace') {
  let down = false;
  const shared = worldAround(async (call, work) => {
    if (down && call === name) throw new Error('away');
    return await work();
  });
  const cut = (now = true): void => void (down = now);
  return { shared, cut };
}

/** What was written, as the store was told it. */
export interface Written {
  readonly id: string;
  readonly value: string;
  readonly ttl: number;
}

/** The same world, as one of its processes sees it: the calls that this one makes of the store, in order. */
export function watched({ clock, store }: World = world()) {
  const calls: string[] = [];
  const written: Written[] = [];
  const around: Parameters<typeof storeAround>[0] = async (call, work, args) => {
    calls.push(call);
    const done = await work();
    if ((call === 'create' || call === 'replace') && done === true) {
      const [id, value, ttl] = [args[0], ...args.slice(-2)] as [string, string, number];
      written.push({ id, value, ttl });
    }
    return done;
  };
  return { shared: { clock, store: storeAround(around, store) }, calls, written };
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
export function flowSettings({ clock, store }: World, more: Partial<FlowSettings> = {}): FlowSettings {
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
    service: takesEverything,
    verifiers: new Map(),
    hooks: {},
    clock,
    onEvent: undefined,
    notice: () => {},
    log: { fault: () => {}, warn: () => {}, once: () => {} },
    secrets: ['a secret of the app under test, and of its flows'],
    ...more,
  };
}

export type Setup = Partial<FlowSettings> & { readonly verifier?: Verifier };

/** A flow that has begun: its state, as the service was sent it, and its public name. */
export interface Started {
  readonly state: string;
  readonly id: string;
}

/** One process: the flow's real functions over a store, a clock and a verifier of the test's own. */
export interface Process {
  readonly flow: Flow;
  readonly events: Omit<IdentityEvent, 'at'>[];
  readonly ran: string[];
  readonly judged: string[];
  start(more?: Partial<StartInput>): Promise<Started>;
  /** The same, and how it ended, whether well or not. */
  tryStart(more?: Partial<StartInput>, session?: typeof someSession): Promise<End>;
  deliver(state: string, form?: Record<string, string>): Promise<End>;
  /** What the session that owns the flow would be told of it. */
  statusOf(state: string): Promise<string>;
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
  const judge: Verifier = async (presentation, expected) => {
    judged.push(presentation);
    return await (verifier ?? byName)(presentation, expected);
  };
  const flow = createFlow(
    flowSettings(
      { clock, store },
      {
        path,
        verifiers: new Map([['xx-test', judge]]),
        hooks: Object.fromEntries(noted) as FlowHooks,
        onEvent: ({ at: _at, ...event }) => void events.push(event),
        ...setup,
      },
    ),
  );
  const tryStart: Process['tryStart'] = async (more = {}, session = someSession) => {
    const question = {
      name: 'default',
      issuer: 'xx-test',
      reveal: ['given_name', 'birth_date'] as const,
      derived: {},
    };
    return await startFlow(flow, { question, origin, sameDevice: false, ways: [], ...more }, session);
  };
  return {
    flow,
    events,
    ran,
    judged,
    tryStart,
    async start(more) {
      const { transition, own, location = '' } = await tryStart(more);
      if (transition !== 'started') throw new Error(`It ended as ${transition}.`);
      return { id: own?.id ?? '', state: new URL(location).hash.slice(1) };
    },
    deliver: async (state, form = { presentation: 'good' }) =>
      await handleCallback(flow, receivedOf(parseCallback({ ...form, state }))),
    statusOf: async (state) => (await findFlow(flow, flowIdOf(state, path)))?.record.status ?? 'expired',
  };
}

/** Where the delivery sends the browser; fails where it sends it nowhere. */
export function addressOf(delivery: End): string {
  if (delivery.location !== undefined) return delivery.location;
  throw new Error(`No address: ${delivery.transition}`);
}

/** A process in which a flow has begun. */
export async function started(setup?: Setup, shared = world(), more?: Partial<StartInput>) {
  const app = openProcess(shared, setup);
  return { app, shared, ...(await app.start(more)) };
}
