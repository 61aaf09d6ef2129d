import { CompactEncrypt, type JWK, decodeJwt, decodeProtectedHeader, importJWK } from 'jose';
import { type GermanFlow, openid4vpLinkOn } from './german.js';

/** What the service asks a wallet for. */
export interface RequestObject {
  readonly response_uri: string;
  readonly state: string;
  readonly client_id: string;
  readonly [member: string]: unknown;
  readonly client_metadata: { readonly jwks: { readonly keys: readonly JWK[] } };
  readonly verifier_info: readonly { readonly format: string; readonly data: string }[];
}

/** The part of a flow between service and wallet. */
export interface Leg {
  readonly flow: GermanFlow;
  readonly requestUri: string;
  readonly jws: string;
  readonly request: RequestObject;
  readonly header: ReturnType<typeof decodeProtectedHeader>;
}

export async function legOf(flow: GermanFlow): Promise<Leg> {
  const link = new URL(openid4vpLinkOn((await flow.browser.get(flow.page)).text));
  const requestUri = link.searchParams.get('request_uri') ?? '';
  const jws = await (await fetch(requestUri)).text();
  return { flow, requestUri, jws, request: decodeJwt(jws), header: decodeProtectedHeader(jws) };
}

/** A response that has the right form. */
export const fitting = { vp_token: { pid: ['eyJhbGciOiJFUzI1NiJ9.e30.c2ln~eyJhbGciOiJFUzI1NiJ9.e30.c2ln'] } };

export interface Encryption {
  readonly content?: unknown;
  readonly header?: Record<string, unknown>;
}

export async function encrypt(
  { request }: Pick<Leg, 'request'>,
  { content = fitting, header = {} }: Encryption = {},
): Promise<string> {
  const [jwk]: readonly (JWK | undefined)[] = request.client_metadata.jwks.keys;
  const alg = typeof header['alg'] === 'string' ? header['alg'] : 'ECDH-ES';
  const whole = typeof content === 'object' ? { state: request.state, ...content } : content;
  return await new CompactEncrypt(Buffer.from(typeof whole === 'string' ? whole : JSON.stringify(whole)))
    .setProtectedHeader({ alg, enc: 'A256GCM', kid: jwk?.kid ?? '', ...header } as never)
    .encrypt(await importJWK({ ...jwk, alg }, alg));
}
