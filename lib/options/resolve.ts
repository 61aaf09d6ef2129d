import { configInvalid, type IdentityError } from '../errors.js';
import { isPlainPath, prefixOf, secureUrl } from '../internal/urls.js';
import { factoryPlace, invalid } from '../internal/validate.js';
import { serviceVariables } from '../service/options.js';
import type { Trust } from '../types/trust.js';
import { memberPlace, type ResolvedQuestion, resolveQuestions } from './questions.js';
import { resolvePages } from './pages/page-options.js';
import {
  isLocal,
  refuseSandboxAddress,
  refuseSandboxWallet,
  sandboxIssuersOf,
  sandboxOf,
  sandboxWalletOf,
  standIns,
} from './development.js';
import { type CheckedOptions, checkOptions, makeSecret, optionMembers, optionVariables } from './options.js';
import { asksWallets, roadToService, roadToWallets } from './road.js';
import { boundTo, checkTrust, withoutWallets } from './trust.js';

/** The options, parsed once: every default is filled in, and nothing is checked again. */
export type Configuration = ReturnType<typeof resolveOptions>;

export function resolveOptions(value: unknown) {
  const mode = readVariable('NODE_ENV');
  const inDevelopment = mode === 'development';
  // Exactly one of two words: any other spelling counts as production.
  const takesSandbox = inDevelopment || mode === 'test';
  tellOfSpelling(mode);
  const named = readVariable('IDENTITY_SANDBOX_URL');
  if (!takesSandbox) refuseSandboxAddress(named);
  const options = checkOptions(value, factoryPlace);
  const { fetch, agent, limits, clock, path } = options;
  const isOwn = asksWallets(options, readVariable);
  const fromEnvironment = withVariables(options, isOwn);
  const { issuer, appUrl, ...ofService } = fromEnvironment;
  const routes = routesOf(options, isOwn);
  const road =
    'baseUrl' in ofService
      ? roadToService(options, { ...ofService, timeout: limits.requestTimeout, fetch, agent })
      : roadToWallets(options, {
          appUrl,
          isProduction: mode === 'production',
          page: `${path}${routes.wallet}`,
          read: readVariable,
        });
  const { service, mayBePlain, baseUrl, access } = road;
  if (!takesSandbox) refuseSandboxWallet(access);
  const sandboxWallet = access && sandboxWalletOf(access, named);
  const sandboxAddress = baseUrl ?? sandboxWallet;
  const questions = resolveQuestions(options, issuer, service, isOwn);
  const all = [...questions.values()];
  if (options.confirm === 'callback') refuseWhatNeedsSession(all);
  if (options.confirm === 'callback' && options.onVerified !== undefined) {
    throw invalid(
      'Option onVerified',
      "confirm: 'callback' has one hook, onSuccess: use that, or confirm: 'return'",
    );
  }
  const issuers = all.map((question) => question.issuer);
  const inCode = (options.trust ?? {}) as Trust;
  const trust = { ...inCode, ...standIns(inCode, issuers, { sandboxAddress, appUrl, takesSandbox, clock }) };
  const origins = resolveOrigins(appUrl, { mayBePlain, isOwn });
  checkTrust(trust, issuers, { allowSandbox: options.allowSandbox, takesSandbox, loopback: mayBePlain });
  return Object.freeze({
    ...options,
    ...fromEnvironment,
    baseUrl,
    routes,
    secrets: secretsOf(options),
    service,
    /** Who asks wallets, where the app does so itself; undefined where a service does. */
    access,
    trust,
    /** The entries as they verify: with `wallets`, what binds a presentation is the kit's own. */
    boundTrust: access === undefined ? withoutWallets(trust, issuers) : boundTo(trust, access),
    /** The issuers whose results prove nothing about anyone. */
    sandboxIssuers: sandboxIssuersOf(trust),
    /** Where the developer finds what a sandbox knows; undefined without one. */
    sandboxUrl: inDevelopment ? sandboxOf(sandboxAddress) : undefined,
    /** Where a sandbox may be that the app asks. */
    sandboxAddress,
    /** Where the sandbox is whose wallet the page opens by its first link; undefined where real wallets are asked. */
    sandboxWallet,
    takesSandbox,
    /** The app's public origins, each with the path that a proxy takes off. */
    origins,
    /** True for one of `origins`, with its prefix; in development all origins of this machine are one. */
    isOwnOrigin: ownOrigins(origins, inDevelopment),
    /** Tells this factory from others that may share its stores: it enters keys and names. */
    scope: scopeOf(options.path, origins),
    questions,
    pages: resolvePages(options.pages, all),
    isProduction: mode === 'production',
    mode,
  });
}

