import { IdentityError, kitError } from '../../errors.js';
import { type End, endOf, requestOf, rowOf, type StoredFlow } from '../../flow/flow.js';
import { whyNotNow } from '../../service/access.js';
import { type Handle, readHandle } from '../../service/wallets/handle.js';
import { signedRequest } from '../../service/wallets/request.js';
import type { AppRequest } from '../../options/options.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import { readForm } from '../body.js';
import { type Exchange, type Kit, queryOf } from '../context.js';
import { sendJsonError, sendLater, sendText } from '../respond.js';

/** `GET` and `POST /request`: a wallet fetches what it is asked. It has no session, and anybody who has seen a code can ask. */
export async function sendRequest(exchange: Exchange): Promise<void> {
  const { res } = exchange;
  const { transition, error, request = '' } = await requested(exchange);
  if (error === undefined) sendText(res, 'application/oauth-authz-req+jwt', request);
  else if (rowOf(transition).answer === 'later') sendLater(res, error);
  else sendJsonError(res, error);
}

async function requested(exchange: Exchange): Promise<End & { readonly request?: string }> {
  const { kit, req } = exchange;
  try {
    const handle = readHandle(queryOf(req, 'state'));
    const walletNonce = await readWalletNonce(exchange);
    if (handle === undefined) return endOf('request_unknown');
    const sign = async (stored: StoredFlow) => await signRequest(kit, stored, handle, walletNonce);
    return await requestOf(kit.flow, handle, sign);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    return endOf(error.status < 500 ? 'request_malformed' : 'request_unavailable', { error });
  }
}

/** A wallet may name a nonce of its own in the body (OpenID4VP 1.0, section 5.10). */
async function readWalletNonce({ kit, req, res }: Exchange): Promise<string | undefined> {
  if (isEmpty(req)) return undefined;
  const form = await readForm(req, res, { bytes: kit.config.limits.callbackBytes, open: kit.openBodies });
  const nonce: unknown = Object.getOwnPropertyDescriptor(Object(form), 'wallet_nonce')?.value;
  if (nonce === undefined || (typeof nonce === 'string' && /^[\x21-\x7e]{1,512}$/.test(nonce))) return nonce;
  throw new IdentityError('callback_malformed');
}

const isEmpty = ({ headers }: AppRequest): boolean =>
  headers['transfer-encoding'] === undefined && ['0', undefined].includes(headers['content-length']);

/** Signs the request of a flow and a way, by the certificate that the flow began with. */
export async function signRequest(
  { config }: Kit,
  { record }: StoredFlow,
  handle: Handle,
  walletNonce?: string,
): Promise<string> {
  const { path, routes, clock, limits, trust } = config;
  const now = clock().getTime();
  const { clientId, bytes } = record.wallets ?? {};
  const access = config.access?.find((its) => its.clientId === clientId);
  const entry = trust[record.issuer] as SdJwtVcTrust | undefined;
  const fault = access && whyNotNow(access, now);
  if (access === undefined || fault !== undefined) {
    throw kitError('config_invalid', {
      message: `The access certificate that a verification began with ${fault ?? 'is not in the option wallets any more'}: keep it there, behind the new one, for as long as flowTtl.`,
    });
  }
  if (bytes === undefined || entry === undefined) throw new IdentityError('key_not_found');
  return await signedRequest({
    handle,
    access,
    bytes,
    reveal: record.reveal,
    trust: entry,
    responseUri: `${record.origin}${path}${routes.callback}`,
    origin: record.origin,
    now,
    until: record.expiresAt,
    walletNonce,
    timeout: limits.requestTimeout,
  });
}
