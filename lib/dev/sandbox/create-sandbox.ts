import { setTimeout as sleep } from 'node:timers/promises';
import { configInvalid } from '../../errors.js';
import type { Variant } from '../../contracts/attributes.js';
import type { SdJwtVcTrust } from '../../contracts/trust.js';
import { sandboxIssuer, sandboxTrust } from '../../protocol/sandbox.js';
import { type SandboxAccounts, type SandboxAccount, createAccounts } from './service/accounts.js';
import { sandboxApp } from './app.js';
import { deliver } from './service/deliver.js';
import { createIssuer } from './issuers/sandbox-issuer.js';
import { type SandboxOptions, checkOptions } from './options.js';
import { createJobs } from './service/jobs.js';
import { listen } from './http/listen.js';
import { explain } from './pages/problem-texts.js';
import { choosePerson } from './people/choose.js';
import { createWallet } from './wallet/wallet.js';

/** The options of `identityVerification` that name this sandbox as the service. */
export interface SandboxIdentityOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly issuer: 'xx-sandbox';
  readonly variant: Variant;
  readonly trust: { readonly 'xx-sandbox': SdJwtVcTrust };
  readonly allowSandbox: true;
  /** The origin of the Redirect URL, where one is set. */
  readonly appUrl?: string;
}

/** A service that runs on this machine. */
export interface Sandbox {
  readonly url: string;
  /** Spread these into `identityVerification`. */
  readonly options: SandboxIdentityOptions;
  /** The Redirect URL of the working account. */
  redirectUrl: string | undefined;
  /** One account for each standing of the interface; only `working` may start a verification. */
  readonly accounts: SandboxAccounts;
  /** Stops listening, ends open connections and drops deliveries under way. */
  close(): Promise<void>;
}

/**
 * Starts the identity verification service on this machine: `POST /prove`, a wallet page with a made-up person,
 * and the callback. Refuses to run in production.
 *
 * @example
 * ```ts
 * import { identityVerification } from 'pidgate'
 * import { createSandbox } from 'pidgate/sandbox'
 *
 * const sandbox = await createSandbox({ redirectUrl: 'http://localhost:3000/identity/callback' })
 * const identity = identityVerification({ ...sandbox.options, reveal: ['given_name'] })
 * await sandbox.close()
 * ```
 */
export async function createSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, variant = 'derived', clock = () => new Date(), log = () => {} } = options;
  if (process.env['NODE_ENV'] === 'production') {
    throw configInvalid('The sandbox proves nothing about anyone: it does not run with NODE_ENV=production.');
  }
  checkOptions(options);
  const person = choosePerson(
    options.person === undefined ? 'erika' : options.person,
    clock(),
    'createSandbox: person',
  );
  const accounts = createAccounts(options.apiKey, options.redirectUrl);
  const { server, url } = await listen(port);
  const closing = new AbortController();
  const runtime = {
    fetch: options.fetch ?? globalThis.fetch,
    wait: options.wait ?? (async (ms, signal) => await sleep(ms, undefined, { signal })),
    timeout: options.timeout ?? 20_000,
    signal: closing.signal,
  };
  const issuer = await createIssuer(url, variant, clock, person);
  const jobs = createJobs(clock);
  const wallet = createWallet(issuer, async (to, body) => {
    const outcome = await deliver(to, body, runtime);
    log(outcome.ok ? 'callback 200' : `callback failed: ${explain(outcome.problem).title}`);
    return outcome;
  });
  server.on('request', sandboxApp({ url, variant, person, accounts, jobs, wallet, jwks: issuer.jwks, log }));

  return {
    url,
    accounts,
    get options() {
      return identityOptions(url, variant, accounts.working);
    },
    get redirectUrl() {
      return accounts.working.redirectUrl;
    },
    set redirectUrl(redirectUrl) {
      accounts.working.redirectUrl = redirectUrl;
    },
    async close() {
      closing.abort();
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
    },
  };
}

function identityOptions(url: string, variant: Variant, account: SandboxAccount): SandboxIdentityOptions {
  const { apiKey, redirectUrl } = account;
  const options: SandboxIdentityOptions = {
    baseUrl: url,
    apiKey,
    issuer: sandboxIssuer,
    variant,
    trust: { [sandboxIssuer]: sandboxTrust(url) },
    allowSandbox: true,
  };
  return redirectUrl === undefined ? options : { ...options, appUrl: new URL(redirectUrl).origin };
}
