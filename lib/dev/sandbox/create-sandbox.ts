import type { webcrypto } from 'node:crypto';
import type { Variant } from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import { sandboxIssuer } from '../../options/development.js';
import { joinSandbox } from './join.js';
import type { SandboxIssuerId } from './profile.js';
import { onlyInDevelopment } from '../only-development.js';
import { type SandboxAccounts, createAccounts } from './service/accounts.js';
import { outsideApp, sandboxApp } from './app.js';
import {
  type AppUnderTest,
  type CompleteOptions,
  type CompletedVisit,
  complete,
} from './simulator/complete.js';
import { createMutex } from './simulator/mutex.js';
import { closeServer, openAppListener, listen, type Outside, listenOutside } from './listen.js';
import { type SandboxOptions, checkSandboxOptions } from './options.js';
import { type PersonOption, choosePerson } from './people/choose.js';
import type { ScenarioId } from './scenarios/catalogue.js';
import { checkScenario } from './scenarios/playable.js';
import { accessFrom } from './service/access.js';
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
  /** The authorities, in PEM, that certify who may ask a wallet: for a wallet of your own. */
  readonly accessAnchors: readonly string[];
  /** Issues a German PID to the key of another wallet: a compact SD-JWT VC without key binding. */
  issuePid(order: { readonly holder: webcrypto.JsonWebKey; readonly person?: PersonOption }): Promise<string>;
  /** Issues a batch of PIDs, one for each key, so that a wallet shows none of them twice. */
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
  return (await openSandbox(options)).sandbox;
}

/** A sandbox, and what only the program sees of it. */
export interface OpenSandbox {
  readonly sandbox: Sandbox;
  readonly service: Service;
}

/** As {@link createSandbox}; with `outside`, wallets on other machines reach their side of it. */
export async function openSandbox(options: SandboxOptions, outside?: Outside): Promise<OpenSandbox> {
  onlyInDevelopment('The sandbox proves nothing');
  checkSandboxOptions(options);
  const { clock = () => new Date() } = options;
  const closing = new AbortController();
  const accounts = createAccounts(options.apiKey, options.redirectUrl);
  choosePerson(options.person === undefined ? 'erika' : options.person, clock(), 'createSandbox: person');
  const access = outside && accessFrom(outside.access, outside.registration);
  const { server, url } = await listen(options.port ?? 0);
  const outer =
    outside &&
    (await listenOutside(outside).catch(async (error: unknown) => {
      await closeServer(server);
      throw error;
    }));
  const reached = outer && access && { url: outer.url, access };
  const service = await createSandboxService(url, reached, { ...options, clock }, accounts, closing.signal);
  const front = await openAppListener();
  const oneAtATime = createMutex();
  server.on('request', sandboxApp(service, oneAtATime));
  outer?.server.on('request', outsideApp(service));
  const { germanIssuer, upcoming } = service;
  const leave = joinSandbox(url, service.registeredTrust);

  const sandbox: Sandbox = {
    url,
    accounts,
    accessAnchors: service.access.anchors,
    get options() {
      return identityOptions(service, options.issuer, front.origin);
    },
    get redirectUrl() {
      return accounts.working.redirectUrl;
    },
    set redirectUrl(redirectUrl) {
      accounts.working.redirectUrl = redirectUrl;
    },
    issuePid: async ({ holder, person }) => await issue(holder, person),
    issuePids: async ({ holders, person }) =>
      await Promise.all(holders.map(async (holder) => await issue(holder, person))),
    next(scenario) {
      upcoming.scenario = checkScenario(scenario);
    },
    complete: async (app, how) => await oneAtATime(async () => await complete(service, front, app, how)),
    async close() {
      leave();
      closing.abort();
      await Promise.all([closeServer(server), front.close(), outer && closeServer(outer.server)]);
    },
  };
  return { sandbox, service };

  async function issue(holder: webcrypto.JsonWebKey, whose: PersonOption | undefined): Promise<string> {
    const person = whose === undefined ? upcoming.person : choosePerson(whose, clock(), 'issuePid: person');
    const { credential, disclosures } = await germanIssuer.issue({ holder, person });
    return [credential, ...disclosures.map(({ text }) => text), ''].join('~');
  }
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
