import { readEnvironment, type Environment } from './environment.js';
import { configInvalid } from '../errors.js';
import { shapeOptions, type ShapedOptions } from './schema.js';
import type { Variant } from '../contracts/attributes.js';
import type { Trust } from '../contracts/trust.js';
import type { Clock } from '../contracts/values.js';
import { isLoopback, secureUrl } from '../safe/urls.js';
import { checkRedirect, refuseKeep, type RequestConfiguration, resolveRequests } from './requests.js';
import { resolveTrust } from './trust.js';

type Resolved =
  | 'path'
  | 'routes'
  | 'errorRedirect'
  | 'sameDevice'
  | 'subject'
  | 'context'
  | 'keepFor'
  | 'store'
  | 'flowTtl'
  | 'confirm'
  | 'limits'
  | 'fetch'
  | 'onVerified'
  | 'onSuccess'
  | 'onError'
  | 'onEvent';

/** The options, parsed once: every default is filled in, and nothing is checked again. */
export interface Configuration extends Readonly<Pick<ShapedOptions, Resolved>> {
  readonly baseUrl: string;
  readonly apiKey: string | (() => string | Promise<string>);
  readonly issuer: string;
  readonly variant: Variant;
  readonly trust: Trust;
  readonly origins: readonly [string, ...string[]];
  readonly requests: ReadonlyMap<string, RequestConfiguration>;
  readonly clock: Clock;
  /** NODE_ENV. */
  readonly mode: string | undefined;
}

/** Parses options and environment together. */
export function resolveOptions(options: unknown): Configuration {
  const shaped = shapeOptions(options);
  const environment = readEnvironment();
  const baseUrl = needed(shaped.baseUrl ?? environment.baseUrl, 'baseUrl', 'IDENTITY_BASE_URL');
  const base = secureUrl(baseUrl, true);
  if (base === undefined) {
    throw configInvalid(
      'Option baseUrl (or IDENTITY_BASE_URL): must be an https URL (http only on loopback).',
    );
  }
  const loopback = isLoopback(base);
  const issuer = needed(shaped.issuer ?? environment.issuer, 'issuer', 'IDENTITY_ISSUER');
  const variant = shaped.variant ?? variantOf(environment);
  if (shaped.confirm === 'callback') refuseKeep(shaped);
  checkRoutes(shaped);
  if (shaped.errorRedirect !== undefined) checkRedirect('errorRedirect', shaped.errorRedirect);
  return Object.freeze({
    ...shaped,
    routes: Object.freeze(shaped.routes),
    limits: Object.freeze(shaped.limits),
    baseUrl,
    apiKey: needed(shaped.apiKey ?? environment.apiKey, 'apiKey', 'IDENTITY_API_KEY'),
    issuer,
    variant,
    trust: resolveTrust(shaped, environment, issuer, loopback),
    origins: resolveOrigins(needed(shaped.appUrl ?? environment.appUrl, 'appUrl', 'APP_URL'), loopback),
    requests: resolveRequests(shaped, issuer, variant),
    clock: shaped.clock ?? (() => new Date()),
    mode: environment.mode,
  });
}

function needed<T>(value: T | undefined, option: string, variable: string): T {
  if (value !== undefined) return value;
  throw configInvalid(
    `Option ${option} is missing: set it, or the environment variable ${variable}. ` +
      'For a sandbox on this machine, run the app by: npx pidgate dev <file>.',
  );
}

function variantOf({ variant = 'derived' }: Environment): Variant {
  if (variant === 'base' || variant === 'derived') return variant;
  throw configInvalid("IDENTITY_VARIANT must be 'base' or 'derived'.");
}

function resolveOrigins(
  appUrl: string | readonly [string, ...string[]],
  loopback: boolean,
): Configuration['origins'] {
  const [first, ...others] = typeof appUrl === 'string' ? [appUrl] : appUrl;
  return Object.freeze([
    resolveOrigin(first, loopback),
    ...others.map((it) => resolveOrigin(it, loopback)),
  ] as const);
}

function resolveOrigin(text: string, loopback: boolean): string {
  const url = secureUrl(text, loopback);
  if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
  throw configInvalid(
    'Option appUrl (or APP_URL): must be an https origin without a path (http on loopback where baseUrl is too).',
  );
}

function checkRoutes({ routes, confirm, errorRedirect }: ShapedOptions): void {
  const { start } = routes;
  // Express takes upper and lower case for the same.
  const paths = Object.values(routes).flatMap((path) => (path === false ? [] : path.toLowerCase()));
  const below = start === false ? undefined : `${start.toLowerCase()}/`;
  if (new Set(paths).size < paths.length) throw configInvalid('Option routes: two routes have one address.');
  if (below !== undefined && paths.some((path) => path.startsWith(below))) {
    throw configInvalid(`Option routes: what stands below ${start} names a request.`);
  }
  if (routes.return === false && (confirm === 'return' || errorRedirect === undefined)) {
    throw configInvalid("Option routes.return: false needs confirm: 'callback' and an errorRedirect.");
  }
}
