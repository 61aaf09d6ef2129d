import type { PidAttributes, Variant } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import type { SdJwtVcTrust } from '../../../types/trust.js';
import type { webcrypto } from 'node:crypto';
import type { Access } from '../issuers/access.js';
import type { PersonOption } from '../people/choose.js';
import type { GermanIssuer } from '../issuers/german-issuer.js';
import type { SandboxIssuer } from '../issuers/sandbox-issuer.js';
import type { SandboxIssuerId } from '../profile.js';
import type { ScenarioId } from '../scenarios/catalogue.js';
import type { Timeline } from '../timeline/timeline.js';
import type { SandboxAccounts } from './accounts.js';
import type { Answers } from './answers.js';
import type { Job, Jobs } from './jobs.js';
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
  readonly trust: Readonly<Partial<Record<SandboxIssuerId, SdJwtVcTrust>>>;
  /** Who asks, of a sandbox that plays the wallet; undefined where it is a service. */
  readonly access: Access | undefined;
  /** Opens the request of an app that a link leads to. */
  readonly takeRequest: (query: URLSearchParams) => Promise<Job>;
  readonly issuePids: (order: PidsOrder) => Promise<readonly string[]>;
  readonly upcoming: Upcoming;
  /** More than 0 while the scenario `keys_unreachable` is played. */
  readonly outage: { keys: number };
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** The public keys of a wallet, and who holds it. */
export interface PidsOrder {
  readonly holders: readonly webcrypto.JsonWebKey[];
  readonly person?: PersonOption;
}

/** What the next flow will be like. */
export interface Upcoming {
  scenario: ScenarioId | undefined;
  /** The robot starts it. */
  robot: boolean;
  person: Readonly<PidAttributes>;
}
