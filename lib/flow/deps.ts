import type {
  AttributeId,
  DerivedId,
  DerivedResults,
  PidAttributes,
  Variant,
} from '../contracts/attributes.js';
import type { IdentityEvent, Step } from '../contracts/events.js';
import type { ProveClient } from '../contracts/service.js';
import type { Clock, Json } from '../contracts/values.js';
import type { Verifier } from '../contracts/verifier.js';
import type { IdentityError } from '../errors.js';
import type { Receipt } from '../protocol/receipt.js';
import type { Cap } from './concurrency-limit.js';
import type { Shelf } from './records.js';

/** A named request as the flow needs it. */
export interface RequestPlan {
  readonly name: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
}

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
export interface FlowHooks<Req> {
  readonly onVerified?: (args: HookArgs) => unknown;
  /** Without `req` where it runs in the callback. */
  readonly onSuccess?: (args: HookArgs & { req?: Req }) => unknown;
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

/** Everything a flow works with, joined once at construction. */
export interface FlowKit<Req> {
  readonly returnPath: string;
  /** The app's public origins; the first one stands in the reply that all closed flows share. */
  readonly origins: readonly [string, ...string[]];
  readonly issuer: string;
  readonly variant: Variant;
  readonly confirm: 'return' | 'callback';
  /** Where a flow of this request ends when nothing else was asked for. */
  readonly successRedirectOf: (request: string) => string;
  readonly errorRedirect: string | undefined;
  readonly flowTtl: number;
  readonly verifyTimeout: number;
  readonly hookTimeout: number;
  readonly shelf: Shelf;
  readonly client: ProveClient;
  readonly verifiers: ReadonlyMap<string, Verifier>;
  readonly proving: Cap;
  readonly verifying: Cap;
  /** Flows for which one delivery of this process already waits. */
  readonly waiting: Set<string>;
  readonly hooks: FlowHooks<Req>;
  readonly clock: Clock;
  readonly emit: (event: Omit<IdentityEvent, 'at'>) => void;
}
