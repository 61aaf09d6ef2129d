import { type webcrypto, X509Certificate, randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fetchBounded } from '../../../internal/http.js';
import { isLoopback } from '../../../internal/urls.js';
import { withTimeoutSignal } from '../../../internal/timeouts.js';
import { CompactEncrypt, compactVerify, decodeProtectedHeader, importJWK } from '../jose.js';
import type { ClaimPath } from '../issuers/sd-jwt.js';
import { isOnCard } from '../people/claims.js';
import { sha256 } from '../../../internal/sha256.js';

// A wallet: it knows of who asks only what any wallet would.

/** A request that the wallet has checked. */
export interface WalletRequest {
  readonly clientId: string;
  readonly nonce: string;
  /** What comes back with the response. */
  readonly state: string;
  readonly responseUri: string;
  readonly credentialId: string;
  /** What is to be shown: of several sets of claims, the first that the card has. */
  readonly asked: readonly ClaimPath[];
  readonly encryption: {
    readonly key: webcrypto.JsonWebKey & { readonly kid: string };
    readonly enc: string;
  };
}

/** Why the wallet does not go on, as the person reads it in English. */
export const refusals = {
  gone: 'This request is unknown, has expired or was answered. Start again on the website.',
  unsupported: 'This wallet cannot answer this kind of request.',
  impostor: 'The request does not come from the party that the link names.',
  unregistered: 'The requester is not registered to ask for all of this.',
  uncertified: 'No authority that this wallet trusts has certified the requester.',
  elsewhere: 'This wallet answers only websites on this machine.',
} as const;

export type RefusalReason = keyof typeof refusals;

export class WalletRefusal extends Error {
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason) {
    super(refusals[reason]);
    this.reason = reason;
  }
}

const requestSchema = z.object({
  aud: z.literal('https://self-issued.me/v2'),
  client_id: z.string(),
  response_type: z.literal('vp_token'),
  response_mode: z.literal('direct_post.jwt'),
  response_uri: z.url(),
  nonce: z.string().min(1),
  state: z.string().min(1),
  wallet_nonce: z.string().optional(),
  dcql_query: z.object({
    credentials: z.tuple([
      z.object({
        id: z.string(),
        format: z.literal('dc+sd-jwt'),
        claims: z
          .array(z.object({ id: z.string().optional(), path: z.array(z.string().nullable()).min(1) }))
          .min(1),
        claim_sets: z.array(z.array(z.string()).min(1)).min(1).optional(),
      }),
    ]),
  }),
  client_metadata: z.object({
    jwks: z.object({ keys: z.tuple([z.looseObject({ kty: z.string(), kid: z.string() })]) }),
    encrypted_response_enc_values_supported: z.array(z.string()).min(1),
  }),
  verifier_info: z.tuple([z.object({ format: z.literal('registration_cert'), data: z.string() })]),
});

/** What a registrar says that somebody may ask for (ETSI TS 119 475, section 5.2). */
const registrationSchema = z.object({
  sub: z.string(),
  credentials: z.array(z.object({ claim: z.array(z.object({ path: z.array(z.string().nullable()) })) })),
});

const maxBytes = 256 * 1024;
const patience = 30_000;
const form = 'application/x-www-form-urlencoded';

/** What a link to the wallet says. */
export interface WalletLink {
  readonly clientId: string;
  readonly requestUri: string;
  /** A wallet nonce can only be sent with `post`. */
  readonly method: 'get' | 'post';
}

/** Reads the parameters of a link (section 5.10): without a method it is GET. */
export function linkIn(query: URLSearchParams): WalletLink {
  return {
    clientId: query.get('client_id') ?? '',
    requestUri: query.get('request_uri') ?? '',
    method: query.get('request_uri_method') === 'post' ? 'post' : 'get',
  };
}

/** Fetches the request that a link names, and checks who asks (OpenID4VP 1.0, sections 5.9.3 and 5.10). */
export async function openRequest(
  link: WalletLink,
  accessAnchors: readonly string[],
  signal: AbortSignal,
): Promise<WalletRequest> {
  const { requestUri } = link;
  if (!URL.canParse(requestUri) || !isLoopback(new URL(requestUri))) throw new WalletRefusal('elsewhere');
  const walletNonce = link.method === 'post' ? randomBytes(16).toString('base64url') : undefined;
  const body = walletNonce && new URLSearchParams({ wallet_nonce: walletNonce }).toString();
  const { status, text } = await fetchRequest(requestUri, body, signal).catch(() => ({
    status: 0,
    text: '',
  }));
  if (status !== 200) throw new WalletRefusal('gone');
  const leaf = leafOf(text, 'oauth-authz-req+jwt', accessAnchors);
  const parsed = requestSchema.safeParse(await signedBy(leaf, text));
  if (!parsed.success) throw new WalletRefusal('unsupported');
  const { client_id, nonce, state, response_uri, dcql_query, client_metadata, wallet_nonce, verifier_info } =
    parsed.data;
  const own = `x509_hash:${sha256(leaf.raw)}`; // section 5.9.3
  if (client_id !== link.clientId || wallet_nonce !== walletNonce || client_id !== own) {
    throw new WalletRefusal('impostor');
  }
  // No app may have this machine post to another one (F82).
  if (new URL(response_uri).origin !== new URL(requestUri).origin) throw new WalletRefusal('elsewhere');
  const [{ id, claims, claim_sets }] = dcql_query.credentials;
  const [{ data: registration }] = verifier_info;
  await checkRegistered(registration, claims, leaf, accessAnchors);
  return {
    clientId: client_id,
    nonce,
    state,
    responseUri: response_uri,
    credentialId: id,
    asked: claimsToShow(claims, claim_sets).map(({ path }) => path),
    encryption: {
      key: client_metadata.jwks.keys[0],
      enc: client_metadata.encrypted_response_enc_values_supported.at(-1) ?? 'A128GCM',
    },
  };
}

