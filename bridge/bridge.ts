import type { Account } from './accounts.js';
import type { Jobs } from './jobs.js';
import type { Look } from './look.js';
import type { Verifier } from './verifiers/verifier.js';

/** What the routes share. */
export interface Bridge {
  readonly publicUrl: string;
  /** Where the verifier reaches the bridge. */
  readonly hookUrl: string;
  readonly issuer: string;
  readonly accounts: readonly Account[];
  readonly jobs: Jobs;
  readonly verifier: Verifier;
  readonly look: Look;
  readonly now: () => number;
  readonly log: (id: string | undefined, line: string) => void;
}
