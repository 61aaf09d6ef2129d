import type { webcrypto } from 'node:crypto';
import type { Variant } from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import { sandboxIssuer } from '../../options/development.js';
import { joinSandbox } from './join.js';
import type { SandboxIssuerId } from './profile.js';
import { onlyInDevelopment } from '../only-development.js';
import { type SandboxAccounts, createAccounts } from './service/accounts.js';
import { sandboxApp } from './app.js';
import {
  type AppUnderTest,
  type CompleteOptions,
  type CompletedVisit,
  complete,
} from './simulator/complete.js';
import { createMutex } from './simulator/mutex.js';
import { closeServer, openAppListener, listen } from './listen.js';
import { type SandboxOptions, checkSandboxOptions } from './options.js';
import { type PersonOption, choosePerson } from './people/choose.js';
import type { ScenarioId } from './scenarios/catalogue.js';
import { checkScenario } from './scenarios/playable.js';
import { createSandboxService } from './create-service.js';
import type { Service } from './service/service.js';

/** The options of `identityVerification` that make this sandbox the service of an app. */
export interface SandboxIdentityOptions {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly issuer: SandboxIssuerId;
  readonly variant: Variant;
  readonly trust: Readonly<Record<SandboxIssuerId, SdJwtVcTrust>>;
  readonly allowSandbox: true;
  /** The origin of the Redirect URL; where none is set, one that `complete` serves an app at. */
  readonly appUrl: string;
}

/** An identity service that runs on this machine, with a wallet and made-up people. */
export interface Sandbox {
  readonly url: string;
  /** Spread these into `identityVerification`. */
  readonly options: SandboxIdentityOptions;
  /** The Redirect URL of the working account. */
  redirectUrl: string | undefined;
  /** One account for each state that an account can be in. Only `working` may start a verification. */
  readonly accounts: SandboxAccounts;
  /**
   * Issues German PIDs to the keys of another wallet, one for each key, so that the wallet shows none of them twice: each
   * is a compact SD-JWT VC without key binding.
   */
  issuePids(order: {
    readonly holders: readonly webcrypto.JsonWebKey[];
    readonly person?: PersonOption;
  }): Promise<readonly string[]>;
  /** Makes the next flow play a scenario, whoever begins it. */
  next(scenario: ScenarioId): void;
  /**
   * Walks a verification through an app to its last page, as a person with a browser and a wallet would. An Express
   * app made with `sandbox.options` needs no port of its own.
   */
  complete(app: AppUnderTest, options?: CompleteOptions): Promise<CompletedVisit>;
  /** Stops listening, ends open connections and drops deliveries under way. */
  close(): Promise<void>;
}

/**
 * Starts an identity service on this machine, for tests: `POST /prove`, wallets with made-up people, and the callback to
 * your app. It throws unless NODE_ENV is `development`, `test` or unset.
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
  onlyInDevelopment('The sandbox proves nothing');
  checkSandboxOptions(options);
  const { clock = () => new Date() } = options;
  const closing = new AbortController();
  const accounts = createAccounts(options.apiKey, options.redirectUrl);
  choosePerson(options.person === undefined ? 'erika' : options.person, clock(), 'createSandbox: person');
  const { server, url: here } = await listen(options.port ?? 0);
  const url = options.url === undefined ? here : new URL(options.url).origin;
  const service = await createSandboxService(url, { ...options, clock }, accounts, closing.signal);
  const front = await openAppListener();
  const oneAtATime = createMutex();
  server.on('request', sandboxApp(service, oneAtATime, url !== here));
  const { germanIssuer, upcoming } = service;
  const leave = joinSandbox(url, service.trust);

  return {
    url,
    accounts,
    get options() {
      return identityOptions(service, options.issuer, front.origin);
    },
    get redirectUrl() {
      return accounts.working.redirectUrl;
    },
    set redirectUrl(redirectUrl) {
      accounts.working.redirectUrl = redirectUrl;
    },
    async issuePids({ holders, person: whose }) {
      const person =
        whose === undefined ? upcoming.person : choosePerson(whose, clock(), 'issuePids: person');
      const pids = await Promise.all(holders.map((holder) => germanIssuer.issue({ holder, person })));
      return pids.map(({ credential, disclosures }) =>
        [credential, ...disclosures.map(({ text }) => text), ''].join('~'),
      );
    },
    next(scenario) {
      upcoming.scenario = checkScenario(scenario);
    },
    complete: async (app, how) => await oneAtATime(async () => await complete(service, front, app, how)),
    async close() {
      leave();
      closing.abort();
      await Promise.all([closeServer(server), front.close()]);
    },
  };
}

function identityOptions(
  { url, variant, accounts, trust }: Service,
  issuer: SandboxIssuerId = sandboxIssuer,
  frontOrigin: string,
): SandboxIdentityOptions {
  const { apiKey, redirectUrl } = accounts.working;
  return {
    baseUrl: url,
    apiKey,
    issuer,
    variant,
    trust,
    allowSandbox: true,
    appUrl: redirectUrl === undefined ? frontOrigin : new URL(redirectUrl).origin,
  };
}
