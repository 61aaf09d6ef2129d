import { sha256 } from '../../../internal/sha256.js';
import type { PidAttributes } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import { requestLifetime, type TimelineFlow } from '../timeline/timeline.js';
import type { SandboxAccount } from './accounts.js';
import type { WalletRequest } from '../wallet/wallet.js';
import { newId } from './ids.js';
import type { ReplyOutcome } from './reply.js';

/** What is asked: of the service, or of a wallet by the app itself. */
export interface JobRequest extends ReceivedProveRequest {
  readonly wallet?: WalletRequest;
}

/** One verification that the sandbox was asked for. */
export interface Job {
  /** The page's id, in `redirect_url`. No other address of the job has it. */
  readonly id: string;
  readonly account: SandboxAccount;
  readonly request: JobRequest;
  readonly expiresAt: number;
  readonly flow: TimelineFlow;
  /** What the app tells of itself and of this question; `*` is for every language. */
  readonly app: { readonly name: string | undefined; readonly purposes: Readonly<Record<string, string>> };
  /** Who will be at the wallet, unless somebody else is chosen there. */
  person: Readonly<PidAttributes>;
  /** What is played; the wallet may choose another one than was planned. */
  scenario: ScenarioId;
  planned: ScenarioId;
  /** The PIN of the German card, which is asked for once the person has agreed. */
  pin: { agreed: boolean; triesLeft: number; last?: 'wrong' | 'no_pin' };
  /** A browser has been on its page. */
  opened?: boolean;
  /** Set by the first answer, and never changed to another: a flow gets one kind of callback. */
  answer?: JobAnswer;
  /** Tells the pages that wait. */
  readonly watchers: Set<() => void>;
}

/** What was answered, the callback's body (the same bytes at every delivery) and what came of sending it. */
export interface JobAnswer {
  readonly id: ScenarioId | 'wallet_error';
  readonly body: Promise<string>;
  readonly sending: Promise<ReplyOutcome>;
  outcome?: ReplyOutcome;
}

/** What a job is made of. */
export interface JobPlan {
  readonly account: SandboxAccount;
  readonly request: JobRequest;
  readonly person: Readonly<PidAttributes>;
  readonly scenario: ScenarioId;
  readonly flow: TimelineFlow;
  readonly app: Job['app'];
}

export interface Jobs {
  /** True the first time that an account uses a state. */
  claim(account: SandboxAccount, state: string): boolean;
  open(plan: JobPlan): Job;
  find(id: string): Job | undefined;
  /** A job that has expired, for its pages to say so. */
  findExpired(id: string): Job | undefined;
}

/** Everything is bounded: past the limits the oldest leaves. */
export function createJobs(clock: Clock, limits = { jobs: 1000, states: 10_000 }): Jobs {
  const jobs = new Map<string, Job>();
  const states = new Set<string>();

  return {
    claim(account, state) {
      const used = sha256(`${account.apiKey} ${state}`);
      if (states.has(used)) return false;
      states.add(used);
      shrink(states, limits.states);
      return true;
    },
    open(plan) {
      const id = newId();
      const job: Job = {
        id,
        ...plan,
        planned: plan.scenario,
        expiresAt: clock().getTime() + requestLifetime,
        watchers: new Set(),
        pin: { agreed: false, triesLeft: 3 },
      };
      jobs.set(id, job);
      shrink(jobs, limits.jobs);
      return job;
    },
    find(id) {
      const job = jobs.get(id);
      return job !== undefined && isAlive(job) ? job : undefined;
    },
    findExpired(id) {
      const job = jobs.get(id);
      return job !== undefined && !isAlive(job) ? job : undefined;
    },
  };

  function isAlive({ expiresAt }: Job): boolean {
    return expiresAt > clock().getTime();
  }
}

/** Calls back when a request expires, until the returned function is called. */
export function atExpiry({ expiresAt }: Job, clock: Clock, tell: () => void): () => void {
  const expiry = setTimeout(tell, Math.max(0, expiresAt - clock().getTime())).unref();
  return () => {
    clearTimeout(expiry);
  };
}

/** Tells every page that waits for this job. */
export function tellWatchers({ watchers }: Job): void {
  for (const tell of watchers) tell();
}

export function shrink(held: Map<string, unknown> | Set<string>, limit: number): void {
  for (const oldest of held.keys()) {
    if (held.size <= limit) return;
    held.delete(oldest);
  }
}
