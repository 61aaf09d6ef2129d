import type { SdJwtVcTrust, Trust } from '../../../lib/types/trust.js';
import { nonceOf } from '../../../lib/service/receipt.js';
import { type Change, type KeyPair, bind, iss, issuerKeys } from '../../support/verify/issuer.js';
import { mint, patch, signJws, walletKeys } from '../../support/verify/issuer.js';
import { jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import { fetchList, goodHeader, goodPayload } from '../../support/verify/servers.js';
import { type Members, checkOf, state, trustIn } from '../../support/verify/verdicts.js';

/** What is wrong with a JWS: its header or payload before it is signed, its key, or its text afterwards. */
export interface Fault {
  readonly header?: Change;
  readonly payload?: Change;
  readonly keys?: KeyPair;
  readonly text?: (good: string) => string;
}

/** Whom the trust entry trusts for what, and who signs what is good: default the issuer, by a JWK set. */
export interface Trusting {
  readonly issuer?: { readonly keys: KeyPair; readonly header: Members };
  readonly trust?: Partial<Pick<SdJwtVcTrust, 'algorithms' | 'keys'>>;
  readonly profile?: SdJwtVcTrust['profile'];
}

type Kind = (fault?: Fault, trusting?: Trusting) => Promise<string>;

const uri = `${iss}/lists/1`;
const nonce = nonceOf(state);
const usual: Trusting['issuer'] & object = { keys: issuerKeys, header: {} };
const same = (text: string) => text;
const withNonce = (change?: Change) => (good: Members) => patch({ ...good, nonce }, change);

/** `valid`, or the number of the check that refused. Nothing but the list can be fetched. */
async function verdictOn(presentation: string, trust: Trust, list = ''): Promise<string> {
  const fetch = fetchList(list, uri, () => {
    throw new Error('Nothing else may be fetched.');
  });
  return (await checkOf(presentation, trust, {}, { fetch })).replace(/^.* /, '');
}

const vcTrust = ({ trust, profile = 'sd-jwt-vc' }: Trusting): Trust => trustIn({ iss, profile, ...trust });

const credential: Kind = async ({ header, payload = {}, keys, text = same } = {}, trusting = {}) => {
  const { issuer = usual } = trusting;
  const [jws = '', ...rest] = mint({
    issuer: keys ?? issuer.keys,
    header: (good) => patch({ ...good, ...issuer.header }, header),
    payload,
    binding: 'absent',
  }).split('~');
  const presented = [text(jws), ...rest].join('~');
  return await verdictOn(presented + bind(presented, { payload: { nonce } }), vcTrust(trusting));
};

const keyBinding: Kind = async (fault = {}, trusting = {}) => {
  const { header = {}, payload, keys: wallet = walletKeys, text = same } = fault;
  const presented = mint({ binding: 'absent' });
  const jws = bind(presented, { header, payload: withNonce(payload), wallet });
  return await verdictOn(presented + text(jws), vcTrust(trusting));
};

const list: Kind = async ({ header, payload, keys, text = same } = {}, trusting = {}) => {
  const { issuer = usual } = trusting;
  const signer = keys ?? issuer.keys;
  const jws = signJws(
    patch(goodHeader({ signer, header: issuer.header }), header),
    patch(goodPayload(uri), payload),
    signer,
  );
  const token = mint({
    issuer: issuer.keys,
    header: issuer.header,
    payload: { status: { status_list: { idx: 0, uri } } },
    binding: { payload: { nonce } },
  });
  return await verdictOn(token, vcTrust(trusting), text(jws));
};

const jwt: Kind = async ({ header, payload, keys, text = same } = {}, { issuer = usual, trust } = {}) => {
  const good = (members: Members) => patch({ ...members, ...issuer.header }, header);
  return await verdictOn(text(signResult(payload, good, keys ?? issuer.keys)), jwtTrust(trust));
};

/** Every kind of JWS that is judged, signed anew with a fault of its own, and everything around it good. */
export const kinds = { credential, 'key binding': keyBinding, jwt, 'status list': list } as const;

export type KindName = keyof typeof kinds;
