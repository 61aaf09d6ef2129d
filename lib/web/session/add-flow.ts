import { IdentityError } from '../../errors.js';
import type { FlowEntry } from '../../flow/start.js';
import type { AppRequest } from '../../options/options.js';
import { readOwn, withFlow } from './entry.js';
import { refresh, save, sessionIdOf, sessionOf } from './session.js';
import type { Web } from '../web.js';

/** Writes a new flow into the session that owns it. What is stored now is read again first; one write at a time. */
export async function remember(web: Web, req: AppRequest, entry: FlowEntry): Promise<void> {
  const { config, key, releases } = web;
  const dead = await deadFlows(web, req);
  const done = await releases.turn(sessionIdOf(req));
  try {
    if (!(await refresh(req))) {
      throw new IdentityError('session_save_failed', { message: 'The session ended before the start.' });
    }
    const session = sessionOf(req);
    const own = readOwn(session, key);
    const flows = own.flows.filter((it) => !dead.has(it.id));
    session[key] = withFlow({ ...own, flows }, entry, config.clock().getTime(), config.limits.unfinished);
    await save(req);
  } finally {
    done();
  }
}

/**
 * Flows whose start failed after the session was saved: their record was deleted before its time. They must not
 * push a living one out of the session.
 */
async function deadFlows({ config, key, kit }: Web, req: AppRequest): Promise<ReadonlySet<string>> {
  const now = config.clock().getTime();
  const waiting = readOwn(sessionOf(req), key).flows.filter((it) => !it.finished && it.expiresAt > now);
  const gone = await Promise.all(
    waiting.map(async ({ state }) => {
      try {
        return (await kit.shelf.read(state)) === undefined;
      } catch {
        return false; // nobody knows: it stays
      }
    }),
  );
  return new Set(waiting.filter((_, index) => gone[index]).map(({ id }) => id));
}
