import type { Settings } from '../settings.js';
import { walletLink } from '../urls.js';
import { call, fault } from './call.js';
import { type Answer, over, pidQuery, type Verifier, walletError } from './verifier.js';

/**
 * The reference verifier of the EU (eudi-srv-verifier-endpoint). It takes our nonce, and answers when it is asked. Its
 * addresses below `/ui` let everybody in, so they must not be public.
 */
export function euVerifier({ verifierUrl, verifierOptions, vct }: Settings): Verifier {
  const { trusted_authorities: authorities, ...options } = verifierOptions;
  return {
    givesRequestOnce: true,

    async start({ claims, nonce, back, signal }) {
      const body = {
        dcql_query: pidQuery(claims, vct, authorities),
        nonce,
        response_mode: 'direct_post.jwt',
        jar_mode: 'by_reference',
        request_uri_method: 'post',
        profile: 'haip',
        ...(back !== undefined && {
          wallet_response_redirect_uri_template: `${back}?response_code={RESPONSE_CODE}`,
        }),
        ...options,
      };
      const reply = await call(`${verifierUrl}/ui/presentations/v2`, { body, signal });
      const { transaction_id: id, authorization_request_uri: uri = linkFrom(reply.json) } = reply.json ?? {};
      if (reply.status !== 200 || typeof id !== 'string') throw fault('The start', reply);
      return { id, link: walletLink(uri), nonce };
    },

    async result({ request, sameDevice, responseCode, signal }) {
      // Without a code this verifier answers too: then whoever has the link, and not who has the wallet, would get it.
      if (sameDevice && responseCode === undefined) return undefined;
      const query = sameDevice
        ? `?${new URLSearchParams({ response_code: responseCode ?? '' }).toString()}`
        : '';
      const reply = await call(`${verifierUrl}/ui/presentations/${encodeURIComponent(request.id)}${query}`, {
        signal,
      });
      if (reply.status === 400) return undefined; // nothing yet, or another code
      if (reply.status === 404) return over;
      const answer = reply.status === 200 ? answerIn(reply.json) : undefined;
      if (answer === undefined) throw fault('The result', reply);
      return answer;
    },
  };
}

/** Where the whole link is not there, its parts are (OpenID4VP 1.0, section 5.10). */
function linkFrom(json: Readonly<Record<string, unknown>> = {}): string {
  const names = ['client_id', 'request_uri', 'request_uri_method'];
  const parts = names.flatMap((name) =>
    typeof json[name] === 'string' ? [[name, json[name]] as [string, string]] : [],
  );
  return `haip-vp://?${new URLSearchParams(parts).toString()}`;
}

function answerIn({ error, vp_token: token }: Readonly<Record<string, unknown>> = {}): Answer | undefined {
  if (typeof error === 'string') return walletError(error);
  const { pid } = (token ?? {}) as { readonly pid?: unknown };
  const presentation: unknown = Array.isArray(pid) ? pid[0] : undefined;
  return typeof presentation === 'string' ? { presentation } : undefined;
}
