import { decodeJwt } from 'jose';
import type { Trust } from '../../../lib/types/trust.js';
import type { Opened } from '../../support/foreign-wallet.js';
import { erika, issuerKeys, mint, nowSeconds, vct } from '../../support/verify/issuer.js';
import { closed } from '../../support/wallets.js';
import { forwarded, type Target } from './person.js';

// A wallet that is asked by the app itself, and what it fetches and posts, each at a process that the test names.

/** Believes the issuer of these tests; nonce and audience are the kit's own. */
export const walletTrust: Trust = {
  'xx-test': { format: 'sd-jwt-vc', keys: { jwks: { keys: [issuerKeys.jwk] } }, vct: [vct] },
};

type Request = Opened['request'];

/** Fetches the request behind a link, or a code. */
export async function fetchRequest({ url }: Target, link = ''): Promise<Request> {
  const { pathname, search } = new URL(new URL(link).searchParams.get('request_uri') ?? '');
  const reply = await fetch(`${url}${pathname}${search}`, { headers: forwarded });
  if (reply.status !== 200) throw new Error(`The request answered ${reply.status}.`);
  return decodeJwt<Request>(await reply.text());
}

/** What Erika Mustermann's wallet answers to it: the form that it posts. */
export async function answerTo(request: Request): Promise<{ response: string }> {
  const { nonce, state } = request;
  const presentation = mint({
    sd: erika,
    binding: { payload: { nonce, aud: request['client_id'], iat: nowSeconds } },
  });
  return { response: await closed(request, { vp_token: { pid: [presentation] }, state }) };
}