/** The first set of claims that the card has in full (section 6.4.1), or else all claims of the query. */
function claimsToShow<Claim extends { readonly id?: string | undefined; readonly path: ClaimPath }>(
  claims: readonly Claim[],
  sets: readonly (readonly string[])[] | undefined,
): readonly Claim[] {
  if (sets === undefined) return claims;
  const first = sets
    .map((ids) => claims.filter(({ id }) => id !== undefined && ids.includes(id)))
    .find((set) => set.every(({ path }) => isOnCard(path)));
  if (first === undefined) throw new WalletRefusal('unsupported');
  return first;
}

/** Refuses a request for more than a registrar has allowed to the one who asks. */
async function checkRegistered(
  registration: string,
  asked: readonly { readonly path: ClaimPath }[],
  leaf: X509Certificate,
  accessAnchors: readonly string[],
): Promise<void> {
  const claims = await signedBy(leafOf(registration, 'rc-wrp+jwt', accessAnchors), registration).catch(
    () => undefined,
  );
  const { data } = registrationSchema.safeParse(claims);
  const paths = data?.credentials.flatMap(({ claim }) => claim.map(({ path }) => path));
  const isOwn = data?.sub === leaf.subject.split('\n').join(', ');
  if (isOwn && asked.every(({ path }) => paths?.some((allowed) => covers(allowed, path)))) return;
  throw new WalletRefusal('unregistered');
}

/** A claim is registered with its members, such as the ages, but not with the elements of a list. */
const covers = (allowed: ClaimPath, path: ClaimPath): boolean =>
  allowed.every((name, at) => name === path[at]) && path.slice(allowed.length).every((name) => name !== null);

async function signedBy({ publicKey }: X509Certificate, jws: string): Promise<unknown> {
  const { payload } = await compactVerify(jws, publicKey, { algorithms: ['ES256'] });
  return JSON.parse(new TextDecoder().decode(payload));
}

function leafOf(jws: string, type: string, accessAnchors: readonly string[]): X509Certificate {
  try {
    const { x5c: [der = ''] = [], typ } = decodeProtectedHeader(jws);
    const leaf = new X509Certificate(Buffer.from(der, 'base64'));
    const certified = accessAnchors.some((pem) => {
      const anchor = new X509Certificate(pem);
      return leaf.checkIssued(anchor) && leaf.verify(anchor.publicKey);
    });
    if (certified && typ === type) return leaf;
  } catch {
    // said below
  }
  throw new WalletRefusal('uncertified');
}

/**
 * The form that a wallet posts: what is shown is closed for the key of the request, and an error goes in the open, by the one
 * word that OpenID4VP has for it.
 */
export async function closeAnswer(
  { state: own, credentialId, encryption: { key, enc } }: WalletRequest,
  content: URLSearchParams,
): Promise<string> {
  const { presentation, state = own, error } = Object.fromEntries(content);
  const form = new URLSearchParams();
  if (presentation !== undefined) {
    const text = JSON.stringify({ vp_token: { [credentialId]: [presentation] }, state });
    const kid = state.includes('.') ? key.kid.replace(own, state) : key.kid; // another flow's, where that is played
    const jwe = await new CompactEncrypt(Buffer.from(text))
      .setProtectedHeader({ alg: 'ECDH-ES', enc, kid })
      .encrypt(await importJWK(key, 'ECDH-ES'));
    form.set('response', jwe);
  }
  if (error !== undefined) {
    form.set('error', error === 'card_blocked' ? 'access_denied' : error);
    form.set('state', state);
  }
  return form.toString();
}

/** POSTs a form, or GETs where there is none. */
async function fetchRequest(url: string, body: string | undefined, closing: AbortSignal) {
  const headers = { accept: 'application/oauth-authz-req+jwt' };
  return await withTimeoutSignal(patience, async ({ signal: deadline }) => {
    const signal = AbortSignal.any([deadline, closing]);
    const init =
      body === undefined
        ? { headers, signal }
        : { method: 'POST', headers: { ...headers, 'content-type': form }, body, signal };
    return await fetchBounded(globalThis.fetch, url, init, maxBytes);
  });
}
