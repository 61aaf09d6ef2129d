import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { sendJsonError } from '../reply/send-error.js';
import { send } from '../reply/senders.js';
import { readOwn } from '../session/session-data.js';
import { sessionOf } from '../session/session.js';
import { queryOf, startAddress, type RouteContext } from '../context.js';

/** `GET /status?flow=`: a flow's state and nothing else, to the session that owns it. */
export async function status(web: RouteContext, req: AppRequest, res: Response): Promise<void> {
  try {
    const own = readOwn(sessionOf(req), web.key);
    const entry = own.flows.find((it) => it.id === queryOf(req, 'flow'));
    if (entry === undefined) throw new IdentityError('state_unknown');
    const now = entry.destination === undefined ? await web.flow.statusOf(entry.state) : 'confirmed';
    const ended = now === 'failed' || now === 'expired';
    const start = startAddress(web, req, entry.request, entry.returnTo);
    send.json(res, 200, { status: now, ...(ended && { start }) });
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    web.log.fault(error);
    sendJsonError(res, error);
  }
}
