// All that other layers know of the flows: functions, each of which is given the flows of one factory.
export { appErrorAddress, codeAddress, errorAddress } from './addresses.js';
export { handleCallback } from './callback.js';
export { type FlowDeps as Flow, type FlowHooks, createFlow, questionDigestOf } from './context.js';
export { endWithoutFlow } from './hooks.js';
export { type KeptSeal, createKeptSeal } from './kept-seal.js';
export type { Doing, FlowStatus } from './record.js';
export { findFlow, type StoredFlow, unreadable } from './records.js';
export { type ReleasableFlow, type ReturnSession, type Returning, comeBack, maxReloads } from './return.js';
export { type ReturnCode, flowIdOf, newMark, newSecret, processSecret, readReturnCode } from './secrets.js';
export { type LastStart, type StartInput, startFlow } from './start.js';
export { type End, Stop, endOf, rowOf } from './transitions.js';
export { cancelFlow, requestOf, signedFor } from './wallet.js';
