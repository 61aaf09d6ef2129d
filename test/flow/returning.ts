import { jest } from '@jest/globals';
import { confirm } from '../../lib/flow/confirm.js';
import type { FlowHooks, FlowResult } from '../../lib/flow/context.js';
import type { FlowRecord } from '../../lib/flow/record.js';
import type { Arrival, Handover, Visit } from '../../lib/flow/release.js';
import { seal } from '../../lib/flow/encryption.js';
import { newSecret, resultKey, sha256 } from '../../lib/flow/secrets.js';
import { openProcess, origin, type World, world } from './flow-kit.js';

interface Setup {
  readonly hooks?: FlowHooks;
  readonly hookTimeout?: number;
  /** What the record has beside the rest. */
  readonly record?: Partial<FlowRecord>;
  readonly shared?: World;
}

/** A flow that waits for its browser, and all that a return needs. What the app and the session do stands in `ran`. */
export async function waitingFlow({ hooks, hookTimeout = 1_000, record, shared = world() }: Setup = {}) {
  const { clock, store } = shared;
  const onError = (): undefined => undefined;
  const app = openProcess(shared, { hooks: { onError, ...hooks }, hookTimeout });
  const { deps, ran, events } = app;
  const [state, secret] = [newSecret(), newSecret()];
  const place = deps.records.placeOf(state);
  const result: FlowResult = {
    request: 'default',
    issuer: 'xx-test',
    sandbox: false,
    verifiedAt: clock(),
    attributes: { given_name: 'Erika' },
    derived: {},
    receipt: { id: 'receipt', presentationSha256: 'digest' },
  };
  const startedAt = clock().getTime();
  await deps.records.create(place, {
    status: 'verified',
    request: 'default',
    issuer: 'xx-test',
    variant: 'derived',
    reveal: ['given_name'],
    derived: {},
    question: 'the question of default',
    startedAt,
    expiresAt: startedAt + 600_000,
    origin,
    refused: [],
    code: sha256(secret),
    result: seal(resultKey(secret), place.id, JSON.stringify(result)),
    ...record,
  });

  const isThere = jest.fn<Handover['isThere']>(async () => await Promise.resolve(true));
  const open = jest.fn<Handover['open']>();
  const keep = jest.fn<Handover['keep']>(() => 'chosen');
  const commit = jest.fn<Handover['commit']>(async () => await Promise.resolve('saved'));
  const undo = jest.fn<Handover['undo']>(async () => {});
  const handover: Handover = {
    async isThere() {
      ran.push('isThere');
      return await isThere();
    },
    open() {
      ran.push('open');
      open();
    },
    keep(given) {
      ran.push('keep');
      return keep(given);
    },
    async commit(released) {
      ran.push('commit');
      return await commit(released);
    },
    async undo() {
      ran.push('undo');
      await undo();
    },
  };
  const its = { id: place.id, state, secret, subject: undefined };
  const visit: Visit = { ...its, sessionId: 'a session', req: 'the request' };
  const stored = async () => await deps.records.read(place);
  const status = async (): Promise<string | undefined> => {
    const read = await stored();
    return read === undefined || read === 'burnt' ? read : read.record.status;
  };
  return {
    deps,
    store,
    clock,
    id: place.id,
    visit,
    result,
    mocks: { isThere, open, keep, commit, undo },
    handover,
    events,
    ran,
    stored,
    status,
  };
}

type Waiting = Pick<Awaited<ReturnType<typeof waitingFlow>>, 'deps' | 'visit' | 'handover'>;

/** The browser comes back, and receives the answer or does not. */
export async function comeBack({ deps, visit, handover }: Waiting, received = true): Promise<Arrival> {
  const { complete, ...arrival } = await confirm(deps, visit, handover);
  await complete?.(received);
  return arrival;
}
