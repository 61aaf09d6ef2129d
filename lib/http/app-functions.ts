import { configInvalid, kitError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import type { Json } from '../types/json.js';
import { sha256 } from '../internal/sha256.js';
import { ignoreRejection } from '../internal/ignore-rejection.js';
import type { Kit } from './context.js';

// What the options subject, context and sameDevice say about a request, each of which may be a function of the app.

/** A digest of who is logged in, so that no name is stored in a session or record; undefined if no one is. */
export function subjectOf({ config }: Kit, req: AppRequest): string | undefined {
  const call = () => config.subject?.(req);
  const subject = callOption(
    'subject',
    call,
    isSubject,
    'a string, or undefined if no one is logged in (an id that is a number: String(id))',
  );
  return subject === undefined ? undefined : sha256(`pidgate/1 subject ${config.scope} ${subject}`);
}

/** Anything else, as a string, might be the same for two people. */
const isSubject = (value: unknown): value is string | undefined =>
  value === undefined || (typeof value === 'string' && value !== '');

/** The context of a start: the caller's, or else the option's; a copy that JSON has carried. */
export function contextOf({ config }: Kit, req: AppRequest, ofCaller: unknown): Json | undefined {
  const context =
    ofCaller === undefined
      ? callOption('context', () => config.context?.(req), isSettled, 'its value itself, not a Promise')
      : ofCaller;
  if (context === undefined) return undefined;
  const text = toJson(context);
  if (text === undefined)
    throw configInvalid(
      'The context is not serializable as JSON. Return plain data from the option context, or pass plain data to identity.start.',
    );
  const { contextBytes } = config.limits;
  if (Buffer.byteLength(text) <= contextBytes) return JSON.parse(text) as Json;
  throw configInvalid(`The context is larger than limits.contextBytes (${contextBytes} bytes as JSON).`);
}

/** JSON would silently turn a Promise into `{}`. */
const isSettled = (value: unknown): value is unknown =>
  typeof (value as { then?: unknown } | null | undefined)?.then !== 'function';

function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) as string | undefined;
  } catch {
    return undefined; // a cycle or a bigint
  }
}

/** Whether the wallet is likely on the device that asks. */
export function isSameDevice({ config }: Kit, req: AppRequest): boolean {
  const { sameDevice: option = 'auto' } = config;
  if (option === 'auto') return looksMobile(req);
  if (typeof option === 'boolean') return option;
  return callOption('sameDevice', () => option(req), isBoolean, 'true or false');
}

/** A phone or tablet, by client hint or else user agent. */
export function looksMobile(req: AppRequest): boolean {
  const hint = req.headers['sec-ch-ua-mobile'];
  if (hint === '?1') return true;
  if (hint === '?0') return false;
  return /\b(?:android|iphone|ipad|ipod|mobile)\b/i.test(req.headers['user-agent'] ?? '');
}

const isBoolean = (value: unknown): value is boolean => typeof value === 'boolean';

/** Says what a value is, and nothing of what is in it. */
function kindOf(value: unknown): string {
  if (!isSettled(value)) return 'a promise: await it in middleware above the router';
  return value === null || value === '' ? JSON.stringify(value) : `a value of type ${typeof value}`;
}

/** Calls a function that the app gave as an option. A wrong value, such as a Promise, is refused by name. */
function callOption<T>(
  option: string,
  call: () => unknown,
  isExpected: (value: unknown) => value is T,
  expected: string,
): T {
  let value: unknown;
  try {
    value = call();
  } catch (cause) {
    throw kitError('hook_failed', { message: `Option ${option}: the function failed.`, cause });
  }
  if (isExpected(value)) return value;
  ignoreRejection(value);
  throw configInvalid(
    `Option ${option}: the function must return ${expected}. It returned ${kindOf(value)}.`,
  );
}
