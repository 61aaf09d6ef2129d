import { IdentityError } from '../errors.js';
import { type Doing, type FlowStatus, findFlow } from '../flow/flow.js';
import { send, sendJsonError } from './respond.js';
import { readOwn } from './session/own-data.js';
import { ownerOf } from './session/session-data.js';
import { sessionIdOf, sessionOf } from './session/session.js';
import { queryOf, startAddress, type Exchange } from './context.js';

/** `GET /status?flow=`: a flow's state and nothing else, to the session that owns it. */
export async function sendStatus(exchange: Exchange): Promise<void> {
  const { kit, req, res } = exchange;
  try {
    const status = await statusOf(exchange);
    // Anyone can ask: nothing to log.
    if (status === undefined) sendJsonError(res, new IdentityError('state_unknown'));
    else {
      const hasEnded = status.state === 'failed' || status.state === 'expired';
      const start = startAddress(kit, req, status.doing?.question, status.doing);
      send.json(res, 200, { status: status.state, ...(hasEnded && { start }) });
    }
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    kit.log.fault(error);
    sendJsonError(res, error);
  }
}

interface Status {
  readonly state: FlowStatus | 'expired';
  readonly doing?: Doing;
}

/** The state, and what the person was doing; undefined where the session owns no such flow. */
async function statusOf({ kit, req }: Exchange): Promise<Status | undefined> {
  const session = sessionOf(req);
  const id = queryOf(req, 'flow');
  if (id === undefined) return undefined;
  const own = readOwn(session, kit);
  if (own.done?.id === id) return { state: 'confirmed' };
  const known = own.last?.id === id ? own.last : undefined; // it has the reason, too
  const found = await findFlow(kit.flow, id);
  if (found?.record.owner === ownerOf(session, sessionIdOf(req)).digest) {
    return { state: found.record.status, doing: known ?? found.record };
  }
  return known && { state: 'expired', doing: known };
}
