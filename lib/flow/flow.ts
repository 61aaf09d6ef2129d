import type { IdentityError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import { type Unanswered, handleCallback } from './callback.js';
import { type FlowDeps, type FlowSettings, createDeps } from './context.js';
import { appErrorAddress, emitEvent } from './hooks.js';
import type { FlowStatus, ReportedTransition } from './transitions.js';
import {
  type ReturnInput,
  type UseVisit,
  failReturn,
  failUnownedReturn,
  rejectUnknownCode,
  repeatReturn,
  revokeCode,
  withVisit,
} from './return.js';
import { type ReturnCode, readReturnCode } from './secrets.js';
import { type AddToSession, type StartInput, startFlow } from './start.js';

export { type Delivery, type Unanswered, minReturnMs } from './callback.js';
export type { FlowHooks } from './context.js';
export { toIdentityError } from './hooks.js';
export type { ReturnOutcome, ReturnStop, Visit } from './return.js';
export type { ReturnCode } from './secrets.js';
export { type FlowEntry, type StartInput, StartFailed } from './start.js';

/** All that other layers know of the flows. */
export type Flow = ReturnType<typeof flowOf>;

export const createFlow = (settings: FlowSettings): Flow => flowOf(createDeps(settings));

/** The flow over parts of a test's own. */
export function flowOf(deps: FlowDeps) {
  const { returnPath, failedStarts, records, questionOf } = deps;
  return {
    returnPath,
    questionOf,
    start: (input: StartInput, addToSession: AddToSession) => startFlow(deps, input, addToSession),
    /** A start that never became a flow: an event, and no hook, because anyone can cause it at will. */
    startImpossible(error: IdentityError): void {
      emitEvent(deps, 'start_impossible', {}, error);
    },
    /** True where this process knows that the flow's start failed. */
    hasFailed: (id: string) => failedStarts.has(id),
    callback: (callback: Callback) => handleCallback(deps, callback),
    /** A callback that no flow could take: an event, and no hook. */
    callbackFailed(error: IdentityError): Unanswered {
      const transition = failureOf(error);
      emitEvent(deps, transition, {}, error);
      return { transition, error };
    },
    readCode: readReturnCode,
    withVisit: (input: ReturnInput, use: UseVisit) => withVisit(deps, input, use),
    repeatReturn,
    revokeCode: (code: ReturnCode) => revokeCode(deps, code),
    rejectUnknownCode: () => rejectUnknownCode(deps),
    failReturn: (code: ReturnCode, fault: unknown) => failReturn(deps, code, fault),
    failUnownedReturn: (code: ReturnCode, fault: unknown) => failUnownedReturn(deps, code, fault),
    async statusOf(state: string): Promise<FlowStatus | 'expired'> {
      const stored = await records.read(records.placeOf(state));
      return stored === 'revoked' ? 'failed' : (stored?.record.status ?? 'expired');
    },
    /** The app's own word for its refusal of a flow; undefined where it has not refused. */
    async refusalOf(state: string): Promise<string | undefined> {
      const stored = await records.read(records.placeOf(state));
      return stored === 'revoked' ? undefined : stored?.record.refusal;
    },
    appErrorAddress: (
      error: Pick<IdentityError, 'code' | 'serviceCode'>,
      flow?: { readonly request?: string; readonly returnTo?: string },
    ) => appErrorAddress(deps, error, flow),
  };
}

function failureOf({ code, status }: IdentityError): ReportedTransition & Unanswered['transition'] {
  if (code === 'body_consumed') return 'body_consumed';
  return status === 503 ? 'callback_unavailable' : 'callback_malformed';
}
