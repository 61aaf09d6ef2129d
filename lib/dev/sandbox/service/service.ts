import type { PidAttributes, Variant } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import type { SdJwtVcTrust } from '../../../types/trust.js';
import type { GermanIssuer } from '../issuers/german-issuer.js';
import type { SandboxIssuer } from '../issuers/sandbox-issuer.js';
import type { SandboxIssuerId } from '../profile.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import type { Timeline } from '../timeline/timeline.js';
import type { SandboxAccounts } from './accounts.js';
import type { Answers } from './answers.js';
import type { Jobs } from './jobs.js';
import type { KnownApp } from './known-app.js';

/** What the routes of the sandbox share. */
export interface Service {
  /** The address of this machine that apps and pages use. */
  readonly url: string;
  readonly variant: Variant;
  readonly clock: Clock;
  readonly accounts: SandboxAccounts;
  readonly jobs: Jobs;
  readonly answers: Answers;
  readonly timeline: Timeline;
  readonly app: KnownApp;
  readonly sandboxIssuer: SandboxIssuer;
  readonly germanIssuer: GermanIssuer;
  /** The entries that apps verify both issuers by. */
  readonly trust: Readonly<Record<SandboxIssuerId, SdJwtVcTrust>>;
  readonly upcoming: Upcoming;
  /** More than 0 while the scenario `keys_unreachable` is played. */
  readonly outage: { keys: number };
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** What the next flow will be like. */
export interface Upcoming {
  scenario: ScenarioId | undefined;
  /** The robot starts it. */
  robot: boolean;
  person: Readonly<PidAttributes>;
}
