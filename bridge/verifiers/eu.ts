import type { Settings } from '../settings.js';
import { walletLink } from '../urls.js';
import { call, Fault, type Reply } from './call.js';
import {
  type Answer,
  type Found,
  over,
  pidQuery,
  type Question,
  type Verifier,
  walletError,
} from './verifier.js';

/**
 * The reference verifier of the EU (eudi-srv-verifier-endpoint). It takes our nonce, and answers when it is asked. Its
 * addresses below `/ui` let everybody in, so they must not be public.
 */
export function euVerifier({ verifierUrl, verifierOptions, vct }: Settings): Verifier {
  const { trusted_authorities: authorities, ...options } = verifierOptions;
  // Wallets may fetch the request by GET or by POST. Versions before 2026 know no word for both, and serve both anyway.
  let method = 'post_get';

  return {
    lifeSign: `${verifierUrl}/ui/presentations/nobody`,
    givesRequestOnce: true,

    async start({ claims, nonce, back, signal }) {
      const ask = async (): Promise<Reply> => {
        const body = {
          dcql_query: pidQuery(claims, vct, authorities),
          nonce,
          response_mode: 'direct_post.jwt',
          jar_mode: 'by_reference',
          request_uri_method: method,
          profile: 'haip',
          ...(back !== undefined && {
            wallet_response_redirect_uri_template: `${back}?response_code={RESPONSE_CODE}`,
          }),
          ...options,
        };
        return await call(`${verifierUrl}/ui/presentations/v2`, { body, signal });
      };
      let reply = await ask();
      if (reply.status === 400 && reply.json?.['error'] === undefined && method === 'post_get') {
        method = 'post'; // it could not read the body: a mistake of the rest has a word in `error`
        reply = await ask();
        if (reply.status !== 200) method = 'post_get';
      }
      const { transaction_id: id, authorization_request_uri: uri } = reply.json ?? {};
      if (reply.status !== 200 || typeof id !== 'string') throw new Fault('The start', reply);
      return { id, link: walletLink(uri), nonce };
    },

    result(question) {
      // Without a code this verifier answers too: then whoever has the link, and not who has the wallet, would get it.
      return question.sameDevice && question.responseCode === undefined ? undefined : look(question);
    },
  };

  async function look({ request, sameDevice, responseCode, signal }: Question): Promise<Found> {
    const query = sameDevice
      ? `?${new URLSearchParams({ response_code: responseCode ?? '' }).toString()}`
      : '';
    const reply = await call(`${verifierUrl}/ui/presentations/${encodeURIComponent(request.id)}${query}`, {
      signal,
    });
    if (reply.status === 400) return undefined; // nothing yet, or another code
    if (reply.status === 404 && reply.isEmpty) return over; // one with a body is a proxy's
    const answer = reply.status === 200 ? answerIn(reply.json) : undefined;
    if (answer === undefined) throw new Fault('The result', reply);
    return answer;
  }
}

function answerIn({ error, vp_token: token }: Readonly<Record<string, unknown>> = {}): Answer | undefined {
  if (typeof error === 'string') return walletError(error);
  const { pid } = (token ?? {}) as { readonly pid?: unknown };
  const presentation: unknown = Array.isArray(pid) ? pid[0] : undefined;
  return typeof presentation === 'string' ? { presentation } : undefined;
}
