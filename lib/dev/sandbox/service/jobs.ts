import { createHash, randomBytes } from 'node:crypto';
import type { Clock } from '../../../contracts/values.js';
import type { ReceivedProveRequest } from '../../../protocol/prove.js';
import type { SandboxAccount } from './accounts.js';
import type { Decision } from '../wallet/decision.js';
import type { Outcome } from './reply.js';

/** One verification that the sandbox was asked for. */
export interface Job {
  readonly id: string;
  readonly account: SandboxAccount;
  readonly request: ReceivedProveRequest;
  readonly expiresAt: number;
  /** Set by the first decision, and never changed to another: a flow gets one kind of callback. */
  answer?: Answer;
}

/** What was decided, the callback's body (the same bytes at every delivery) and what came of sending it. */
export interface Answer {
  readonly decision: Decision;
  readonly body: Promise<string>;
  readonly sending: Promise<Outcome>;
  outcome?: Outcome;
}

export interface Jobs {
  /** Undefined: this account has used the state before. */
  open(account: SandboxAccount, request: ReceivedProveRequest): Job | undefined;
  find(id: string): Job | undefined;
}

const lifetime = 10 * 60 * 1000;

/** Everything is bounded: past the limits the oldest leaves. */
export function createJobs(clock: Clock, limits = { jobs: 1000, states: 10_000 }): Jobs {
  const jobs = new Map<string, Job>();
  const states = new Set<string>();

  return {
    open(account, request) {
      const used = createHash('sha256').update(`${account.apiKey} ${request.state}`).digest('base64url');
      if (states.has(used)) return undefined;
      states.add(used);
      shrink(states, limits.states);
      const id = randomBytes(24).toString('base64url');
      const job: Job = { id, account, request, expiresAt: clock().getTime() + lifetime };
      jobs.set(id, job);
      dropExpired();
      shrink(jobs, limits.jobs);
      return job;
    },
    find(id) {
      dropExpired();
      return jobs.get(id);
    },
  };

  function dropExpired(): void {
    const now = clock().getTime();
    for (const [id, { expiresAt }] of jobs) {
      if (expiresAt > now) return; // in the order of their making, so the rest is younger
      jobs.delete(id);
    }
  }
}

function shrink(held: Map<string, unknown> | Set<string>, limit: number): void {
  for (const oldest of held.keys()) {
    if (held.size <= limit) return;
    held.delete(oldest);
  }
}
