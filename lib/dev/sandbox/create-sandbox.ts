import type { Variant } from '../../types/attributes.js';
import type { SdJwtVcTrust, Trust } from '../../types/trust.js';
import { sandboxIssuer } from '../../options/development.js';
import { joinSandbox } from './join.js';
import { germanIssuer, type SandboxIssuerId } from './profile.js';
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
import {
  type AnySandboxOptions,
  type SandboxOptions,
  type WalletSandboxOptions,
  checkSandboxOptions,
} from './options.js';
import { choosePerson } from './people/choose.js';
import type { ScenarioId } from './scenarios/catalogue.js';
import { checkScenario } from './scenarios/playable.js';
import { createSandboxService } from './create-service.js';
import type { PidsOrder, Service } from './service/service.js';

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

/** The options of `identityVerification` that have an app ask the wallet of this sandbox. */
export interface WalletIdentityOptions {
  readonly wallets: { readonly certificate: string; readonly key: string; readonly registration: string };
  readonly issuer: 'de-ausweis';
  readonly trust: Readonly<Record<'de-ausweis', SdJwtVcTrust>>;
  /** The one that `complete` serves an app at. */
  readonly appUrl: string;
}

/** What a sandbox has in either role. */
interface AnySandbox<Options> {
  readonly url: string;
  /** Spread these into `identityVerification`. */
  readonly options: Options;
  /**
   * Issues German PIDs to the keys of another wallet, one for each key, so that the wallet shows none of them twice: each
   * is a compact SD-JWT VC without key binding. A program in another process posts the order to `/pids` as JSON, and gets
   * `{ pids }`.
   */
  issuePids(order: PidsOrder): Promise<readonly string[]>;
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

/** An identity service that runs on this machine, with a wallet and made-up people. */
export interface Sandbox extends AnySandbox<SandboxIdentityOptions> {
  /** The Redirect URL of the working account. */
  redirectUrl: string | undefined;
  /** One account for each state that an account can be in. Only `working` may start a verification. */
  readonly accounts: SandboxAccounts;
}

/** A wallet on this machine with made-up people, and the authority that certifies who may ask it. */
export interface WalletSandbox extends AnySandbox<WalletIdentityOptions> {
  /** The authority, in PEM: a wallet of your own answers whom it has certified. `/access-anchors.pem` has it too. */
  readonly accessAnchors: readonly string[];
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
export async function createSandbox(options: WalletSandboxOptions): Promise<WalletSandbox>;
export async function createSandbox(options?: SandboxOptions): Promise<Sandbox>;
export async function createSandbox(options: AnySandboxOptions = {}): Promise<Sandbox | WalletSandbox> {
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
  const { access, upcoming, issuePids } = service;
  const leave = joinSandbox(url, service.trust as Trust, access?.clientId);
  const both = {
    url,
    issuePids,
    next(scenario: ScenarioId) {
      upcoming.scenario = checkScenario(scenario, access !== undefined);
    },
    complete: async (app: AppUnderTest, how?: CompleteOptions) =>
      await oneAtATime(async () => await complete(service, front, app, how)),
    async close() {
      leave();
      closing.abort();
      await Promise.all([closeServer(server), front.close()]);
    },
  };
  if (access !== undefined) {
    const { certificate, key, registration, anchors } = access;
    const trust = service.trust as WalletIdentityOptions['trust'];
    const wallets = { certificate, key, registration };
    const identity: WalletIdentityOptions = { wallets, issuer: germanIssuer, trust, appUrl: front.origin };
    return { ...both, options: identity, accessAnchors: anchors };
  }
  return {
    ...both,
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
    trust: trust as SandboxIdentityOptions['trust'],
    allowSandbox: true,
    appUrl: redirectUrl === undefined ? frontOrigin : new URL(redirectUrl).origin,
  };
}
