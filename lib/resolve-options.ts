import { readEnvironment, type Environment } from './environment.js';
import { configInvalid } from './errors.js';
import { shapeOptions, type ShapedOptions } from './options-schema.js';
import type { AttributeId, Clock, DerivedId, Trust, Variant } from './ports.js';
import { sandboxIssuer } from './protocol/issuers.js';
import { judgeProveRequest } from './protocol/prove.js';
import { safePath } from './protocol/safe-path.js';
import { sandboxTrust } from './protocol/sandbox-profile.js';
import { isLoopback, secureUrl } from './protocol/urls.js';

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

/** What is asked under one name. */
export interface RequestConfiguration {
  readonly name: string;
  readonly reveal: readonly AttributeId[];
  readonly derived: Readonly<Partial<Record<DerivedId, string>>>;
  readonly purpose: string | undefined;
  readonly keep: ((result: never) => unknown) | undefined;
  readonly successRedirect: string;
}

/** The options, judged once: nothing is looked up, defaulted or doubted after this. */
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

/** Judges options and environment together. */
export function resolveOptions(options: unknown): Configuration {
  const shaped = shapeOptions(options);
  const environment = readEnvironment();
  const baseUrl = needed(shaped.baseUrl ?? environment.baseUrl, 'baseUrl', 'IDENTITY_BASE_URL');
  const base = secureUrl(baseUrl, true);
  if (base === undefined)
    throw configInvalid('Option baseUrl: must be an https URL (http only on loopback).');
  const issuer = needed(shaped.issuer ?? environment.issuer, 'issuer', 'IDENTITY_ISSUER');
  const variant = shaped.variant ?? variantOf(environment);
  const trust = resolveTrust(shaped, environment, issuer, isLoopback(base));
  const origins = resolveOrigins(
    needed(shaped.appUrl ?? environment.appUrl, 'appUrl', 'APP_URL'),
    isLoopback(base),
  );
  if (shaped.confirm === 'callback') refuseKeep(shaped);
  for (const [name, value] of [
    ['successRedirect', shaped.successRedirect],
    ['errorRedirect', shaped.errorRedirect],
  ] as const) {
    if (value !== undefined) checkRedirect(name, value);
  }
  return Object.freeze({
    ...shaped,
    baseUrl,
    apiKey: needed(shaped.apiKey ?? environment.apiKey, 'apiKey', 'IDENTITY_API_KEY'),
    issuer,
    variant,
    trust,
    origins,
    requests: resolveRequests(shaped, issuer, variant),
    clock: shaped.clock ?? (() => new Date()),
    mode: environment.mode,
  });
}

function needed<T>(value: T | undefined, option: string, variable: string): T {
  if (value !== undefined) return value;
  throw configInvalid(`Option ${option} is missing: set it, or the environment variable ${variable}.`);
}

function variantOf({ variant = 'derived' }: Environment): Variant {
  if (variant === 'base' || variant === 'derived') return variant;
  throw configInvalid("IDENTITY_VARIANT must be 'base' or 'derived'.");
}

function resolveTrust(
  { trust = {}, allowSandbox }: ShapedOptions,
  { mode, sandboxUrl }: Environment,
  issuer: string,
  loopback: boolean,
): Trust {
  if (issuer === sandboxIssuer && !allowSandbox && mode !== 'development' && mode !== 'test') {
    throw configInvalid(
      `The issuer ${sandboxIssuer} proves nothing: it needs NODE_ENV=development or test, or allowSandbox.`,
    );
  }
  for (const [name, entry] of Object.entries(trust)) {
    const { jwksUri: uri } = ('keys' in entry ? entry.keys : {}) as { jwksUri?: string };
    if (uri !== undefined && secureUrl(uri, loopback) === undefined) {
      throw configInvalid(
        `Option trust.${name}.keys.jwksUri: must be https (http only on loopback, for both).`,
      );
    }
  }
  if (Object.hasOwn(trust, issuer)) return trust;
  if (issuer === sandboxIssuer && sandboxUrl !== undefined) {
    const url = secureUrl(sandboxUrl, true);
    if (url === undefined) throw configInvalid('IDENTITY_SANDBOX_URL must be https, or http on loopback.');
    return { ...trust, [issuer]: sandboxTrust(url.href) };
  }
  throw configInvalid(`Option trust has no entry for the issuer ${issuer}: nothing could be verified.`);
}

function resolveOrigins(appUrl: string | readonly string[], loopback: boolean): [string, ...string[]] {
  const [first, ...others] = [appUrl].flat().map((text) => {
    const url = secureUrl(text, loopback);
    if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
    throw configInvalid(
      'Option appUrl: must be an https origin without a path (http on loopback where baseUrl is too).',
    );
  });
  if (first === undefined) throw configInvalid('Option appUrl: must be an origin or a list of origins.');
  return [first, ...others];
}

function resolveRequests(
  { requests = {}, successRedirect = '/', ...unnamed }: ShapedOptions,
  issuer: string,
  variant: Variant,
): ReadonlyMap<string, RequestConfiguration> {
  const all = [['default', unnamed] as const, ...Object.entries(requests)];
  return new Map(
    all.map(([name, { reveal, derived = {}, purpose, keep, ...given }]) => {
      const where = name === 'default' ? '' : `requests.${name}.`;
      const asked = Object.keys(derived).length === 0 ? {} : { derived };
      const judged = judgeProveRequest({ issuer, revealed: reveal, state: 'x', ...asked }, variant);
      if (!judged.ok) throw configInvalid(`Option ${where}reveal or ${where}derived: ${judged.description}`);
      const own = 'successRedirect' in given ? given.successRedirect : undefined;
      if (own !== undefined) checkRedirect(`${where}successRedirect`, own);
      return [name, { name, reveal, derived, purpose, keep, successRedirect: own ?? successRedirect }];
    }),
  );
}

function checkRedirect(name: string, value: string): void {
  if (safePath(value, 'https://app.invalid') !== undefined) return;
  throw configInvalid(`Option ${name}: must be a path of the app, such as /welcome.`);
}

function refuseKeep({ keep, requests = {} }: ShapedOptions): void {
  if (keep === undefined && Object.values(requests).every((it) => it.keep === undefined)) return;
  throw configInvalid(
    "Option keep: nothing enters the session with confirm 'callback'; remove keep or use 'return'.",
  );
}
