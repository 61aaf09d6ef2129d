import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import type { Delivery } from '../../flow/flow.js';
import type { AppRequest } from '../../options/options.js';
import { callbackReply, parseCallback } from '../../service/prove/callback.js';
import { sendJsonError } from '../reply/send-error.js';
import { send } from '../reply/senders.js';
import { readForm } from '../request/form.js';
import { detach } from '../session/session.js';
import type { RouteContext } from '../context.js';

/** `POST /callback`: from the service, server to server. It has no session, and gets none. */
export async function callback(web: RouteContext, req: AppRequest, res: Response): Promise<void> {
  detach(req, res);
  const delivery = await receive(web, req, res);
  if ('redirectUri' in delivery) {
    send.json(res, 200, callbackReply(delivery.redirectUri));
    return;
  }
  const { transition, error } = delivery;
  // Only the developer can mend this one, and whoever watches the callbacks fail sees nothing but this reply.
  const more = transition === 'body_consumed' ? { error_description: error.message } : {};
  sendJsonError(res, error, more);
}

async function receive({ config, flow }: RouteContext, req: AppRequest, res: Response): Promise<Delivery> {
  try {
    return await flow.callback(parseCallback(await readForm(req, res, config.limits.callbackBytes)));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return flow.callbackFailed(error);
  }
}
