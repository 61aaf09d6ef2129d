import type { Account } from './accounts.js';
import type { Jobs } from './jobs.js';
import type { Log } from './log.js';
import type { Look } from './look.js';
import type { Metrics } from './metrics.js';
import type { WatchedVerifier } from './verifiers/watched.js';

/** What the routes share. */
export interface Bridge {
  readonly publicUrl: string;
  /** Where the verifier reaches the bridge. */
  readonly hookUrl: string;
  readonly issuer: string;
  readonly accounts: readonly Account[];
  readonly jobs: Jobs;
  readonly verifier: WatchedVerifier;
  readonly look: Look;
  readonly now: () => number;
  readonly log: Log;
  readonly metrics: Metrics;
}
