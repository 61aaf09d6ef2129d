import { IdentityError } from '../errors.js';
import { type End, endWithoutFlow, handleCallback, rowOf } from '../flow/flow.js';
import type { Received } from '../service/contract.js';
import { sendJsonError, sendLater, sendText } from './respond.js';
import { readBody } from './body.js';
import { detach } from './session/session.js';
import type { Exchange } from './context.js';

/** `POST /callback`: from the service, server to server. It has no session and does not get one. */
export async function receiveCallback(exchange: Exchange): Promise<void> {
  const { res, kit } = exchange;
  detach(res);
  const { service } = kit.config;
  const { transition, location, error } = await deliver(exchange, (body) => service.readCallback(body));
  if (error === undefined) {
    const { mediaType, body } = service.reply(location);
    sendText(res, mediaType, body);
    return;
  }
  // Only a developer can fix these, and this reply is all they see of them.
  const { answer, toWallet = answer } = rowOf(transition);
  if (service.sendsOnce && toWallet === 'later') {
    sendLater(res, error);
    return;
  }
  const isTheirs = transition === 'body_consumed' || error.code === 'media_type_unsupported';
  const more = isTheirs ? { error_description: error.message } : {};
  sendJsonError(res, error, more);
}

/** Takes an answer, however it comes: from a service, from a wallet, or from the page of whoever started. */
export async function deliver(
  { kit: { config, flow, openBodies }, req, res }: Exchange,
  read: (body: unknown) => Received | Promise<Received>,
): Promise<End> {
  try {
    const { service, limits } = config;
    const body = await readBody(req, res, service.callbackType, {
      bytes: limits.callbackBytes,
      open: openBodies,
    });
    return await handleCallback(flow, await read(body));
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return endWithoutFlow(flow, failureOf(error), error);
  }
}

function failureOf({ code, status }: IdentityError) {
  if (code === 'body_consumed') return 'body_consumed';
  return status === 503 ? 'callback_unavailable' : 'callback_malformed';
}
