export { createSandbox } from './create-sandbox.js';
export type { Sandbox, SandboxIdentityOptions } from './create-sandbox.js';
export type { SandboxOptions } from './options.js';
export type { SandboxAccount, SandboxAccounts } from './service/accounts.js';
