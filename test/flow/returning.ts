import { jest } from '@jest/globals';
import type { FlowHooks, FlowResult } from '../../lib/flow/context.js';
import type { FlowRecord } from '../../lib/flow/record.js';
import { seal, newSecret, resultKey, sha256 } from '../../lib/flow/secrets.js';
import type { IdentityError } from '../../lib/errors.js';
import type { ReturnInput, ReturnOutcome } from '../../lib/flow/return.js';
import { type TestSession, driveReturn, openProcess, origin, type World, world } from './flow-kit.js';

interface Setup {
  readonly hooks?: FlowHooks;
  readonly hookTimeout?: number;
  readonly path?: string;
  readonly waiting?: Set<string>;
  /** What the record has beside the rest. */
  readonly record?: Partial<FlowRecord>;
  readonly shared?: World;
}

/** A flow that waits for its browser, and all that a return needs. What the app and the session do stands in `ran`. */
export async function waitingFlow({ hooks, record, shared = world(), ...setup }: Setup = {}) {
  const { clock, store } = shared;
  const onError = (): undefined => undefined;
  const app = openProcess(shared, { hooks: { onError, ...hooks }, ...setup });
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

  const mocks = {
    isStored: jest.fn<TestSession['isStored']>(async () => await Promise.resolve(true)),
    keep: jest.fn<TestSession['keep']>(() => 'chosen'),
    save: jest.fn<TestSession['save']>(async () => await Promise.resolve('saved')),
  };
  const session: TestSession = {
    async isStored() {
      ran.push('isStored');
      return await mocks.isStored();
    },
    regenerate: () => void ran.push('regenerate'),
    keep(kept) {
      ran.push('keep');
      return mocks.keep(kept);
    },
    async save(saved) {
      ran.push('save');
      return await mocks.save(saved);
    },
    rollback: async () => await Promise.resolve(void ran.push('rollback')),
  };
  const input: ReturnInput = { id: place.id, state, secret, subject: undefined, sessionId: 'a session' };
  const stored = async () => await deps.records.read(place);
  const status = async (): Promise<string | undefined> => {
    const read = await stored();
    return read === undefined || read === 'revoked' ? read : read.record.status;
  };
  return {
    deps,
    store,
    clock,
    id: place.id,
    flow: app.flow,
    input,
    result,
    mocks,
    session,
    events,
    ran,
    stored,
    status,
  };
}

type Waiting = Pick<Awaited<ReturnType<typeof waitingFlow>>, 'flow' | 'input' | 'session'>;

/** The browser comes back, and receives the answer or does not. */
export async function comeBack({ flow, input, session }: Waiting, received = true) {
  const { complete, answer: _answer, ...outcome } = withComplete(await driveReturn(flow, input, session));
  await complete?.(received);
  return outcome;
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
