import { IdentityError } from '../errors.js';
import type { Delivery } from '../flow/flow.js';
import { sendJsonError, sendText } from './respond.js';
import { readBody } from './body.js';
import { detach } from './session/session.js';
import type { Exchange } from './context.js';

/** `POST /callback`: from the service, server to server. It has no session and does not get one. */
export async function receiveCallback(exchange: Exchange): Promise<void> {
  const { res, kit } = exchange;
  detach(res);
  const delivery = await deliver(exchange);
  if ('redirectUri' in delivery) {
    const { mediaType, body } = kit.config.service.reply(delivery.redirectUri);
    sendText(res, mediaType, body);
    return;
  }
  const { transition, error } = delivery;
  // Only a developer can fix these, and this reply is all they see of them.
  const isTheirs = transition === 'body_consumed' || error.code === 'media_type_unsupported';
  const more = isTheirs ? { error_description: error.message } : {};
  sendJsonError(res, error, more);
}

async function deliver({ kit: { config, flow, openBodies }, req, res }: Exchange): Promise<Delivery> {
  try {
    const { service, limits } = config;
    const body = await readBody(req, res, service.callbackType, {
      bytes: limits.callbackBytes,
      open: openBodies,
    });
    return await flow.callback(service.readCallback(body));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return flow.callbackFailed(error);
  }
}
