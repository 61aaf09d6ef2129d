import type { IdentityError } from '../errors.js';
import type { Callback } from '../service/contract.js';
import { handleCallback } from './callback.js';
import { arriveElsewhere, confirm, failReturn, repeated, unavailable, rejectUnknownCode } from './confirm.js';
import type { Delivery, Unanswered } from './delivery.js';
import { type FlowSettings, createDeps } from './context.js';
import type { RequestPlan } from './request-digest.js';
import { emitEvent, errorAddress } from './hooks.js';
import type { FlowStatus } from './record.js';
import type { Arrival, Handover, Visit } from './release.js';
import { type ReturnCode, readReturnCode } from './return-code.js';
import { type FlowEntry, type StartInput, type StartedFlow, startFlow } from './start.js';
import type { AnswerKind } from './transition.js';
import { transitions } from './transitions.js';

export type { Delivery, Unanswered } from './delivery.js';
export type { FlowHooks } from './context.js';
export type { Arrival, Handover, Released } from './release.js';
export type { ReturnCode } from './return-code.js';
export { type FlowEntry, type StartInput, type StartedFlow, StartFailed } from './start.js';

/** The one door to the flows: all that web/ and identity-verification.ts know of them. */
export interface Flow {
  readonly returnPath: string;
  start(input: StartInput, addToSession: (entry: FlowEntry) => Promise<void>): Promise<StartedFlow>;
  /** A start that never became a flow: an event, and no hook, because anyone can cause it at will. */
  startImpossible(error: IdentityError): void;
  /** True where this process knows that the flow's start failed. */
  hasFailed(id: string): boolean;
  callback(callback: Callback): Promise<Delivery>;
  /** A callback that no flow could take: an event, and no hook. */
  callbackFailed(error: IdentityError): Unanswered;
  readCode(given: unknown): ReturnCode | undefined;
  confirm(visit: Visit, handover: Handover): Promise<Arrival>;
  repeated(flow: string, location: string): Promise<Arrival>;
  arriveElsewhere(code: ReturnCode): Promise<Arrival>;
  rejectUnknownCode(): Promise<Arrival>;
  failReturn(code: ReturnCode, fault: unknown): Promise<Arrival>;
  /** The same, in a session that does not own the flow: an event, and no hook. */
  unavailable(code: ReturnCode, fault: unknown): Arrival;
  /** What the table has for how a return ended. */
  answerTo(arrival: Arrival): AnswerKind;
  statusOf(state: string): Promise<FlowStatus | 'expired'>;
  questionOf(plan: RequestPlan): string;
  errorAddress(error: IdentityError): string;
}

export function createFlow(settings: FlowSettings): Flow {
  const deps = createDeps(settings);
  return {
    returnPath: deps.returnPath,
    start: (input, addToSession) => startFlow(deps, input, addToSession),
    startImpossible(error) {
      emitEvent(deps, 'start_impossible', {}, error);
    },
    hasFailed: (id) => deps.failedStarts.has(id),
    callback: (callback) => handleCallback(deps, callback),
    callbackFailed(error) {
      const transition = failureOf(error);
      emitEvent(deps, transition, {}, error);
      return { transition, error };
    },
    readCode: readReturnCode,
    confirm: (visit, handover) => confirm(deps, visit, handover),
    repeated,
    arriveElsewhere: (code) => arriveElsewhere(deps, code),
    rejectUnknownCode: () => rejectUnknownCode(deps),
    failReturn: (code, fault) => failReturn(deps, code, fault),
    unavailable: (code, fault) => unavailable(deps, code, fault),
    answerTo: ({ transition }) => transitions[transition].answer,
    async statusOf(state) {
      const stored = await deps.records.read(deps.records.placeOf(state));
      return stored === 'burnt' ? 'failed' : (stored?.record.status ?? 'expired');
    },
    questionOf: deps.questionOf,
    errorAddress: (error) => errorAddress(deps, error),
  };
}

function failureOf({ code, status }: IdentityError): Unanswered['transition'] {
  if (code === 'body_consumed') return 'body_consumed';
  return status === 503 ? 'callback_unavailable' : 'callback_malformed';
}
