import type { IdentityError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import { type Unanswered, handleCallback } from './callback.js';
import { type FlowDeps, type FlowSettings, createDeps } from './context.js';
import { type DoneFor, appErrorAddress } from './addresses.js';
import { emitEvent } from './hooks.js';
import type { ReportedTransition } from './transitions.js';
import type { StoredFlow } from './records.js';
import { lockOwner } from './lock.js';
import type { FlowResult } from './record.js';
import {
  type ReleasableFlow,
  type ReturnOutcome,
  type ReturnStop,
  busy,
  closeFlow,
  confirm,
  failReturn,
  failUnownedReturn,
  leaveOpen,
  openResult,
  outcome,
  rejectCode,
  revokeCode,
  runKeep,
  runOnSuccess,
  stopReturn,
} from './return.js';
import { type ReturnCode, flowIdOf, readReturnCode } from './secrets.js';
import { type SaveSession, type StartInput, startFlow } from './start.js';
import { trace, traces } from './tracing.js';

export { type Delivery, type Unanswered } from './callback.js';
export type { FlowHooks } from './context.js';
export { mayRunOn, toIdentityError } from './hooks.js';
export { type StoredFlow, isUnreadable, unreadable } from './records.js';
export {
  type ReleasableFlow,
  type ReturnOutcome,
  ReturnStop,
  sessionLeft,
  subjectChanged,
} from './return.js';
export { isSecret, newSecret, processSecret, type ReturnCode } from './secrets.js';
export { type LastStart, type StartInput, StartFailed } from './start.js';
export type { FlowStatus } from './transitions.js';

/** All that other layers know of the flows. */
export type Flow = ReturnType<typeof flowOf>;

export const createFlow = (settings: FlowSettings): Flow => flowOf(createDeps(settings));

/** The flow over parts of a test's own. */
export function flowOf(deps: FlowDeps) {
  const { returnPath, questionDigestOf, path, records } = deps;
  return {
    returnPath,
    questionDigestOf,
    start: (input: StartInput, saveSession: SaveSession) => startFlow(deps, input, saveSession),
    /** A start that never became a flow: an event, and no hook, because anyone can cause it at will. */
    startImpossible(error: IdentityError): void {
      emitEvent(deps, 'start_impossible', {}, error);
    },
    callback: (callback: Callback) => handleCallback(deps, callback),
    /** A callback that no flow could take: an event, and no hook. */
    callbackFailed(error: IdentityError): Unanswered {
      const transition = failureOf(error);
      emitEvent(deps, transition, {}, error);
      return { transition, error };
    },
    idOf: (state: string): string => flowIdOf(state, path),
    /** The flow of this name, whoever asks: a caller tells of it only to the session that owns it. */
    find: (id: string) => records.find(id),

    // The return: lib/http/return.ts has the order.
    readCode: readReturnCode,
    traceReturn: (flow: string | undefined, work: () => Promise<ReturnOutcome>) =>
      trace(traces.return, work, flow),
    repeat: (location: string) => outcome('return_repeated', { location }),
    lock: (owner: string, id: string) => lockOwner(deps, owner, id),
    openResult,
    runOnSuccess: (flow: ReleasableFlow, req: unknown, onLate: (hook: unknown) => void) =>
      runOnSuccess(deps, flow, req, onLate),
    runKeep: (flow: ReleasableFlow, keep: (result: FlowResult) => unknown) => runKeep(deps, flow, keep),
    confirm: (flow: StoredFlow, location: string) => confirm(deps, flow, location),
    close: (flow: StoredFlow) => closeFlow(deps, flow),
    leaveOpen: (flow: StoredFlow) => leaveOpen(deps, flow),

    // Its other ends.
    stop: (flow: StoredFlow, stop: ReturnStop) => stopReturn(deps, flow, stop),
    reload: () => outcome('session_left', {}),
    busy,
    revokeCode: (code: ReturnCode) => revokeCode(deps, code),
    rejectCode: (own?: Parameters<typeof rejectCode>[1]) => rejectCode(deps, own),
    failReturn: (code: ReturnCode, fault: unknown) => failReturn(deps, code, fault),
    failUnownedReturn: (code: ReturnCode, fault: unknown) => failUnownedReturn(deps, code, fault),

    appErrorAddress: (error: Pick<IdentityError, 'code' | 'serviceCode'>, flow?: DoneFor) =>
      appErrorAddress(deps, error, flow),
  };
}

function failureOf({ code, status }: IdentityError): ReportedTransition & Unanswered['transition'] {
  if (code === 'body_consumed') return 'body_consumed';
  return status === 503 ? 'callback_unavailable' : 'callback_malformed';
}
