import type { FlowEntry } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { RouteContext } from '../context.js';
import { liveKept, readOwn, withFlow, writeOwn } from './session-data.js';
import { type Session, generate, load, save, sessionIdOf, sessionOf, stored } from './session.js';

/**
 * Writes a new flow into the session that owns it, as the store holds it now. Where the store holds nothing, the
 * session has ended, and nothing is written under its id: the flow goes into a new and empty one. Unless the request
 * came without any cookie: then its session was made for it, and nobody else knows the id.
 */
export async function addFlow(
  { config, flow, key }: RouteContext,
  req: AppRequest,
  entry: FlowEntry,
): Promise<void> {
  const session = await asStored(req);
  const own = readOwn(session, key);
  const flows = own.flows.filter(({ id }) => !flow.hasFailed(id));
  const now = config.clock().getTime();
  const kept = liveKept(own, now, config.requests);
  session[key] = writeOwn(withFlow({ flows, kept }, entry, now, config.limits.pendingPerSession));
  await save(req);
}

async function asStored(req: AppRequest): Promise<Session> {
  const held = await stored(req, sessionIdOf(req));
  if (held !== undefined) return load(req, held);
  return req.headers.cookie === undefined ? sessionOf(req) : generate(req);
}
