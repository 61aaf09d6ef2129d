import type { AttributeId } from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import type { Access } from '../access.js';
import { nonceOf } from '../receipt.js';
import { type Handle, printHandle } from './handle.js';
import { publicJwk } from './keys.js';
import { formatsOf, queryOf } from './query.js';
import { signatureOf } from './signature.js';

/** One request to a wallet: by one flow, in one way. */
export interface WalletRequest {
  readonly handle: Handle;
  readonly access: Access;
  /** The random bytes of the flow's record. */
  readonly bytes: string;
  readonly reveal: readonly AttributeId[];
  readonly trust: SdJwtVcTrust;
  /** Where the wallet posts its answer. */
  readonly responseUri: string;
  /** The one origin whose page may ask by the browser. */
  readonly origin: string;
  /** Milliseconds: now, and the flow's end. */
  readonly now: number;
  readonly until: number;
  /** What the wallet wants to find in the request (OpenID4VP 1.0, section 5.10). */
  readonly walletNonce?: string | undefined;
  readonly timeout: number;
}

/**
 * The link that opens a wallet, which is also what a code holds (OpenID4VP 1.0, section 5.7); for a wallet that is a website,
 * with its address.
 */
export function walletLink({ clientId, scheme }: Access, requestUri: string, website?: string): string {
  const query = new URLSearchParams({
    client_id: clientId,
    request_uri: requestUri,
    request_uri_method: 'post',
  });
  return `${website ?? `${scheme}://`}?${query.toString()}`;
}

/** The signed request (OpenID4VP 1.0, section 5, and for a browser appendix A.2; HAIP 1.0, sections 5.1 and 5.2). */
export async function signedRequest(request: WalletRequest): Promise<string> {
  const { handle, access, bytes, reveal, trust, now, until, walletNonce, timeout } = request;
  const state = printHandle(handle);
  const { registration } = access;
  const payload = {
    aud: 'https://self-issued.me/v2',
    iat: Math.floor(now / 1000),
    exp: Math.floor(until / 1000),
    client_id: access.clientId,
    response_type: 'vp_token',
    ...(handle.way === 'browser'
      ? { response_mode: 'dc_api.jwt', expected_origins: [new URL(request.origin).origin] }
      : { response_mode: 'direct_post.jwt', response_uri: request.responseUri, state }),
    nonce: nonceOf(handle.state),
    dcql_query: queryOf(trust, reveal),
    client_metadata: {
      jwks: { keys: [publicJwk(bytes, handle.way, state)] },
      encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
      vp_formats_supported: formatsOf(trust),
    },
    verifier_info: registration && [{ format: 'registration_cert', data: registration }],
    wallet_nonce: walletNonce,
  };
  const signed = `${headerOf(access)}.${encode(payload)}`;
  const signature = await signatureOf(Buffer.from(signed), access, timeout);
  return `${signed}.${signature.toString('base64url')}`;
}

const encode = (part: object): string => Buffer.from(JSON.stringify(part)).toString('base64url');

/** By who asks: the chain in it is half of what is encoded. */
const headers = new WeakMap<Access, string>();

function headerOf(access: Access): string {
  const known = headers.get(access);
  if (known !== undefined) return known;
  const header = encode({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: access.x5c });
  headers.set(access, header);
  return header;
}
