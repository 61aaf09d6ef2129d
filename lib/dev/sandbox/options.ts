import { type Variant, variants } from '../../types/attributes.js';
import { configInvalid } from '../../errors.js';
import type { Clock } from '../../types/json.js';
import {
  aFunction,
  anything,
  type ChecksOf,
  object,
  oneOf,
  optional,
  satisfying,
  timerMs,
  wholeNumber,
} from '../../internal/validate.js';
import { sandboxIssuer } from '../../options/development.js';
import { type SandboxIssuerId, germanIssuer } from './profile.js';
import type { PersonOption } from './people/choose.js';

/** How the sandbox runs; every member has a default. */
export interface SandboxOptions {
  /** The sandbox is a service. */
  readonly role?: 'service' | undefined;
  /** Where the callbacks go: the address of the app's callback route. It can be set later. */
  readonly redirectUrl?: string | undefined;
  /** The issuer that `sandbox.options` names. The sandbox plays both at any time. Default `'xx-sandbox'`. */
  readonly issuer?: SandboxIssuerId | undefined;
  /** Who is at the wallet: a name from the list, or your own attributes. Default `'erika'`. */
  readonly person?: PersonOption | undefined;
  /** For a team's staging: an https origin of your own, whose proxy leads to the port. It has no overview. */
  readonly url?: string | undefined;
  /** The port on 127.0.0.1; by default a free one. */
  readonly port?: number | undefined;
  /** The interface's variant; default `'derived'`. */
  readonly variant?: Variant | undefined;
  /** The API key of the working account; by default a new one for each sandbox. */
  readonly apiKey?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Delivers the callbacks; default is the platform's. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Waits before a callback is retried; default is a timer. Must reject when the signal aborts. */
  readonly wait?: ((ms: number, signal: AbortSignal) => Promise<void>) | undefined;
  /** Milliseconds that the app has for one callback; default 20,000. */
  readonly timeout?: number | undefined;
  /** Called with one line per event, which contains no secret and no personal value. */
  readonly log?: ((line: string) => void) | undefined;
}

/** How it runs where it plays the wallet, for an app that asks wallets itself: what belongs to a service is refused. */
export interface WalletSandboxOptions extends Pick<
  SandboxOptions,
  'person' | 'port' | 'clock' | 'fetch' | 'timeout' | 'log'
> {
  readonly role: 'wallet';
}

/** In either role. */
export type AnySandboxOptions = Omit<SandboxOptions, 'role'> & {
  readonly role?: 'service' | 'wallet' | undefined;
};

const aHook = optional(aFunction());

/** Of https, since people enter what they share: a page of http on another machine would be in the open. */
const anHttpsOrigin = satisfying<string>(
  (value) =>
    typeof value === 'string' && URL.canParse(value) && /^https:\/\/[^/]+\/?$/.test(new URL(value).href),
  'must be an https origin, such as https://sandbox.staging.example',
);

const readOptions = object({
  role: optional(oneOf(['service', 'wallet'])),
  redirectUrl: anything,
  issuer: optional(oneOf([sandboxIssuer, germanIssuer])),
  person: anything,
  port: optional(wholeNumber(0, 65_535)),
  url: optional(anHttpsOrigin),
  variant: optional(oneOf(variants)),
  apiKey: anything,
  clock: aHook,
  fetch: aHook,
  wait: aHook,
  timeout: optional(timerMs),
  log: aHook,
} satisfies ChecksOf<SandboxOptions>);

const ofService = ['redirectUrl', 'issuer', 'url', 'variant', 'apiKey', 'wait'] as const;

/** Says what is wrong with the options before anything is started. */
export function checkSandboxOptions(options: AnySandboxOptions): void {
  readOptions(options, 'createSandbox:');
  const stray = options.role === 'wallet' ? ofService.find((name) => options[name] !== undefined) : undefined;
  if (stray === undefined) return;
  throw configInvalid(`createSandbox: ${stray} belongs to a service, and with role 'wallet' there is none.`);
}
