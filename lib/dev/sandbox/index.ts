/** @module pidgate/sandbox */
export { createSandbox } from './create-sandbox.js';
export type {
  Sandbox,
  SandboxIdentityOptions,
  WalletIdentityOptions,
  WalletSandbox,
} from './create-sandbox.js';
export type { Agent, Seen } from './simulator/browser.js';
export type { AppUnderTest, CompleteOptions, CompletedVisit } from './simulator/complete.js';
export type { SandboxOptions, WalletSandboxOptions } from './options.js';
export type { SandboxIssuerId } from './profile.js';
export type { PersonOption } from './people/choose.js';
export type { PersonName } from './people/people.js';
export type { ScenarioId } from './scenarios/catalogue.js';
export type { SandboxAccount, SandboxAccounts } from './service/accounts.js';
