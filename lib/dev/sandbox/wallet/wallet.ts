import { type webcrypto, X509Certificate, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fetchBounded } from '../../../safe/fetch-bounded.js';
import { stoppedWithin } from '../../../safe/time.js';
import { CompactEncrypt, compactVerify, decodeProtectedHeader, importJWK } from '../jose.js';
import type { ClaimPath } from '../issuers/sd-jwt.js';
import { sha256Of } from '../service/digest.js';

// The built-in wallet: it knows of the service only what any wallet would.

/** A request that the wallet has checked. */
export interface WalletRequest {
  readonly clientId: string;
  readonly nonce: string;
  readonly responseUri: string;
  readonly credentialId: string;
  readonly asked: readonly ClaimPath[];
  readonly encryption: {
    readonly key: webcrypto.JsonWebKey & { readonly kid: string };
    readonly enc: string;
  };
}

/** Why the wallet does not go on; the message is for the person. */
export class WalletRefusal extends Error {}

const requestSchema = z.object({
  aud: z.literal('https://self-issued.me/v2'),
  client_id: z.string(),
  response_type: z.literal('vp_token'),
  response_mode: z.literal('direct_post.jwt'),
  response_uri: z.url(),
  nonce: z.string().min(1),
  wallet_nonce: z.string().optional(),
  dcql_query: z.object({
    credentials: z.tuple([
      z.object({
        id: z.string(),
        format: z.literal('dc+sd-jwt'),
        claims: z.array(z.object({ path: z.array(z.string().nullable()).min(1) })).min(1),
      }),
    ]),
  }),
  client_metadata: z.object({
    jwks: z.object({ keys: z.tuple([z.looseObject({ kty: z.string(), kid: z.string() })]) }),
    encrypted_response_enc_values_supported: z.array(z.string()).min(1),
  }),
});

const reply = z.object({ redirect_uri: z.url().optional() });
const maxBytes = 256 * 1024;
const patience = 30_000;
const form = 'application/x-www-form-urlencoded';

/** Fetches the request that a link names, and checks who asks (OpenID4VP 1.0, sections 5.9.3 and 5.10). */
export async function openRequest(
  link: { readonly clientId: string; readonly requestUri: string },
  accessAnchors: readonly string[],
  signal: AbortSignal,
): Promise<WalletRequest> {
  const walletNonce = randomBytes(16).toString('base64url');
  const body = new URLSearchParams({ wallet_nonce: walletNonce }).toString();
  const { status, text } = await post(link.requestUri, body, 'application/oauth-authz-req+jwt', signal);
  if (status !== 200) throw new WalletRefusal('This request is unknown, has expired or was answered.');
  const leaf = leafOf(text, accessAnchors);
  const { payload } = await compactVerify(text, leaf.publicKey, { algorithms: ['ES256'] });
  const parsed = requestSchema.safeParse(JSON.parse(new TextDecoder().decode(payload)));
  if (!parsed.success) throw new WalletRefusal('The request is not one that this wallet can answer.');
  const { client_id, nonce, response_uri, dcql_query, client_metadata, wallet_nonce } = parsed.data;
  if (client_id !== link.clientId || wallet_nonce !== walletNonce || !isNamed(client_id, leaf)) {
    throw new WalletRefusal('The request does not come from the one that the link names.');
  }
  const [{ id, claims }] = dcql_query.credentials;
  return {
    clientId: client_id,
    nonce,
    responseUri: response_uri,
    credentialId: id,
    asked: claims.map(({ path }) => path),
    encryption: {
      key: client_metadata.jwks.keys[0],
      enc: client_metadata.encrypted_response_enc_values_supported.at(-1) ?? 'A128GCM',
    },
  };
}

function leafOf(jws: string, accessAnchors: readonly string[]): X509Certificate {
  const { x5c: [der = ''] = [], typ } = decodeProtectedHeader(jws);
  const leaf = new X509Certificate(Buffer.from(der, 'base64'));
  const certified = accessAnchors.some((pem) => {
    const anchor = new X509Certificate(pem);
    return leaf.checkIssued(anchor) && leaf.verify(anchor.publicKey);
  });
  if (certified && typ === 'oauth-authz-req+jwt') return leaf;
  throw new WalletRefusal('Nobody whom this wallet trusts has certified who asks.');
}

/** Whether the client id is the certificate's own (section 5.9.3). */
function isNamed(clientId: string, leaf: X509Certificate): boolean {
  if (clientId === `x509_hash:${sha256Of(leaf.raw)}`) return true;
  const [prefix, host = ''] = clientId.split(':');
  return prefix === 'x509_san_dns' && leaf.checkHost(host) === host;
}

/** Sends what is shown, encrypted. Returns where to go on, if the service says so. */
export async function respond(
  { responseUri, credentialId, encryption: { key, enc } }: WalletRequest,
  presentation: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  const content = JSON.stringify({ vp_token: { [credentialId]: [presentation] } });
  const jwe = await new CompactEncrypt(Buffer.from(content))
    .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: key.kid })
    .encrypt(await importJWK(key, 'ECDH-ES'));
  return await sendForm(responseUri, new URLSearchParams({ response: jwe }), signal);
}

/** Tells the service that there will be no presentation. */
export async function respondError(
  { responseUri }: WalletRequest,
  error: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  return await sendForm(responseUri, new URLSearchParams({ error }), signal);
}

async function sendForm(
  uri: string,
  body: URLSearchParams,
  signal: AbortSignal,
): Promise<string | undefined> {
  const { status, text } = await post(uri, body.toString(), 'application/json', signal);
  if (status !== 200) throw new WalletRefusal('The service did not take the answer. Start again in the app.');
  return reply.parse(JSON.parse(text)).redirect_uri;
}

async function post(url: string, body: string, accept: string, signal: AbortSignal) {
  return await stoppedWithin(patience, async ({ signal: deadline }) => {
    const headers = { 'content-type': form, accept };
    const init = { method: 'POST', headers, body, signal: AbortSignal.any([deadline, signal]) };
    return await fetchBounded(globalThis.fetch, url, init, maxBytes);
  });
}
