import { X509Certificate, createHash, randomBytes } from 'node:crypto';
import { Openid4vpClient } from '@openid4vc/openid4vp';
import { type CallbackContext, setGlobalConfig } from '@openid4vc/oauth2';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { DcqlQuery } from 'dcql';
import {
  CompactEncrypt,
  SignJWT,
  compactVerify,
  exportJWK,
  generateKeyPair,
  importX509,
  importJWK,
  type JWK,
} from 'jose';
import type { PersonName, Sandbox } from '../../lib/dev/sandbox/index.js';
import type { Jwk } from '../../lib/types/trust.js';

// A wallet made of other people's libraries: they read the request, check it, match the query, choose what to
// disclose, and encrypt. Only the signatures are jose's.

setGlobalConfig({ allowInsecureUrls: true });

/** What the wallet does otherwise than it should. */
export interface Deviation {
  readonly nonce?: string;
  readonly audience?: string;
  /** Leaves out the first claim that is asked for. */
  readonly drops?: boolean;
  /** Shows all claims of the query that it has, whatever sets there are. */
  readonly ignoresSets?: boolean;
  /** Seconds from now. */
  readonly issuedAt?: number;
  readonly sdHash?: string;
  /** Changes the presentation before it is encrypted. */
  readonly tamper?: (presentation: string) => string;
  /** Changes the credential before it is bound to the flow. */
  readonly forge?: (credential: string) => string;
}

export interface ForeignWallet {
  /** Fetches and checks the request behind a link, and says what it asks for. */
  open(link: string): Promise<Opened>;
  /** The same with a request that a browser hands over, and the origin of the page that the browser has seen. */
  openByBrowser(request: string, origin: string, careless?: 'whatever the origin'): Promise<Answering>;
}

/** A request that was checked, and the answers to it. */
export interface Answering {
  readonly request: Readonly<Record<string, unknown>> & {
    readonly nonce: string;
    readonly client_metadata: { readonly jwks: { readonly keys: readonly Jwk[] } };
  };
  /** What a person would have to share. */
  readonly asked: readonly string[];
  /** Makes the presentation alone. */
  readonly present: (deviation?: Deviation) => Promise<string>;
  /** Makes the encrypted response. */
  readonly respond: (deviation?: Deviation) => Promise<string>;
}

export interface Opened extends Answering {
  readonly request: Answering['request'] & { readonly response_uri: string; readonly state: string };
  readonly clientId: string;
  readonly send: (response: string) => Promise<Reply>;
  readonly decline: () => Promise<Reply>;
  /** Posts this form where the response goes. */
  readonly post: (form: Record<string, string>) => Promise<Reply>;
}

export interface Reply {
  readonly status: number;
  readonly body: { readonly redirect_uri?: string; readonly error?: string };
}

export const hasher = (data: string | ArrayBuffer, alg: string): Uint8Array =>
  createHash(alg.replace('-', '').toLowerCase())
    .update(typeof data === 'string' ? data : Buffer.from(data))
    .digest();

/** What a wallet needs of others: who certifies those that ask, who issues, and a way to both. */
export interface World {
  readonly accessAnchors: readonly string[];
  readonly issuePid: (order: { readonly holder: JWK; readonly person: PersonName }) => Promise<string>;
  readonly fetch?: typeof fetch;
}

/** The PIDs of a sandbox, and requests of somebody else. */
export const worldOf = (sandbox: Pick<Sandbox, 'issuePids'>, accessAnchors: readonly string[]): World => ({
  accessAnchors,
  async issuePid({ holder, person }) {
    const [pid = ''] = await sandbox.issuePids({ holders: [holder], person });
    return pid;
  },
});

