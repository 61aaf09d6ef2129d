import { configInvalid } from '../../errors.js';
import type { Variant } from '../../types/attributes.js';
import type { Clock } from '../../types/json.js';
import { knownOptions, optionalFunction, timerMs, wholeNumber } from '../../internal/former-validate.js';
import { variants } from '../../service/prove/dates.js';
import { germanIssuer, sandboxIssuer } from '../../service/sandbox.js';
import type { PersonOption } from './people/choose.js';
import type { ClientIdPrefix } from './service/access.js';
import type { RequestUriMethod } from './service/request-object.js';

/** The issuers that the sandbox plays. */
export type SandboxIssuerId = 'xx-sandbox' | 'de-ausweis';

/** How the sandbox runs; every member has a default. */
export interface SandboxOptions {
  /** Where the callbacks go: the address of the app's callback route. Can be set later. */
  readonly redirectUrl?: string;
  /** The issuer that `options` names; the sandbox plays both at any time. Default `'xx-sandbox'`. */
  readonly issuer?: SandboxIssuerId;
  /** Who is at the wallet: a name from the list, or attributes of your own. Default `'erika'`. */
  readonly person?: PersonOption;
  /** The port on 127.0.0.1; by default a free one. */
  readonly port?: number;
  /** The interface's variant; default `'derived'`. */
  readonly variant?: Variant;
  /** The API key of the working account; by default a new one for each sandbox. */
  readonly apiKey?: string;
  /** How the service names itself to wallets; default `'x509_hash'`. */
  readonly clientIdPrefix?: ClientIdPrefix;
  /** How links ask a wallet to fetch the request; the service takes both. Default `'post'`. */
  readonly requestUriMethod?: RequestUriMethod;
  readonly clock?: Clock;
  /** Delivers the callbacks; default the platform's. */
  readonly fetch?: typeof globalThis.fetch;
  /** Waits before a callback is tried again; default a timer. Must reject when the signal aborts. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Milliseconds that the app has for one callback; default 20,000. */
  readonly timeout?: number;
  /** Told what happens, a line at a time, without a secret or a personal value. */
  readonly log?: (line: string) => void;
}

const known: Readonly<Record<keyof SandboxOptions, true>> = {
  redirectUrl: true,
  issuer: true,
  person: true,
  port: true,
  variant: true,
  apiKey: true,
  clientIdPrefix: true,
  requestUriMethod: true,
  clock: true,
  fetch: true,
  wait: true,
  timeout: true,
  log: true,
};

/** Says what is wrong with the options before anything is started. */
export function checkOptions(options: SandboxOptions): void {
  knownOptions(options, Object.keys(known), 'createSandbox');
  const { variant = 'derived', timeout = 1, port = 0 } = options;
  const { issuer = sandboxIssuer, clientIdPrefix = 'x509_hash' } = options;
  if (!variants.includes(variant)) throw configInvalid("createSandbox: variant must be 'base' or 'derived'.");
  if (![sandboxIssuer, germanIssuer].includes(issuer)) {
    throw configInvalid(`createSandbox: issuer must be '${sandboxIssuer}' or '${germanIssuer}'.`);
  }
  if (clientIdPrefix !== 'x509_hash' && clientIdPrefix !== 'x509_san_dns') {
    throw configInvalid("createSandbox: clientIdPrefix must be 'x509_hash' or 'x509_san_dns'.");
  }
  if (!['get', 'post', undefined].includes(options.requestUriMethod)) {
    throw configInvalid("createSandbox: requestUriMethod must be 'get' or 'post'.");
  }
  timerMs(timeout, 1, 'createSandbox: timeout');
  wholeNumber(port, 0, 'createSandbox: port', [0, 65_535]);
  for (const name of ['clock', 'fetch', 'wait', 'log'] as const) {
    optionalFunction<(...args: never) => unknown>(options[name], `createSandbox: ${name}`);
  }
}
