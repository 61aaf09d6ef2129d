import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { nonceOf } from '../../../service/receipt.js';
import { germanIssuer, sandboxProfile } from '../profile.js';
import { SignJWT } from '../jose.js';
import { claimPath } from '../people/claims.js';
import type { Access } from './access.js';
import type { WalletLeg } from './wallet-request.js';

/** The id of the one credential that is asked for. */
export const credentialId = 'pid';

export const requestType = 'oauth-authz-req+jwt';

/** How a wallet is asked to fetch the request; the service takes both (OpenID4VP 1.0, section 5.10). */
export type RequestUriMethod = 'get' | 'post';

/** Signs the request for a wallet (OpenID4VP 1.0, section 5; HAIP 1.0, section 5.1). */
export async function requestObject(
  request: ReceivedProveRequest,
  { key, state }: WalletLeg,
  { clientId, privateKey, x5c, registration }: Access,
  { responseUri, walletNonce, now }: { responseUri: string; walletNonce: string | undefined; now: Date },
): Promise<string> {
  const claims = {
    iss: clientId,
    aud: 'https://self-issued.me/v2',
    iat: Math.floor(now.getTime() / 1000),
    client_id: clientId,
    response_type: 'vp_token',
    response_mode: 'direct_post.jwt',
    response_uri: responseUri,
    nonce: nonceOf(request.state),
    state,
    dcql_query: dcqlFor(request),
    client_metadata: {
      jwks: { keys: [key.publicJwk] },
      encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
      vp_formats_supported: {
        'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] },
      },
    },
    ...(walletNonce !== undefined && { wallet_nonce: walletNonce }),
    ...(registration !== undefined && {
      verifier_info: [{ format: 'registration_cert', data: registration }],
    }),
  };
  return await new SignJWT(claims)
    .setProtectedHeader({ alg: 'ES256', typ: requestType, x5c: [...x5c] })
    .sign(privateKey);
}

/** What is asked for, as a DCQL query. A derived answer needs the nationalities: the service keeps them to itself. */
function dcqlFor({ revealed, derived }: ReceivedProveRequest) {
  const ids = new Set(revealed);
  if (derived?.nationality !== undefined) ids.add('nationality');
  const claims = [...ids].map((id) => ({ path: claimPath(id) }));
  const meta = { vct_values: [sandboxProfile.germanVct] };
  return { credentials: [{ id: credentialId, format: 'dc+sd-jwt', meta, claims }] };
}

/** The address that opens a wallet; `scheme` is `openid4vp://`, `haip-vp://` or the page of the built-in wallet. */
function walletLink(scheme: string, clientId: string, requestUri: string, method: RequestUriMethod): string {
  const query = new URLSearchParams({
    client_id: clientId,
    request_uri: requestUri,
    request_uri_method: method,
  });
  return `${scheme}?${query.toString()}`;
}

/** Only the simulated German issuer is reached over OpenID4VP. */
export function hasWalletLeg({ issuer }: ReceivedProveRequest): boolean {
  return issuer === germanIssuer;
}

/** The three ways to open a wallet with one request. */
export interface WalletLinks {
  readonly openid4vp: string;
  readonly haip: string;
  /** The sandbox's own wallet, where the request can reach it. */
  readonly builtIn: string | undefined;
}

interface LinkTargets {
  readonly url: string;
  readonly walletUrl: string;
  readonly access: Access;
  readonly isOutside: boolean;
  readonly requestUriMethod: RequestUriMethod;
}

export function walletLinks(
  { url, walletUrl, access, isOutside, requestUriMethod }: LinkTargets,
  leg: WalletLeg,
): WalletLinks {
  const requestUri = `${walletUrl}/request/${leg.requestId}`;
  const link = (scheme: string): string => walletLink(scheme, access.clientId, requestUri, requestUriMethod);
  return {
    openid4vp: link('openid4vp://'),
    haip: link('haip-vp://'),
    builtIn: isOutside ? undefined : link(`${url}/holder`),
  };
}