/** A wallet that trusts this sandbox, and has a PID from it for a key of its own. */
export async function foreignWallet(world: World, person: PersonName = 'erika'): Promise<ForeignWallet> {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const holder = await exportJWK(publicKey);
  const pid = await world.issuePid({ holder, person });
  const { fetch: request = fetch } = world;
  const sdJwt = new SDJwtVcInstance({
    hasher,
    hashAlg: 'sha-256',
    saltGenerator: () => randomBytes(16).toString('base64url'),
    kbSignAlg: 'ES256',
    kbSigner: async () => await Promise.resolve(''),
  });
  return { open, openByBrowser };

  async function open(link: string): Promise<Opened> {
    const expectedNonce = randomBytes(16).toString('base64url');
    const client = new Openid4vpClient({
      callbacks: callbacksFor(world.accessAnchors, request, expectedNonce),
    });
    const isPost = new URL(link).searchParams.get('request_uri_method') === 'post';
    const parsed = client.parseOpenid4vpAuthorizationRequest({ authorizationRequest: link });
    if (parsed.type !== 'jar') throw new Error('The link names no request object.');
    const resolved = await client.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: parsed.params,
      wallet: { ...(isPost && { expectedNonce }), metadata: walletMetadata }, // a GET cannot carry a nonce
    });
    const clientId = parsed.params.client_id ?? '';
    const answering = await answer(client, resolved, clientId);
    const asking = answering.request as Opened['request'];
    return {
      ...answering,
      request: asking,
      clientId,
      post,
      send: async (response) => await post({ response }),
      decline: async () => await post({ error: 'access_denied', state: asking.state }),
    };

    async function post(form: Record<string, string>): Promise<Reply> {
      const init = { method: 'POST', body: new URLSearchParams(form) };
      const reply = await request(asking.response_uri, init);
      return { status: reply.status, body: (await reply.json()) as Reply['body'] };
    }
  }

  async function openByBrowser(
    jwt: string,
    origin: string,
    careless?: 'whatever the origin',
  ): Promise<Answering> {
    const client = new Openid4vpClient({ callbacks: callbacksFor(world.accessAnchors, request, '') });
    const resolved = await client.resolveOpenId4vpAuthorizationRequest({
      authorizationRequestPayload: { request: jwt },
      origin,
      disableOriginValidation: careless !== undefined,
    });
    return await answer(client, resolved, `origin:${origin}`, origin);
  }

  async function answer(
    client: Openid4vpClient,
    { authorizationRequestPayload, dcql }: Resolved,
    audience: string,
    origin?: string,
  ): Promise<Answering> {
    const asking = authorizationRequestPayload as unknown as Answering['request'];
    const { chosen, all } = await match(dcql?.query);
    const presentFor = async (deviation: Deviation): Promise<string> =>
      await present(deviation.ignoresSets === true ? all : chosen, asking.nonce, audience, deviation);
    return {
      request: asking,
      asked: chosen.map((path) => path.filter((name) => name !== null).join('.')),
      present: async (deviation = {}) => await presentFor(deviation),
      async respond(deviation = {}) {
        const { jarm } = await client.createOpenid4vpAuthorizationResponse({
          authorizationRequestPayload,
          authorizationResponsePayload: { vp_token: { pid: [await presentFor(deviation)] } },
          jarm: { encryption: { nonce: randomBytes(16).toString('base64url') }, serverMetadata },
          ...(origin !== undefined && { origin }),
        });
        return jarm?.responseJwt ?? '';
      },
    };
  }

  /** What the PID has of the query, and of it the set that the library chooses. */
  async function match(
    query: unknown,
  ): Promise<{ readonly chosen: readonly Path[]; readonly all: readonly Path[] }> {
    const { jwt } = await sdJwt.decode(pid);
    const vct = String(jwt?.payload?.['vct']);
    const claims = (await sdJwt.getClaims(pid)) as Record<string, never>;
    const parsed = DcqlQuery.parse(query as never);
    DcqlQuery.validate(parsed);
    const result = DcqlQuery.query(parsed, [
      { credential_format: 'dc+sd-jwt', vct, claims, cryptographic_holder_binding: true },
    ]);
    const [found] = result.credential_matches['pid']?.valid_credentials ?? [];
    if (found === undefined) throw new Error('The PID does not fit the query.');
    const { valid_claim_sets: sets, valid_claims: valid = [] } = found.claims;
    const asked = parsed.credentials[0]?.claims ?? [];
    const pathsAt = (indexes: readonly number[] = []): readonly Path[] =>
      indexes.flatMap((index) => {
        const claim = asked[index];
        return claim !== undefined && 'path' in claim ? [claim.path] : [];
      });
    return {
      chosen: pathsAt(sets?.[0].valid_claim_indexes),
      all: pathsAt(valid.map(({ claim_index }) => claim_index)),
    };
  }

  async function present(
    paths: readonly Path[],
    nonce: string,
    audience: string,
    { drops, ignoresSets: _, ...deviation }: Deviation,
  ): Promise<string> {
    const shown = drops === true ? paths.slice(1) : paths;
    const frame = frameOf(shown);
    const chosen = await sdJwt.present<Record<string, unknown>>(pid, frame as never);
    const presented = deviation.forge?.(chosen) ?? chosen;
    const binding = {
      nonce: deviation.nonce ?? nonce,
      aud: deviation.audience ?? audience,
      iat: Math.floor(Date.now() / 1000) + (deviation.issuedAt ?? 0),
      sd_hash: deviation.sdHash ?? createHash('sha256').update(presented).digest('base64url'),
    };
    const signed = new SignJWT(binding).setProtectedHeader({ alg: 'ES256', typ: 'kb+jwt' });
    const presentation = presented + (await signed.sign(privateKey));
    return deviation.tamper?.(presentation) ?? presentation;
  }
}

