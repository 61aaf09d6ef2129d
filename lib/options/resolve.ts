import { readEnvironment, type Environment } from './environment.js';
import { configInvalid } from '../errors.js';
import { shapeOptions, type ShapedOptions } from './schema.js';
import type { Variant } from '../types/attributes.js';
import type { Trust } from '../types/trust.js';
import type { Clock } from '../types/json.js';
import { isLoopback, isPlainPath, prefixOf, secureUrl } from '../internal/urls.js';
import { checkRedirect, refuseKeep, type RequestConfiguration, resolveRequests } from './named-requests.js';
import type { PagesConfiguration } from './pages/options.js';
import { resolvePages } from './pages/resolve.js';
import { sandboxIssuersOf } from './sandbox-mark.js';
import { replaceBySandbox } from './sandbox-trust.js';
import { resolveTrust } from './trust.js';

type Resolved =
  | 'path'
  | 'routes'
  | 'errorRedirect'
  | 'sameDevice'
  | 'subject'
  | 'context'
  | 'store'
  | 'flowTtl'
  | 'confirm'
  | 'limits'
  | 'logger'
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
  /** The issuers whose results prove nothing about anyone. */
  readonly sandboxIssuers: ReadonlySet<string>;
  /** The app's public origins, each with the path that a proxy takes off. */
  readonly origins: readonly [string, ...string[]];
  /** True for one of `origins`, with its prefix; in development all origins of this machine are one. */
  readonly isOwnOrigin: (origin: string) => boolean;
  /** Tells this factory from others that may share its stores: it enters keys and names. */
  readonly scope: string;
  readonly requests: ReadonlyMap<string, RequestConfiguration>;
  readonly pages: PagesConfiguration;
  readonly clock: Clock;
  /** NODE_ENV. */
  readonly mode: string | undefined;
}

/** Parses options and environment together. */
export function resolveOptions(options: unknown): Configuration {
  const shaped = shapeOptions(options);
  const environment = readEnvironment();
  const { baseUrl, apiKey, issuer, appUrl } = neededOptions(shaped, environment);
  const base = secureUrl(baseUrl, true);
  if (base === undefined) {
    throw configInvalid(
      'Option baseUrl (or IDENTITY_BASE_URL): must be an https URL (http only on loopback).',
    );
  }
  const loopback = isLoopback(base);
  const variant = shaped.variant ?? variantOf(environment);
  if (shaped.confirm === 'callback') refuseKeep(shaped);
  checkRoutes(shaped);
  if (shaped.errorRedirect !== undefined) checkRedirect('errorRedirect', shaped.errorRedirect);
  const requests = resolveRequests(shaped, issuer, variant);
  const replaced = replaceBySandbox(shaped, environment, { baseUrl, appUrl });
  const origins = resolveOrigins(appUrl, loopback);
  const trust = [...requests.values()].reduce<Trust>(
    (found, asked) => resolveTrust({ ...replaced, trust: found }, environment, asked.issuer, loopback),
    (replaced.trust ?? {}) as Trust,
  );
  return Object.freeze({
    ...shaped,
    routes: Object.freeze(shaped.routes),
    limits: Object.freeze(shaped.limits),
    baseUrl,
    apiKey,
    issuer,
    variant,
    trust,
    sandboxIssuers: sandboxIssuersOf(trust),
    origins,
    isOwnOrigin: ownOrigins(origins, environment.mode),
    scope: scopeOf(shaped.path, origins),
    requests,
    pages: resolvePages(shaped.pages, [...requests.keys()]),
    clock: shaped.clock ?? (() => new Date()),
    mode: environment.mode,
  });
}

const variables = {
  baseUrl: 'IDENTITY_BASE_URL',
  apiKey: 'IDENTITY_API_KEY',
  issuer: 'IDENTITY_ISSUER',
  appUrl: 'APP_URL',
} as const;

type Needed = { readonly [Name in keyof typeof variables]: NonNullable<ShapedOptions[Name]> };
type Found = { readonly [Name in keyof Needed]: Needed[Name] | undefined };

/** Returns the options that must be set in code or environment. One message lists all that are missing. */
function neededOptions(shaped: ShapedOptions, environment: Environment): Needed {
  const found: Found = {
    baseUrl: shaped.baseUrl ?? environment.baseUrl,
    apiKey: shaped.apiKey ?? environment.apiKey,
    issuer: shaped.issuer ?? environment.issuer,
    appUrl: shaped.appUrl ?? environment.appUrl,
  };
  if (isComplete(found)) return found;
  const missing = missingOf(found);
  const list = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);
  const [options, set, those] =
    missing.length === 1
      ? ['Option', 'is missing: set it', 'variable']
      : ['Options', 'are missing: set them', 'variables'];
  throw configInvalid(
    `${options} ${list(missing)} ${set}, or the environment ${those} ${list(missing.map((it) => variables[it]))}. ` +
      'For a sandbox on this machine, run the app by: npx pidgate dev <file>.',
  );
}

function isComplete(found: Found): found is Needed {
  return missingOf(found).length === 0;
}

function missingOf(found: Found): (keyof Needed)[] {
  return (Object.keys(variables) as (keyof Needed)[]).filter((name) => found[name] === undefined);
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
  const bases = Object.freeze([
    resolveOrigin(first, loopback),
    ...others.map((it) => resolveOrigin(it, loopback)),
  ] as const);
  // Who comes to an origin must find one app there.
  if (new Set(bases.map((base) => new URL(base).origin)).size < bases.length) {
    throw configInvalid('Option appUrl: an origin may be listed once.');
  }
  return bases;
}

function ownOrigins(
  origins: Configuration['origins'],
  mode: string | undefined,
): (origin: string) => boolean {
  const isLocal = (origin: string): boolean => URL.canParse(origin) && isLoopback(new URL(origin));
  // A developer opens the app under localhost and 127.0.0.1, on this port and on that.
  const isLocalApp = mode === 'development' && origins.some(isLocal);
  return (origin) => origins.includes(origin) || (isLocalApp && isLocal(origin));
}

/** Two apps of one origin differ in their prefix; another name of the same app changes nothing. */
function scopeOf(path: string, origins: Configuration['origins']): string {
  const prefixes = new Set(origins.map(prefixOf));
  prefixes.delete('');
  return [path, ...[...prefixes].toSorted()].join(' ');
}

function resolveOrigin(value: string, loopback: boolean): string {
  const url = secureUrl(value, loopback);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url?.href.replace(/\/$/, '') === `${url?.origin}${path}` && (path === '' || isPlainPath(path))) {
    return `${url?.origin}${path}`;
  }
  throw configInvalid(
    'Option appUrl (or APP_URL): must be an https origin (http on loopback where baseUrl is too), with the path that a ' +
      'proxy takes off, if one does.',
  );
}

function checkRoutes({ routes, confirm, errorRedirect }: ShapedOptions): void {
  const { start } = routes;
  // Express takes upper and lower case for the same.
  const paths = Object.values(routes).flatMap((path) => (path === false ? [] : path.toLowerCase()));
  const below = start === false ? undefined : `${start.toLowerCase()}/`;
  if (new Set(paths).size < paths.length) throw configInvalid('Option routes: two routes have one address.');
  if (below !== undefined && paths.some((path) => path.startsWith(below))) {
    throw configInvalid(`Option routes: a path below ${start} is a request's name.`);
  }
  if (routes.return === false && (confirm === 'return' || errorRedirect === undefined)) {
    throw configInvalid("Option routes.return: false needs confirm: 'callback' and an errorRedirect.");
  }
}
