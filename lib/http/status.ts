import { IdentityError } from '../errors.js';
import { send, sendJsonError } from './respond.js';
import { readOwn } from './session/session-data.js';
import { sessionOf } from './session/session.js';
import { queryOf, startAddress, type Exchange } from './context.js';

/** `GET /status?flow=`: a flow's state and nothing else, to the session that owns it. */
export async function sendStatus({ web, req, res }: Exchange): Promise<void> {
  try {
    const { flows } = readOwn(sessionOf(req), web.key);
    const entry = flows.find(({ id }) => id === queryOf(req, 'flow'));
    if (entry === undefined) {
      sendJsonError(res, new IdentityError('state_unknown')); // anyone can ask: nothing to log
      return;
    }
    const state = entry.destination === undefined ? await web.flow.statusOf(entry.state) : 'confirmed';
    const hasEnded = state === 'failed' || state === 'expired';
    const start = startAddress(web, req, entry.request, entry);
    send.json(res, 200, { status: state, ...(hasEnded && { start }) });
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    web.log.fault(error);
    sendJsonError(res, error);
  }
}
