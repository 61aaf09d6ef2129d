import { z } from 'zod';
import { compactDecrypt, decodeProtectedHeader } from 'jose';
import type { WalletLeg } from './wallet-request.js';

const credentialId = 'pid';

/** What a wallet answered, once it fits. */
export type WalletResponse =
  | { readonly kind: 'presentation'; readonly presentation: string }
  | { readonly kind: 'error'; readonly error: string };

/** An answer that does not do; `message` says why, and holds nothing of it. */
class ResponseRefused extends Error {}

const errorCodes = [
  'access_denied',
  'invalid_request',
  'invalid_client',
  'invalid_scope',
  'vp_formats_not_supported',
  'invalid_request_uri_method',
  'invalid_transaction_data',
  'wallet_unavailable',
];

const presentation = z.string().regex(/^[\w-]+\.[\w-]+\.[\w-]+~(?:[\w-]+~)*[\w-]+\.[\w-]+\.[\w-]+$/);
const success = z.object({
  state: z.string(),
  vp_token: z.strictObject({ [credentialId]: z.tuple([presentation]) }),
});
const failure = z.object({ error: z.string(), state: z.string().optional() });

/**
 * Reads the form of a response (OpenID4VP 1.0, sections 8.3 and 8.5). A success must be encrypted; an error may come
 * in the open, from a wallet that could not encrypt.
 */
export async function readResponse(form: unknown, leg: WalletLeg): Promise<WalletResponse> {
  const fields = z.record(z.string(), z.string()).safeParse(form);
  if (!fields.success) throw new ResponseRefused('A parameter is repeated, or is not a string.');
  const { response, vp_token, error, state } = fields.data;
  if (vp_token !== undefined) throw new ResponseRefused('The response must be encrypted (direct_post.jwt).');
  if ((response === undefined) === (error === undefined)) {
    throw new ResponseRefused('The form must have one of response and error.');
  }
  if (error !== undefined) return readError(error, state, leg);
  return readContent(await decrypt(response ?? '', leg), leg);
}

/** A wallet that could not read the request has no `state` to send back. */
function readError(error: string, state: string | undefined, leg: WalletLeg): WalletResponse {
  if (state !== undefined && state !== leg.state) throw foreignState();
  return { kind: 'error', error: errorCodes.includes(error) ? error : 'invalid_request' }; // wallets write anything
}

function readContent(content: unknown, leg: WalletLeg): WalletResponse {
  const failed = failure.safeParse(content);
  if (failed.success) return readError(failed.data.error, failed.data.state, leg);
  const parsed = success.safeParse(content);
  if (!parsed.success) {
    if (parsed.error.issues.every(({ path }) => path[0] === 'state')) throw foreignState();
    throw new ResponseRefused(
      `vp_token must be an object with ${credentialId} alone: a list of one SD-JWT with key binding.`,
    );
  }
  if (parsed.data.state !== leg.state) throw foreignState();
  return { kind: 'presentation', presentation: parsed.data.vp_token[credentialId]?.[0] ?? '' };
}

function foreignState(): ResponseRefused {
  return new ResponseRefused('state must be that of the request.');
}

const contentEncryption = ['A128GCM', 'A256GCM'];

async function decrypt(jwe: string, { key }: WalletLeg): Promise<unknown> {
  checkHeader(jwe, key.publicJwk.kid);
  try {
    const { plaintext } = await compactDecrypt(jwe, key.privateKey, {
      keyManagementAlgorithms: ['ECDH-ES'],
      contentEncryptionAlgorithms: contentEncryption,
    });
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(plaintext)) as unknown;
  } catch {
    throw new ResponseRefused('The response cannot be decrypted, or is not JSON.');
  }
}

function checkHeader(jwe: string, kid: string): void {
  let header: { alg?: unknown; enc?: unknown; zip?: unknown; kid?: unknown };
  try {
    header = decodeProtectedHeader(jwe);
  } catch {
    throw new ResponseRefused('The response is not a compact JWE.');
  }
  if (header.alg !== 'ECDH-ES') throw new ResponseRefused('alg must be ECDH-ES.');
  if (!contentEncryption.some((enc) => enc === header.enc)) {
    throw new ResponseRefused('enc must be A128GCM or A256GCM.');
  }
  if (header.zip !== undefined) throw new ResponseRefused('zip is not supported.');
  if (header.kid !== kid) throw new ResponseRefused("kid is not that of this request's key.");
}
