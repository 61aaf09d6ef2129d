import type { Response } from 'express';
import { IdentityError } from '../errors.js';
import { answer } from '../flow/answer.js';
import type { AppRequest } from '../options.js';
import { callbackReply, parseCallback } from '../protocol/callback.js';
import { sendJsonError } from './fail.js';
import { readForm } from './form.js';
import { detach } from './session.js';
import type { Web } from './web.js';

/** `POST /callback`: from the service, server to server. It has no session, and gets none. */
export async function callback({ config, kit }: Web, req: AppRequest, res: Response): Promise<void> {
  detach(req);
  try {
    const body = await readForm(req, res, config.limits.callbackBody);
    const { redirectUri } = await answer(kit, parseCallback(body));
    if (redirectUri === undefined) sendJsonError(res, new IdentityError('busy'));
    else res.status(200).json(callbackReply(redirectUri));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    kit.emit({ type: 'callback.refused', code: error.code });
    sendJsonError(res, error);
  }
}
