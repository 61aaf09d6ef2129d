import { createPrivateKey, X509Certificate } from 'node:crypto';
import { SignJWT } from 'jose';
import { createAccess } from '../../../lib/dev/sandbox/issuers/access.js';
import { sha256 } from '../../../lib/internal/sha256.js';
import { createLeg, type WalletLeg } from './wallet-request.js';
import { readResponse, type WalletResponse } from './wallet-response.js';

// The side of a verifier that wallets see, for both stubs: a signed request by reference, and an encrypted response.

export type Access = Awaited<ReturnType<typeof stubAccess>>;

/** Who the stub is towards wallets: a certificate, and the client id that is its hash. */
export const stubAccess = async () => {
  const { certificate, key, registration, anchors } = await createAccess(new Date(), false);
  const { raw } = new X509Certificate(certificate);
  return {
    clientId: `x509_hash:${sha256(raw)}`,
    privateKey: createPrivateKey(key),
    x5c: [raw.toString('base64')],
    registration,
    anchors,
  };
};

/** What one wallet is asked, and what it answered. */
export interface Asked {
  readonly leg: WalletLeg;
  readonly nonce: string;
  readonly query: unknown;
  answer?: WalletResponse;
}

export async function ask(nonce: string, query: unknown): Promise<Asked> {
  return { leg: await createLeg('link'), nonce, query };
}

/** The request object (OpenID4VP 1.0, section 5; HAIP 1.0, section 5.1). */
export async function requestObject(
  { leg, nonce, query }: Asked,
  { clientId, privateKey, x5c, registration }: Access,
  responseUri: string,
  walletNonce: unknown,
): Promise<string> {
  const claims = {
    aud: 'https://self-issued.me/v2',
    client_id: clientId,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: responseUri,
    nonce,
    state: leg.state,
    dcql_query: query,
    client_metadata: {
      jwks: { keys: [leg.key.publicJwk] },
      encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
      vp_formats_supported: {
        'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] },
      },
    },
    verifier_info: [{ format: 'registration_cert', data: registration }],
    ...(typeof walletNonce === 'string' && { wallet_nonce: walletNonce }),
  };
  return await new SignJWT(claims as Record<string, unknown>)
    .setProtectedHeader({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: [...x5c] })
    .sign(privateKey);
}

/** Reads a wallet's form once: encrypted, with the state of its request. */
export async function takeResponse(asked: Asked, form: unknown): Promise<WalletResponse> {
  if (asked.answer !== undefined) throw new Error('Answered before.');
  asked.answer = await readResponse(form, asked.leg);
  return asked.answer;
}