type Resolved = Awaited<ReturnType<Openid4vpClient['resolveOpenId4vpAuthorizationRequest']>>;

type Path = readonly (string | number | null)[];

/** No more than the path selects: of a list its elements only where it goes on to them (OpenID4VP 1.0, section 7.1). */
function frameOf(paths: readonly Path[]): Record<string, unknown> {
  const frame: Record<string, unknown> = {};
  for (const [name, inner] of paths) {
    const members = inner === null ? { 0: true, 1: true } : { [String(inner)]: true };
    frame[String(name)] = inner === undefined ? true : { ...Object(frame[String(name)]), ...members };
  }
  return frame;
}

const walletMetadata = {
  vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': ['ES256'], 'kb-jwt_alg_values': ['ES256'] } },
  request_object_signing_alg_values_supported: ['ES256'],
  client_id_prefixes_supported: ['x509_hash', 'x509_san_dns'],
} as never;

const serverMetadata = {
  authorization_signing_alg_values_supported: [],
  authorization_encryption_alg_values_supported: ['ECDH-ES'],
  authorization_encryption_enc_values_supported: ['A256GCM'],
};

type Callbacks = Pick<
  CallbackContext,
  'verifyJwt' | 'decryptJwe' | 'getX509CertificateMetadata' | 'fetch' | 'hash' | 'signJwt' | 'encryptJwe'
>;

function callbacksFor(anchors: readonly string[], request: typeof fetch, walletNonce: string): Callbacks {
  return {
    // 0.4.6 sends its metadata without the nonce that it then expects.
    async fetch(url, init) {
      const form = new URLSearchParams(init?.body as URLSearchParams | undefined);
      form.set('wallet_nonce', walletNonce);
      return await request(url, {
        ...init,
        ...(init?.method === 'post' && { method: 'POST', body: form }),
      } as RequestInit);
    },
    hash: (data, alg) => createHash(alg.replace('-', '')).update(data).digest(),
    getX509CertificateMetadata(certificate) {
      const { subjectAltName = '' } = new X509Certificate(Buffer.from(certificate, 'base64'));
      const sanDnsNames = [...subjectAltName.matchAll(/DNS:([^,]+)/g)].map(([, name = '']) => name);
      return { sanDnsNames, sanUriNames: [] };
    },
    async verifyJwt(signer, { compact, header }) {
      if (signer.method !== 'x5c') return { verified: false };
      const leaf = new X509Certificate(Buffer.from(signer.x5c[0] ?? '', 'base64'));
      const trusted = anchors.some((pem) => leaf.verify(new X509Certificate(pem).publicKey));
      const key = await importX509(leaf.toString(), header.alg);
      const verified = await compactVerify(compact, key).then(
        () => true,
        () => false,
      );
      const signerJwk = leaf.publicKey.export({ format: 'jwk' }) as { kty: string };
      return trusted && verified ? { verified: true, signerJwk } : { verified: false };
    },
    async encryptJwe({ publicJwk, enc, apu, apv }, data) {
      const jwe = await new CompactEncrypt(Buffer.from(data))
        .setProtectedHeader({ alg: 'ECDH-ES', enc, kid: String(publicJwk['kid']) })
        .setKeyManagementParameters({
          ...(apu !== undefined && { apu: Buffer.from(apu, 'base64url') }),
          ...(apv !== undefined && { apv: Buffer.from(apv, 'base64url') }),
        })
        .encrypt(await importJWK(publicJwk as never, 'ECDH-ES'));
      return { encryptionJwk: publicJwk, jwe };
    },
    signJwt: () => {
      throw new Error('Nothing is to be signed.');
    },
    decryptJwe: () => {
      throw new Error('Nothing is to be decrypted.');
    },
  };
}
