import { sha256 } from '../seal.js';
import type { Settings } from '../settings.js';
import { walletLink } from '../urls.js';
import { fault, parse, type Reply } from './call.js';
import { eudiploToken } from './eudiplo-token.js';
import {
  type Answer,
  type Order,
  over,
  pidQuery,
  type Question,
  type Verifier,
  walletError,
} from './verifier.js';

/** So long the proof may be on its way after the session is completed: it is posted once, and never again. */
const hookMs = 60_000;

/**
 * EUDIPLO. It draws the nonce itself, posts the proof to our hook, and does not tell of errors: those are in its session.
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
      if (reply.status !== 201 || typeof id !== 'string') throw fault('The offer', reply);
      return { id, link: walletLink(back === undefined ? crossDeviceUri : uri) };
    },

    async result(question) {
      const { request, signal } = question;
      const reply = await send(`${verifierUrl}/api/session/${encodeURIComponent(request.id)}`, { signal });
      if (reply.status === 404) return over;
      const { status } = reply.json ?? {};
      if (reply.status !== 200 || typeof status !== 'string') throw fault('The session', reply);
      if (status === 'expired') return over;
      if (status === 'failed') return failure(reply.json);
      return status === 'completed' ? proof(question, reply) : undefined;
    },
  };

  async function store(
    body: { readonly id: string } & Record<string, unknown>,
    signal: AbortSignal,
  ): Promise<void> {
    const reply = await send(`${verifierUrl}/api/verifier/config`, { body, signal });
    if (reply.status !== 201) throw fault('The query', reply);
    stored.add(body.id);
  }
}

const hookKey = ({ key }: Order['hook']) => ({
  type: 'apiKey',
  config: { headerName: 'x-bridge-key', value: key },
});

function failure({ errorReason: reason }: Reply['json'] & {} = {}): Answer {
  const walletSaid = typeof reason === 'string' ? /^Wallet error: ([a-z_]+)/.exec(reason)?.[1] : undefined;
  if (walletSaid !== undefined) return walletError(walletSaid);
  return { error: 'verification_failed', error_description: 'The verifier did not accept the proof.' };
}

function proof(
  { request, sameDevice, responseCode, hooked, now }: Question,
  { json = {} }: Reply,
): Answer | undefined {
  const { vp_nonce: nonce, responseCode: code, consumedAt } = json;
  if (sameDevice && (responseCode === undefined || responseCode !== code)) return undefined;
  const { session, credentials } = parse(hooked ?? '') ?? {};
  const list: readonly { readonly id?: unknown; readonly rawToken?: unknown }[] = Array.isArray(credentials)
    ? credentials
    : [];
  const raw = list.find(({ id }) => id === 'pid')?.rawToken;
  if (session === request.id && typeof raw === 'string' && typeof nonce === 'string')
    return { presentation: raw, nonce };
  const isLost = now > Date.parse(String(consumedAt)) + hookMs; // never, where no time is there
  return isLost
    ? { error: 'proof_lost', error_description: 'The proof did not reach the bridge.' }
    : undefined;
}
