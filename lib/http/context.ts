import type { Response } from 'express';
import { configInvalid, type IdentityError } from '../errors.js';
import type { Log } from '../types/events.js';
import type { Doing, Flow, KeptSeal } from '../flow/flow.js';
import type { ResolvedQuestion } from '../options/questions.js';
import type { AppRequest } from '../options/options.js';
import type { Configuration } from '../options/resolve.js';
import type { KeptIdentity } from '../options/result-types.js';
import { prefixOf, safePath } from '../internal/urls.js';
import { nearMiss } from '../internal/validate.js';
import type { OpenBodies } from '../internal/open-bodies.js';
import type { Help } from './help/help.js';
import type { Theme } from './pages/theme.js';

export type FindKept = (
  kit: Kit,
  req: AppRequest,
  question: ResolvedQuestion,
  now: number,
) => FoundIdentity | undefined;

/** What a session has kept of a question, and still counts. */
export interface FoundIdentity {
  readonly identity: KeptIdentity<unknown>;
  /** Until when it counts; absent where a test has made it up. */
  readonly until?: number;
}

/** What every route needs. */
export interface Kit {
  readonly config: Configuration;
  readonly flow: Flow;
  /** The factory's key in a session, and what seals the text there. */
  readonly key: string;
  readonly keptSeal: KeptSeal;
  /** Finds what the session has kept of a question and still counts. `asVerified` puts another in its place. */
  findKept: FindKept;
  readonly theme: Theme;
  readonly log: Log;
  readonly help: Help;
  readonly openBodies: OpenBodies;
}

/** One request to the kit, and its response. */
export interface Exchange {
  readonly kit: Kit;
  readonly req: AppRequest;
  readonly res: Response;
}

/** Where a question starts; undefined where the app has left the route out, or it is unknown which of several it is. */
export function startAddress(
  kit: Kit,
  req: AppRequest,
  question: string | undefined,
  query?: Doing,
): string | undefined {
  const path = startPath(kit, question, query);
  return path === undefined ? undefined : publicPath(kit, req, path);
}

/** The same, as the app itself sees it. */
export function startPath(
  { config: { path, questions, routes } }: Kit,
  question: string | undefined,
  { returnTo, reason }: Doing = {},
): string | undefined {
  const known = question ?? (questions.size === 1 ? [...questions.keys()][0] : undefined);
  if (routes.start === false || known === undefined || !questions.has(known)) return undefined;
  const name = known === 'default' ? '' : `/${known}`;
  const query = [
    ...(returnTo === undefined ? [] : [`returnTo=${encodeURIComponent(returnTo)}`]),
    ...(reason === undefined ? [] : [`reason=${encodeURIComponent(reason)}`]),
  ].join('&');
  return `${path}${routes.start}${name}${query && `?${query}`}`;
}

/** The reason of a guard whose result is too old, unless the question has one of that name. */
export const staleReason = 'stale';

/** The error of a call that names no question, where the options have no question at their top. */
export function questionIsMissing({ config }: Kit, caller: string): IdentityError {
  const names = [...config.questions.keys()].join(', ');
  return configInvalid(
    `${caller} needs the option question, because the options have no reveal of their own: ${names}.`,
  );
}

/** The sentence about the name of a question that the options do not have. */
export function whyNoQuestion({ config }: Kit, name: unknown): string {
  const names = [...config.questions.keys()];
  const known = `Known questions: ${names.join(', ')}.`;
  if (typeof name !== 'string') return `A question is told by its name. ${known}`;
  const meant = nearMiss(name, names);
  const hint = meant === undefined ? known : `Did you mean ${meant}?`;
  return `There is no question named ${name}. ${hint}`;
}

/** A parameter of the request's address: whatever the app's query parser has made of it. */
export const queryOf = (req: AppRequest, name: string): unknown =>
  (req.query as Record<string, unknown>)[name];

