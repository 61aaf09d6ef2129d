import type { Response } from 'express';
import { configInvalid, IdentityError, kitError } from '../../errors.js';
import type { StartInput } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { Json } from '../../types/json.js';
import { optionalBoolean } from '../../internal/former-validate.js';
import { safePath } from '../../internal/urls.js';
import type { RequestConfiguration } from '../../options/named-requests.js';
import { callOption } from './call-option.js';
import { readForm } from './form.js';
import { originOf } from '../request-origin.js';
import { looksMobile } from './same-device.js';
import { sessionOf } from '../session/session.js';
import { subjectOf } from './subject.js';
import { queryOf, requestIsMissing, type RouteContext } from '../context.js';

/** What a start in the app's own code may set. */
export interface StartOptions<Request extends string = string, Context = unknown> {
  /** The named request. */
  readonly request?: Request | undefined;
  /** Path of this app to end at. */
  readonly returnTo?: string | undefined;
  readonly sameDevice?: boolean | undefined;
  /** In place of the option `context`. */
  readonly context?: Context | undefined;
}

const formLimit = 16 * 1024;

/**
 * In the address to which the kit's own page sends its form: the policy of that page lets the reply redirect to the
 * wallet. It protects nothing: a page of the app that sends it is only stopped by its own form-action.
 */
const ownForm = { name: 'form', value: 'kit' } as const;

/** The address of a start, for the form of the kit's own page. That form has no fields: there is no body to be read. */
export function byOwnForm(address: string): string {
  const { searchParams } = new URL(address, 'http://app.invalid');
  // There already where this page answers a form of its own that was refused.
  if (searchParams.get(ownForm.name) === ownForm.value) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${ownForm.name}=${ownForm.value}`;
}

/** Whether the form of the kit's own page has sent this start. */
export function isByOwnForm(req: AppRequest): boolean {
  return queryOf(req, ownForm.name) === ownForm.value;
}

/** Everything that a start takes from its request, judged. */
export async function startRequestOf(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  overrides: StartOptions,
): Promise<StartInput> {
  const plan = requestNamed(web, overrides.request);
  const origin = requestOrigin(web, req);
  const form = await formOf(req, res);
  return inputOf(web, req, { plan, origin, overrides, form });
}

interface Asked {
  readonly plan: RequestConfiguration;
  readonly origin: string;
  readonly overrides: StartOptions;
  readonly form: Readonly<Record<string, unknown>>;
}

function inputOf(web: RouteContext, req: AppRequest, { plan, origin, overrides, form }: Asked): StartInput {
  const asked = overrides.returnTo ?? queryOf(req, 'returnTo') ?? form['returnTo'];
  const returnTo = judgeReturnTo(web, req, asked);
  sessionOf(req);
  const subject = subjectOf(web, req);
  const context = contextOf(web, req, overrides);
  return {
    plan,
    origin,
    sameDevice: optionalBoolean(overrides.sameDevice, 'identity.start: sameDevice') ?? sameDevice(web, req),
    ...(returnTo !== undefined && { returnTo }),
    ...(subject !== undefined && { subject }),
    ...(context !== undefined && { context }),
  };
}

export function requestNamed(web: RouteContext, name: string | undefined): RequestConfiguration {
  const request = web.config.requests.get(name ?? 'default');
  if (request !== undefined) return request;
  throw name === undefined ? requestIsMissing(web, 'identity.start') : new IdentityError('not_found');
}

export function judgeReturnTo(web: RouteContext, req: AppRequest, returnTo: unknown): string | undefined {
  if (returnTo === undefined) return undefined;
  const path = safePath(returnTo, requestOrigin(web, req));
  if (path === undefined) throw new IdentityError('return_to_invalid');
  return path;
}

function requestOrigin({ config }: RouteContext, req: AppRequest): string {
  const origin = originOf(req, config.origins);
  if (origin !== undefined) return origin;
  const message =
    `The request's host is none of appUrl: open the app under ${config.origins.join(' or ')} ` +
    '(localhost and 127.0.0.1 are two hosts); behind a proxy, see "trust proxy", or set APP_URL to the public address.';
  throw kitError('origin_not_allowed', { message });
}

/** The fields of the form, whoever reads it: one of the app may carry `returnTo`. */
async function formOf(req: AppRequest, res: Response): Promise<Readonly<Record<string, unknown>>> {
  const { body } = req as { body?: unknown };
  const inBytes = typeof body === 'string' || Buffer.isBuffer(body);
  const hasBytes = req.headers['content-length'] !== '0';
  const isForm = hasBytes && typeof req.is('application/x-www-form-urlencoded') === 'string';
  const unread = inBytes || !req.readableDidRead;
  const form = isForm && unread ? await readForm(req, res, formLimit) : inBytes ? {} : body;
  return Object.assign(Object.create(null) as Record<string, unknown>, form);
}

function contextOf({ config }: RouteContext, req: AppRequest, overrides: StartOptions): Json | undefined {
  const given = overrides.context;
  const context =
    given === undefined
      ? callOption('context', () => config.context?.(req), isSettled, 'its value itself, not a Promise')
      : given;
  if (context === undefined) return undefined;
  const text = toJson(context);
  if (text === undefined) throw configInvalid('The context must be a value that JSON can carry.');
  if (Buffer.byteLength(text) <= config.limits.contextBytes) return JSON.parse(text) as Json;
  throw configInvalid(
    `The context is larger than limits.contextBytes (${config.limits.contextBytes} bytes as JSON).`,
  );
}

/** JSON would make `{}` of a Promise, and nobody would notice. */
function isSettled(answer: unknown): answer is unknown {
  return typeof (answer as { then?: unknown } | null | undefined)?.then !== 'function';
}

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined; // a cycle or a bigint
  }
}

function sameDevice({ config }: RouteContext, req: AppRequest): boolean {
  const option = config.sameDevice;
  if (option === 'auto') return looksMobile(req);
  if (typeof option === 'boolean') return option;
  return callOption('sameDevice', () => option(req), isBoolean, 'true or false');
}

function isBoolean(answer: unknown): answer is boolean {
  return typeof answer === 'boolean';
}
