import { IdentityError } from '../errors.js';
import { type FlowStatus, type LastStart, isSecret } from '../flow/flow.js';
import { send, sendJsonError } from './respond.js';
import { ownerOf, readOwn } from './session/session-data.js';
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
  readonly doing?: Pick<LastStart, 'question' | 'returnTo' | 'reason'>;
}

/** The state, and what the person was doing; undefined where the session owns no such flow. */
async function statusOf({ kit, req }: Exchange): Promise<Status | undefined> {
  const session = sessionOf(req);
  const id = queryOf(req, 'flow');
  if (typeof id !== 'string' || !isSecret(id)) return undefined;
  const { last, done } = readOwn(session, kit.key);
  if (done?.id === id) return { state: 'confirmed' };
  const known = last !== undefined && kit.flow.idOf(last.state) === id ? last : undefined;
  const found = await kit.flow.find(id);
  if (found?.record.owner === ownerOf(session, sessionIdOf(req)).digest) {
    return { state: found.record.status, doing: known ?? found.record };
  }
  return known && { state: 'expired', doing: known };
}