/** The language that the person chose on a page, of those that the app offers. */
export function chosenLanguage({ config }: Kit, req: AppRequest): string | undefined {
  const chosen = queryOf(req, 'lang');
  return config.pages.offered.find(({ lang }) => lang === chosen)?.lang;
}

/** An address of the kit's own, in the language that the person has chosen. */
export function inSameLanguage(exchange: Exchange, address: string): string;
export function inSameLanguage(exchange: Exchange, address: string | undefined): string | undefined;
export function inSameLanguage({ kit, req }: Exchange, address: string | undefined): string | undefined {
  const lang = chosenLanguage(kit, req);
  if (address === undefined || lang === undefined) return address;
  return `${address}${address.includes('?') ? '&' : '?'}lang=${lang}`;
}

/** A path of the app as the browser of this request must ask for it. */
export const publicPath = (kit: Kit, req: AppRequest, path: string): string =>
  `${prefixOf(baseOf(kit, req))}${path}`;

/** Where this request came to. A form of an app's own route comes back there: only that route knows its overrides. */
export function ownAddress({ kit, req }: Exchange): string | undefined {
  const path = safePath(req.originalUrl, baseOf(kit, req));
  return path === undefined ? undefined : publicPath(kit, req, path);
}

/** The base of the app for this request: its origin, and the prefix that a proxy has stripped. */
export const baseOf = ({ config }: Kit, req: AppRequest): string =>
  originOf(req, config.origins) ?? config.origins[0];

/**
 * The public origin that this request came in under, with its prefix, out of the allow-list. Only the host decides: a
 * proxy that ends TLS may leave the scheme unknown, and an origin that is not listed is never returned.
 */
export function originOf(req: AppRequest, origins: readonly string[]): string | undefined {
  const requested = hostOf(req).toLowerCase();
  // Compared as strings: a URL parser would read this host out of `evil.example@shop.example` and `shop%2eexample` too.
  const matching = origins.filter((base) => hostsOf(base).includes(requested));
  return matching.find((base) => base.startsWith(`${req.protocol}:`)) ?? matching[0];
}

const standardPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };
const knownHosts = new Map<string, readonly string[]>(); // by an origin of the options: they are few

/** How a request may name the host of an origin: a standard port may be there. */
function hostsOf(base: string): readonly string[] {
  const known = knownHosts.get(base);
  if (known !== undefined) return known;
  const { host, port, protocol } = new URL(base);
  const hosts = port === '' ? [host, `${host}:${standardPorts[protocol]}`] : [host];
  knownHosts.set(base, hosts);
  return hosts;
}

/** The host that this request names, by the proxy's word where the app trusts the proxy. */
export function hostOf(req: AppRequest): string {
  const forwarded = trustsProxyOf(req) ? req.headers['x-forwarded-host'] : undefined;
  const [first = ''] = String(forwarded ?? req.headers.host ?? '').split(',', 1);
  return first.trim();
}

/** Whether the app trusts the proxy that this request came through (`trust proxy`). */
export function trustsProxyOf(req: AppRequest): boolean {
  const trusts = req.app.get('trust proxy fn') as
    ((address: string | undefined, index: number) => boolean) | undefined;
  return trusts?.(req.socket.remoteAddress, 0) === true;
}

/** Whether the request was made by a page of this app (a browser tells, or else names the page's origin). */
export function isFromThisApp({ kit, req }: Exchange): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = req.headers;
  return origin !== undefined && kit.config.origins.some((base) => `${origin}${prefixOf(base)}` === base);
}

export function isPrefetch(req: AppRequest): boolean {
  const purposes = ['sec-purpose', 'purpose', 'x-moz'];
  return purposes.some((name) => /prefetch/i.test(String(req.headers[name] ?? '')));
}

/** Whether trying again may help, for a code that is the service's own; undefined for any other. */
export function retryableOf({ config }: Kit, code: string): boolean | undefined {
  const error = config.service.errorOf(code);
  return error.code === code ? error.retryable : undefined;
}
