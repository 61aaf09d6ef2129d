import type { FlowEntry } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import type { Web } from '../web.js';
import { readOwn, withFlow, writeOwn } from './entry.js';
import { copyOf, generate, load, save, sessionIdOf, sessionOf, stored } from './session.js';

/**
 * Writes a new flow into the session that owns it, as the store holds it now. Where the store holds nothing, the
 * session has ended or was made by this very request, and nothing is written under its id: the flow goes into a new
 * session. That one is empty, unless the request came without any cookie and so cannot bring an ended session back.
 */
export async function addFlow({ config, flow, key }: Web, req: AppRequest, entry: FlowEntry): Promise<void> {
  const made = req.headers.cookie === undefined ? copyOf(sessionOf(req)) : undefined;
  const held = await stored(req, sessionIdOf(req));
  const session = held === undefined ? generate(req, made) : load(req, held);
  const own = readOwn(session, key);
  const flows = own.flows.filter(({ id }) => !flow.hasFailed(id));
  const now = config.clock().getTime();
  session[key] = writeOwn(withFlow({ ...own, flows }, entry, now, config.limits.unfinished));
  await save(req);
}
