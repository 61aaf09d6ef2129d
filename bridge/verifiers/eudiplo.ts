import { sha256 } from '../seal.js';
import type { Settings } from '../settings.js';
import { walletLink } from '../urls.js';
import { Fault, forLog, type Reply } from './call.js';
import { readHook } from './eudiplo-hook.js';
import { eudiploToken } from './eudiplo-token.js';
import {
  type Found,
  type Order,
  over,
  pidQuery,
  type Question,
  type Verifier,
  walletError,
} from './verifier.js';

/**
 * EUDIPLO. It draws the nonce itself and posts the proof to our hook, once. What became of a request is in its session.
 * What it asks for is stored there, once for each set of claims.
 */
export function eudiploVerifier({
  verifierUrl,
  verifierOptions,
  clientId,
  clientSecret,
  vct,
}: Settings): Verifier {
  const send = eudiploToken(`${verifierUrl}/api/oauth2/token`, {
    client_id: `${clientId}`,
    client_secret: `${clientSecret}`,
  });
  const { trusted_authorities: authorities, ...options } = verifierOptions;
  const stored = new Set<string>();

  return {
    lifeSign: `${verifierUrl}/health`,
    givesRequestOnce: false,

    async start({ claims, back, hook, lifetime, signal }) {
      const query = { dcql_query: pidQuery(claims, vct, authorities), lifeTime: lifetime, ...options };
      const requestId = `pidgate-${sha256(JSON.stringify(query)).slice(0, 16)}`;
      const config = { id: requestId, description: claims.join(', '), ...query };
      const body = {
        response_type: 'uri',
        requestId,
        ...(back !== undefined && { redirectUri: back }),
        webhook: { url: hook.url, auth: hookKey(hook), includeRawTokensFor: ['pid'] },
      };
      const offer = async () => await send(`${verifierUrl}/api/verifier/offer`, { body, signal });
      if (!stored.has(requestId)) await store(config, signal);
      let reply = await offer();
      if (reply.status === 409) {
        await store(config, signal); // somebody has removed it there
        reply = await offer();
      }
      const { session: id, uri, crossDeviceUri } = reply.json ?? {};
      if (reply.status !== 201 || typeof id !== 'string') throw new Fault('The offer', reply);
      return { id, link: walletLink(back === undefined ? crossDeviceUri : uri) };
    },

    async result(question) {
      const { request, signal } = question;
      const session = `${verifierUrl}/api/session/${encodeURIComponent(request.id)}`;
      const reply = await send(session, { signal });
      if (isUnknown(reply)) return over;
      const { status } = reply.json ?? {};
      if (reply.status !== 200 || typeof status !== 'string') throw new Fault('The session', reply);
      if (status === 'active' || status === 'fetched') return undefined;
      if (status === 'failed') return failure(reply.json);
      return status === 'completed' ? await proof(question, reply, session) : over; // expired, or cancelled
    },
  };

  /** The proof, for the browser that the wallet has sent back; on another device for whoever owns the page. */
  async function proof(
    { request, sameDevice, responseCode, hooked, signal }: Question,
    { json = {} }: Reply,
    session: string,
  ): Promise<Found> {
    const { vp_nonce: nonce, responseCode: code } = json;
    if (sameDevice && (responseCode === undefined || (typeof code === 'string' && code !== responseCode)))
      return undefined;
    const posted = readHook(hooked ?? '');
    if (posted?.session !== request.id || typeof nonce !== 'string') return 'on its way';
    const answer = { presentation: posted.rawToken, nonce };
    if (!sameDevice || typeof code === 'string') return answer;
    // A version between May 2026 and the newest hides the code, and says itself whether one is right: once.
    const query = new URLSearchParams({ response_code: responseCode ?? '' }).toString();
    const judged = await send(`${session}/result?${query}`, { signal });
    if (judged.status === 200) return answer;
    if (judged.status === 410) return over;
    if (judged.status === 400 || judged.status === 401) return undefined;
    throw new Fault('The question whether the response_code is right', judged);
  }

  async function store(
    body: { readonly id: string } & Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    const reply = await send(`${verifierUrl}/api/verifier/config`, { body, signal });
    if (reply.status !== 201) throw new Fault('The query', reply);
    stored.add(body.id);
  }
}

const hookKey = ({ key }: Order['hook']) => ({
  type: 'apiKey',
  config: { headerName: 'x-bridge-key', value: key },
});

/** It says so itself, as all of its versions do. The 404 of a proxy, or of a deploy, is no answer of EUDIPLO's. */
const isUnknown = ({ status, json }: Reply): boolean =>
  (status === 404 && json?.['statusCode'] === 404) ||
  (status === 500 && String(json?.['message']).startsWith('Could not find any entity of type "Session"'));

function failure(json: Reply['json'] & {} = {}): Found {
  const reason = json['errorReason'];
  const code = json['failureCode'] ?? json['presentationFailureCode'];
  const walletSaid = typeof reason === 'string' ? /^Wallet error: ([a-z_]+)/.exec(reason)?.[1] : undefined;
  if (walletSaid !== undefined) return walletError(walletSaid);
  const isExpired = code === 'credential_expired' || /\bJWT is expired\b/.test(String(reason));
  return {
    ...(isExpired
      ? { error: 'credential_expired', error_description: 'The credential has expired.' }
      : { error: 'verification_failed', error_description: 'The verifier did not accept the proof.' }),
    reason: [forLog(code), forLog(reason)].filter((text) => text !== '').join(': '),
  };
}
