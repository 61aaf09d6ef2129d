import { kitError } from '../../errors.js';
import type { Visit } from '../../flow/flow.js';
import { toMilliseconds } from '../../internal/timeouts.js';
import { ignoreRejection } from '../../internal/ignore-rejection.js';
import { lostInJson } from '../../internal/find-unserializable.js';
import type { AppRequest } from '../../options/options.js';
import type { RequestConfiguration } from '../../options/named-requests.js';
import type { RouteContext } from '../context.js';
import { type SessionFlow, liveKept, readOwn, withFlow, withKept, writeOwn } from './session-data.js';
import {
  type Session,
  cloneSession,
  equalExcept,
  generate,
  load,
  save,
  sessionIdOf,
  sessionOf,
  snapshotSession,
  stored,
} from './session.js';

/**
 * Writes a new flow into the session that owns it, as the store holds it now. Where the store holds nothing, the
 * session has ended, and nothing is written under its id: the flow goes into a new and empty one. Unless the request
 * came without any cookie: then its session was made for it, and no one else knows the id.
 */
export async function addFlow(
  { config, flow, key }: RouteContext,
  req: AppRequest,
  entry: SessionFlow,
): Promise<void> {
  const session = await loadStored(req);
  const data = readOwn(session, key);
  const flows = data.flows.filter(({ id }) => !flow.hasFailed(id));
  const now = config.clock().getTime();
  const kept = liveKept(data, now, config.requests);
  session[key] = writeOwn(withFlow({ flows, kept }, entry, now, config.limits.pendingPerSession));
  await save(req);
}

async function loadStored(req: AppRequest): Promise<Session> {
  const held = await stored(req, sessionIdOf(req));
  if (held !== undefined) return load(req, held);
  return req.headers.cookie === undefined ? sessionOf(req) : generate(req);
}

/** Puts what is kept of a result into the request's session, unsaved, and where the flow led. */
export function putKept(
  { config, key }: RouteContext,
  req: AppRequest,
  { result, question, origin }: Visit,
  { kept, subject }: { readonly kept: unknown; readonly subject: string | undefined },
  flow: { readonly id: string; readonly destination: string },
): void {
  const { request, issuer, sandbox, verifiedAt, receipt } = result;
  const releasedAt = config.clock().getTime();
  const record = {
    issuer,
    sandbox,
    verifiedAt: verifiedAt.getTime(),
    receipt,
    kept,
    until: releasedAt + keptFor(config.requests.get(request), kept),
    releasedAt,
    question,
    origin,
    ...(subject !== undefined && { subject }),
  };
  const session = sessionOf(req);
  const data = readOwn(session, key);
  const live = { ...data, kept: liveKept(data, releasedAt, config.requests) };
  session[key] = writeOwn(withKept(live, flow, request, record));
}

/** How long it counts: where the app decides by what is kept, on what JSON makes of that. */
function keptFor(request: RequestConfiguration | undefined, kept: unknown): number {
  const { keepFor = 0, keepForKept } = request ?? {};
  if (keepForKept === undefined) return keepFor;
  let chosen: unknown;
  try {
    const text = JSON.stringify(kept) as string | undefined;
    chosen = keepForKept((text === undefined ? undefined : JSON.parse(text)) as never);
  } catch (cause) {
    throw kitError('hook_failed', { message: 'keepFor.for failed.', cause });
  }
  const ms = toMilliseconds(chosen);
  ignoreRejection(chosen);
  if (ms !== undefined) return Math.min(ms, keepFor);
  throw kitError('hook_failed', { message: "keepFor.for must return a duration such as '10m'." });
}

/** A value that cannot be stored is the app's mistake, reported as one; one that JSON would change is logged. */
export function checkKept({ config, log }: RouteContext, kept: unknown): void {
  const maxBytes = config.limits.keptBytes;
  if (jsonBytes(kept) > maxBytes) {
    const message = `keep returned more than limits.keptBytes (${maxBytes} bytes as JSON).`;
    throw kitError('hook_failed', { message });
  }
  const lost = lostInJson(kept, 'kept');
  if (lost === undefined) return;
  log.once('keep returned a value that JSON does not preserve: it is missing or empty in the session.', lost);
}

function jsonBytes(kept: unknown): number {
  try {
    return Buffer.byteLength((JSON.stringify(kept) as string | undefined) ?? '');
  } catch {
    throw kitError('hook_failed', { message: 'The value returned by keep cannot be serialized as JSON.' });
  }
}

/**
 * Erases what was kept, in the stored session and in the request's. If the store has nothing, the session was made
 * by this request or has ended: then the request's is all there is.
 */
export async function eraseKept(req: AppRequest, key: string): Promise<void> {
  const session = sessionOf(req);
  const now = await stored(req, sessionIdOf(req));
  const erase = (data: Record<string, unknown>): void => {
    if (Object.hasOwn(data, key)) data[key] = writeOwn({ ...readOwn(data, key), kept: {} });
  };
  const isUnchanged = now !== undefined && equalExcept(key, cloneSession(session), cloneSession(now));
  erase(session);
  if (now === undefined) return;
  if (isUnchanged) {
    // A save through the request's own session leaves express-session nothing to save at the end.
    await save(req);
    return;
  }
  // What else this request has changed is the app's to save, or express-session's at the end.
  const restoreSession = snapshotSession(req);
  try {
    erase(load(req, now));
    await save(req);
  } finally {
    restoreSession();
  }
}
