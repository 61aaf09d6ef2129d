import { configInvalid, type IdentityError } from '../errors.js';
import type { Log } from '../types/log.js';
import type { Flow } from '../flow/flow.js';
import type { AppRequest } from '../options/options.js';
import type { Configuration } from '../options/resolve.js';
import { prefixOf } from '../internal/urls.js';
import { originOf } from './request-origin.js';
import type { Theme } from './pages/theme.js';

/** What every route works with. */
export interface RouteContext {
  readonly config: Configuration;
  readonly flow: Flow;
  /** The kit's one key in a session. */
  readonly key: string;
  /** Under which a test marks a request as verified. */
  readonly testMark: symbol;
  readonly look: Theme;
  readonly log: Log;
}

/** The address where a request starts; undefined where the app has left the route out. */
export function startAddress(
  web: RouteContext,
  req: AppRequest,
  request: string,
  returnTo?: string,
): string | undefined {
  const path = startPath(web, request, returnTo);
  return path === undefined ? undefined : publicPath(web, req, path);
}

/** The same, as the app itself sees it. */
export function startPath({ config }: RouteContext, request: string, returnTo?: string): string | undefined {
  if (config.routes.start === false || !config.requests.has(request)) return undefined;
  const name = request === 'default' ? '' : `/${request}`;
  const query = returnTo === undefined ? '' : `?returnTo=${encodeURIComponent(returnTo)}`;
  return `${config.path}${config.routes.start}${name}${query}`;
}

/** The error of a call that names no request, where the options ask nothing at their top. */
export function requestIsMissing({ config }: RouteContext, caller: string): IdentityError {
  const names = [...config.requests.keys()].join(', ');
  return configInvalid(
    `${caller} needs the option request, because the options have no reveal of their own: ${names}.`,
  );
}

/** The base of the app for this request: its origin, and the prefix that a proxy has taken off. */
export function baseOf({ config }: RouteContext, req: AppRequest): string {
  return originOf(req, config.origins) ?? config.origins[0];
}

/** A path of the app as the browser of this request must ask for it. */
export function publicPath(web: RouteContext, req: AppRequest, path: string): string {
  return `${prefixOf(baseOf(web, req))}${path}`;
}

/** A parameter of the request's address: whatever the app's query parser has made of it. */
export function queryOf(req: AppRequest, name: string): unknown {
  return (req.query as Record<string, unknown>)[name];
}

/** Seconds after which trying again may help. */
export const retryAfter = '1';
