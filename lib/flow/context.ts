import type { DerivedResults, PidAttributes, Variant } from '../types/attributes.js';
import type { IdentityEvent, Step } from '../types/events.js';
import type { Log } from '../types/log.js';
import type { ProveClient } from '../types/service.js';
import type { FlowStore } from '../types/store.js';
import type { Clock, Json } from '../types/json.js';
import type { Verifier } from '../types/verifier.js';
import type { IdentityError } from '../errors.js';
import type { Receipt } from '../service/receipt.js';
import { type ConcurrencyLimit, limitConcurrency } from './concurrency-limit.js';
import { createEmitter } from './events.js';
import { createQuestions, type RequestPlan } from './request-digest.js';
import { createRecords, type Records } from './records.js';

/** What a verification brought, as the hooks see it. */
export interface FlowResult {
  readonly request: string;
  readonly issuer: string;
  /** True where the sandbox answered: nothing is proved. */
  readonly sandbox: boolean;
  readonly verifiedAt: Date;
  readonly attributes: Readonly<Partial<PidAttributes>>;
  readonly derived: Readonly<Partial<DerivedResults>>;
  readonly receipt: Receipt;
}

/** What the hooks are called with; `req` passes through the flow unseen. */
export interface FlowHooks {
  readonly onVerified?: (args: HookArgs) => unknown;
  /** Without `req` where it runs in the callback. */
  readonly onSuccess?: (args: HookArgs & { req?: unknown }) => unknown;
  readonly onError?: (args: {
    readonly error: IdentityError;
    readonly step: Step;
    readonly context?: Json;
  }) => unknown;
}

export interface HookArgs {
  readonly result: FlowResult;
  readonly context: Json | undefined;
  readonly signal: AbortSignal;
}

/** What a flow is made of: everything that the app and its options decide. */
export interface FlowSettings {
  /** The factory's mount path, with the prefix of its app: it enters every derived key. */
  readonly path: string;
  readonly returnPath: string;
  /** The app's public origins, each with its prefix; the first one is in the reply that all closed flows share. */
  readonly origins: readonly [string, ...string[]];
  /** True for an origin that the app lists now: flows of other origins are not its own. */
  readonly isOwnOrigin: (origin: string) => boolean;
  /** True where the issuer's trust entry is the sandbox's: such results prove nothing. */
  readonly isSandbox: (issuer: string) => boolean;
  readonly variant: Variant;
  readonly confirm: 'return' | 'callback';
  /** Where a flow of this request ends when nothing else was asked for. */
  readonly successRedirectOf: (request: string) => string;
  readonly errorRedirect: string | undefined;
  readonly flowTtl: number;
  readonly verifyTimeout: number;
  readonly hookTimeout: number;
  /** Calls of the service, and verifications, at one time. */
  readonly proving: number;
  readonly verifying: number;
  readonly store: FlowStore;
  readonly client: ProveClient;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly hooks: FlowHooks;
  readonly clock: Clock;
  readonly onEvent: ((event: IdentityEvent) => unknown) | undefined;
  readonly log: Log;
}

/** The settings, and what all steps of all flows share. */
export interface FlowDeps extends Omit<FlowSettings, 'proving' | 'verifying' | 'store' | 'onEvent'> {
  readonly records: Records;
  readonly proving: ConcurrencyLimit;
  readonly verifying: ConcurrencyLimit;
  /** Names for which one request of this process already waits. */
  readonly waiting: Set<string>;
  /** Public names of flows that the service did not take. */
  readonly failedStarts: Set<string>;
  readonly questionOf: (plan: RequestPlan) => string;
  readonly emit: (event: Omit<IdentityEvent, 'at'>) => void;
}

export function createDeps({ proving, verifying, store, onEvent, ...settings }: FlowSettings): FlowDeps {
  const { path, isSandbox, isOwnOrigin, clock, flowTtl } = settings;
  return {
    ...settings,
    records: createRecords({ store, path, clock, burntFor: flowTtl, isOwnOrigin }),
    proving: limitConcurrency(proving),
    verifying: limitConcurrency(verifying),
    waiting: new Set(),
    failedStarts: new Set(),
    questionOf: createQuestions({ path, isSandbox }),
    emit: createEmitter(clock, onEvent, settings.log),
  };
}