/** With `confirm: 'callback'` there is nothing in the session that could be kept or judged. */
function refuseWhatNeedsSession(questions: readonly ResolvedQuestion[]): void {
  for (const question of questions) {
    const member = (['keep', 'allow'] as const).find((name) => question[name] !== undefined);
    if (member === undefined) continue;
    const why = `confirm: 'callback' stores nothing in the session; remove ${member}, or use 'return'`;
    throw invalid(memberPlace(question, member), why);
  }
}

function tellOfSpelling(mode = ''): void {
  if (mode === 'production' || !/^(?:prod|production)$/i.test(mode)) return;
  process.emitWarning(
    `pidgate: NODE_ENV is ${mode}, but only the spelling production counts, for Express and for pidgate. Set NODE_ENV=production.`,
    { type: 'PidgateWarning', code: 'PIDGATE_NODE_ENV' },
  );
}

/** No other file reads the environment. An empty variable counts as absent. */
const readVariable = (name: string): string | undefined => process.env[name] || undefined;

type Name = keyof typeof optionVariables;
type OfService = keyof typeof serviceVariables;
type WithVariables = { readonly [Option in Name]: NonNullable<CheckedOptions[Option]> };

/** Returns the options that a variable may set. One message lists all that are missing. */
function withVariables(options: CheckedOptions, isOwn: false): WithVariables;
function withVariables(
  options: CheckedOptions,
  isOwn: boolean,
): WithVariables | Omit<WithVariables, OfService>;
function withVariables(options: CheckedOptions, isOwn: boolean) {
  const names = (Object.keys(optionVariables) as Name[]).filter(
    (name) => !isOwn || !(name in serviceVariables),
  );
  const values = names.map((name) => {
    const [variable, fallback]: readonly [string, string?] = optionVariables[name];
    return [
      name,
      options[name] ?? optionMembers[name](readVariable(variable), variable) ?? fallback,
    ] as const;
  });
  const missing = values.flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 0)
    return Object.fromEntries(values) as WithVariables | Omit<WithVariables, OfService>;
  const list = (words: readonly string[]): string => new Intl.ListFormat('en').format(words);
  const [subject, set, those] =
    missing.length === 1
      ? ['Option', 'is missing: set it', 'variable']
      : ['Options', 'are missing: set them', 'variables'];
  throw configInvalid(
    `${subject} ${list(missing)} ${set}, or the environment ${those} ${list(missing.map((name) => optionVariables[name][0]))}. ` +
      'For a sandbox on this machine, run the app by: npx pidgate dev <file>. ' +
      'In a test, pass ...sandbox.options, with const sandbox = await createSandbox().' +
      (missing.includes('baseUrl') ? ' To ask wallets without a service, set the option wallets.' : ''),
  );
}

/** Undefined where none is given: only the kit's own store can do without. */
function secretsOf({ secret }: CheckedOptions): readonly [string, ...string[]] | undefined {
  const given = secret ?? optionMembers.secret(readVariable('IDENTITY_SECRET'), 'IDENTITY_SECRET');
  if (given === undefined) return undefined;
  const [current, ...older] = typeof given === 'string' ? [given] : given;
  return Object.freeze([current, ...older] as const);
}

export const secretIsMissing = (): IdentityError =>
  configInvalid(
    'Option secret (or IDENTITY_SECRET) is missing. It seals what the store holds, and all processes of the app need ' +
      `the same one. This command makes one: ${makeSecret}`,
  );

