import type { Response } from 'express';
import { IdentityError } from '../../errors.js';
import { answer } from '../../flow/callback.js';
import type { Delivery } from '../../flow/delivery.js';
import { report } from '../../flow/hooks.js';
import type { AppRequest } from '../../options/options.js';
import { callbackReply, parseCallback } from '../../protocol/callback.js';
import { sendJsonError } from '../reply/fail.js';
import { readForm } from '../request/form.js';
import { detach } from '../session/session.js';
import type { Web } from '../web.js';

/** `POST /callback`: from the service, server to server. It has no session, and gets none. */
export async function callback(web: Web, req: AppRequest, res: Response): Promise<void> {
  detach(req);
  const delivery = await receive(web, req, res);
  if ('redirectUri' in delivery) {
    res.status(200).json(callbackReply(delivery.redirectUri));
    return;
  }
  const { occasion, error } = delivery;
  // Only the developer can mend this one, and whoever watches the callbacks fail sees nothing but this reply.
  const more = occasion === 'body_consumed' ? { error_description: error.message } : {};
  sendJsonError(res, error, more);
}

async function receive({ config, kit }: Web, req: AppRequest, res: Response): Promise<Delivery> {
  try {
    return await answer(kit, parseCallback(await readForm(req, res, config.limits.callbackBody)));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const occasion = occasionOf(error);
    await report(kit, occasion, error, { origin: kit.origins[0] });
    return { occasion, error };
  }
}

function occasionOf({ code, status }: IdentityError) {
  if (code === 'body_consumed') return 'body_consumed';
  return status === 503 ? 'callback_unavailable' : 'callback_malformed';
}
