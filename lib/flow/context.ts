import type { AboutFlow, IdentityEvent, Log, Step } from '../types/events.js';
import type { Asked, IdentityService } from '../service/contract.js';
import type { FlowStore } from '../types/store.js';
import type { Clock, Json } from '../types/json.js';
import type { FlowVerifier } from '../types/trust.js';
import { IdentityError, kitError } from '../errors.js';
import type { FlowResult } from './record.js';
import { createRecords, type Records } from './records.js';
import { sha256 } from '../internal/sha256.js';
import { supportCodeOf } from '../internal/support-code.js';
import { withTimeout } from '../internal/timeouts.js';
import { type StoreCalls, createStoreCalls } from './store-calls.js';
import { channel } from 'node:diagnostics_channel';

/** What the hooks are called with; `req` passes through the flow unseen. */
export interface FlowHooks {
  /** `presentation` is the text as it came, for an app that must archive it. */
  readonly onVerified?: (args: HookArgs & { readonly presentation?: string }) => unknown;
  /** Without `req` where it runs in the callback. */
  readonly onSuccess?: (args: HookArgs & { req?: unknown }) => unknown;
  readonly onError?: (args: AboutFlow & { error: IdentityError; step: Step; context?: Json }) => unknown;
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
  readonly confirm: 'return' | 'callback';
  /** Where a flow of this question ends when nothing else was asked for. */
  readonly successRedirectOf: (question: string) => string;
  readonly errorRedirect: string | ((code: string) => unknown) | undefined;
  readonly flowTtl: number;
  readonly verifyTimeout: number;
  readonly hookTimeout: number;
  /** Starts, and verifications, at one time. */
  readonly concurrentStarts: number;
  readonly concurrentVerifications: number;
  readonly store: FlowStore;
  /** The app's, the same in all its processes: the first seals what is stored, all open it. */
  readonly secrets: readonly [string, ...string[]];
  readonly service: IdentityService;
  readonly verifiers: ReadonlyMap<string, FlowVerifier>;
  readonly hooks: FlowHooks;
  readonly clock: Clock;
  readonly onEvent: ((event: IdentityEvent) => unknown) | undefined;
  /** Hears every event, for the operator's sake. */
  readonly notice: (event: Omit<IdentityEvent, 'at'>) => void;
  readonly log: Log;
}

/** The settings, and what all steps of all flows share. */
export interface FlowDeps extends Omit<FlowSettings, 'concurrentStarts' | 'concurrentVerifications'> {
  readonly storeCalls: StoreCalls;
  readonly records: Records;
  readonly concurrentStarts: ConcurrencyLimit;
  readonly concurrentVerifications: ConcurrencyLimit;
  /** Requests of wallets that are being signed. */
  readonly concurrentRequests: ConcurrencyLimit;
  /** Names for which one request of this process already waits. */
  readonly waiting: Set<string>;
  /** What the guard asks for with each request. */
  readonly digests: WeakMap<Asked, string>;
  readonly emit: (event: Omit<IdentityEvent, 'at' | 'supportCode'>) => void;
}

export function createFlow(settings: FlowSettings): FlowDeps {
  const storeCalls = createStoreCalls(settings.store);
  return {
    ...settings,
    storeCalls,
    records: createRecords(storeCalls, settings),
    concurrentStarts: limitConcurrency(settings.concurrentStarts),
    concurrentVerifications: limitConcurrency(settings.concurrentVerifications, patienceOf(settings)),
    concurrentRequests: limitConcurrency(settings.concurrentStarts),
    waiting: new Set(),
    digests: new WeakMap(),
    emit: createEmitter(settings),
  };
}

/** The form of the digest: another one makes all that was kept not count. */
const questionVersion = 1;

/**
 * A digest of what is asked, of whom: what was kept for another question does not count. `sandbox` is whether the answer
 * came from the sandbox; without it, whether it would.
 */
export function questionDigestOf(deps: FlowDeps, question: Asked, sandbox?: boolean): string {
  if (sandbox !== undefined) return digestOf(deps, question, sandbox);
  const { digests } = deps;
  const digest = digests.get(question) ?? digestOf(deps, question, deps.isSandbox(question.issuer));
  digests.set(question, digest);
  return digest;
}

function digestOf({ path }: FlowDeps, question: Asked, sandbox: boolean): string {
  const { name, issuer, reveal, derived } = question;
  const values = Object.entries(derived).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256(JSON.stringify([questionVersion, path, name, issuer, sandbox, reveal.toSorted(), values]));
}

const diagnostics = channel('pidgate');

/** Sends an event to the app and to the diagnostics channel `pidgate`; a listener that fails changes nothing. */
function createEmitter({ clock, onEvent, notice, log }: FlowSettings): FlowDeps['emit'] {
  return (event) => {
    notice(event);
    if (onEvent === undefined && !diagnostics.hasSubscribers) return;
    const { flow } = event;
    const code = flow === undefined ? {} : { supportCode: supportCodeOf(flow) };
    const dated = Object.freeze({ ...event, ...code, at: clock() });
    diagnostics.publish(dated);
    void (async () => await onEvent?.(dated))().catch((cause: unknown) => {
      log.fault(kitError('hook_failed', { message: 'The hook onEvent failed.', cause }));
    });
  };
}

type ConcurrencyLimit = ReturnType<typeof limitConcurrency>;

/** A service sends its callback again, and a wallet does not: it gets a place as soon as there is one. */
const patienceOf = ({ service, verifyTimeout }: FlowSettings): number =>
  service.sendsOnce ? verifyTimeout : 0;

/** So many may wait for each place. */
const waitingForEach = 20;

/** Lets at most so many pieces of work run at once; the next one is refused as `busy`, or waits so long for a place. */
function limitConcurrency(max: number, patience = 0) {
  let running = 0;
  const waiting: (() => void)[] = [];

  /** Resolves where this one may run: a place was given to it, and counts as running. */
  async function placed(): Promise<void> {
    if (patience === 0 || waiting.length >= max * waitingForEach) throw new IdentityError('busy');
    let take = (): void => undefined;
    const place = new Promise<void>((resolve) => {
      take = resolve;
      waiting.push(take);
    });
    await withTimeout(patience, () => place).catch(() => {
      waiting.splice(waiting.indexOf(take), 1);
      throw new IdentityError('busy');
    });
  }

  return {
    async run<T>(work: () => Promise<T>): Promise<T> {
      if (running >= max) await placed();
      else running += 1;
      try {
        return await work();
      } finally {
        const next = waiting.shift();
        if (next === undefined) running -= 1;
        else next();
      }
    },
  };
}