type Origins = readonly [string, ...string[]];

interface OriginRules {
  readonly mayBePlain: boolean;
  readonly isOwn: boolean;
}

function resolveOrigins(appUrl: WithVariables['appUrl'], rules: OriginRules): Origins {
  const [first, ...others] = typeof appUrl === 'string' ? [appUrl] : appUrl;
  const resolved = others.map((url) => resolveOrigin(url, rules));
  const origins = Object.freeze([resolveOrigin(first, rules), ...resolved] as const);
  // A request that comes to an origin must find one app there.
  if (new Set(origins.map((url) => new URL(url).origin)).size === origins.length) return origins;
  throw configInvalid('Option appUrl: the same origin is listed twice. Remove one.');
}

function ownOrigins(origins: Origins, inDevelopment: boolean): (origin: string) => boolean {
  // A developer opens the app under localhost and 127.0.0.1, on this port and on that.
  const isLocalApp = inDevelopment && origins.some(isLocal);
  return (origin) => origins.includes(origin) || (isLocalApp && isLocal(origin));
}

/** Two apps of one origin differ in their prefix; another name of the same app changes nothing. */
function scopeOf(path: string, origins: Origins): string {
  const prefixes = new Set(origins.map(prefixOf));
  prefixes.delete('');
  return [path, ...[...prefixes].toSorted()].join(' ');
}

function resolveOrigin(value: string, { mayBePlain, isOwn }: OriginRules): string {
  const url = secureUrl(value, mayBePlain);
  const path = url?.pathname.replace(/\/$/, '') ?? '';
  if (url?.href.replace(/\/$/, '') === `${url?.origin}${path}` && (path === '' || isPlainPath(path))) {
    return `${url?.origin}${path}`;
  }
  if (!mayBePlain && !isOwn && isLocal(value) && new URL(value).protocol === 'http:') {
    throw configInvalid(
      `Option appUrl (or APP_URL) is ${new URL(value).origin}, and baseUrl is not on this machine: then appUrl must be https. ` +
        'With the options of a sandbox, leave its baseUrl as it is.',
    );
  }
  throw configInvalid(
    `Option appUrl (or APP_URL) must be an https origin (http on loopback ${isOwn ? 'outside production' : 'where baseUrl is too'}), ` +
      'optionally followed by the path prefix that your proxy strips.',
  );
}

/** The routes with their defaults: those of wallets only where they are asked, and the browser's where it may ask. */
function routesOf(options: CheckedOptions, isOwn: boolean) {
  const { routes: given, confirm, errorRedirect, questions = {} } = options;
  const { wallet = '/wallet', request = '/request', answer, ...others } = given;
  const byBrowser =
    isOwn && [options, ...Object.values(questions)].some(({ ways }) => ways?.includes('browser'));
  if (answer !== undefined && isOwn && !byBrowser) {
    throw invalid('Option routes.answer', "is a route of apps whose ways have 'browser'");
  }
  const ofWallets = { wallet: isOwn && wallet, request: isOwn && request };
  const routes = { ...others, ...ofWallets, answer: byBrowser && (answer ?? '/answer') };
  const { start } = routes;
  if (isOwn && routes.callback === false) {
    throw invalid('Option routes.callback', 'must be a path: wallets post their answers there');
  }
  // Express takes upper and lower case for the same.
  const paths = Object.values(routes).flatMap((path) => (path === false ? [] : path.toLowerCase()));
  const below = start === false ? undefined : `${start.toLowerCase()}/`;
  if (new Set(paths).size < paths.length)
    throw configInvalid('Option routes: two routes have the same address. Give each its own.');
  if (below !== undefined && paths.some((path) => path.startsWith(below))) {
    throw configInvalid(
      `Option routes: a path below ${start} would be the start of a question of that name. Choose a path that is not below it.`,
    );
  }
  if (routes.return === false && (confirm === 'return' || errorRedirect === undefined)) {
    throw configInvalid("Option routes.return: false needs confirm: 'callback' and an errorRedirect.");
  }
  return Object.freeze(routes);
}
