import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { sendJsonError } from '../reply/fail.js';
import { readOwn } from '../session/entry.js';
import { sessionOf } from '../session/session.js';
import { queryOf, startAddress, type Web } from '../web.js';

/** `GET /status?flow=`: a flow's state and nothing else, to the session that owns it. */
export async function status(web: Web, req: AppRequest, res: Response): Promise<void> {
  try {
    const own = readOwn(sessionOf(req), web.key);
    const entry = own.flows.find((it) => it.id === queryOf(req, 'flow'));
    if (entry === undefined) throw new IdentityError('state_unknown');
    const held = await web.kit.shelf.read(entry.state);
    const now = held === 'burnt' ? 'failed' : (held?.record.status ?? 'expired');
    const over = now === 'failed' || now === 'expired';
    res.json({ status: now, ...(over && { start: startAddress(web, entry.request) }) });
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    sendJsonError(res, error);
  }
}
