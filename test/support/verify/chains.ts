import { type KeyPairKeyObjectResult } from 'node:crypto';
import type { Trust } from '../../../lib/types/trust.js';
import { type Authority, type CertificatePlan, certify, pemOf, x5cOf } from './certificates.js';
import { type KeyPair, type Mint, iss, newKeyPair } from './issuer.js';
import { checkOf, given, judge, present, trustIn } from './verdicts.js';
import { keyPair } from '../key-pair.js';

type Chain = readonly Authority[];
type Plan = Partial<CertificatePlan>;

/** A CA, below another or of its own. */
export const caOf = (subject: string, change: Plan = {}): Authority =>
  certify({ subject, isCa: true, ...change });

/** A signer of credentials below a CA. */
export const signerBelow = (issuer: Authority, change: Plan = {}): Authority =>
  certify({ subject: 'PID Issuer', issuer, ...change });

export const root = caOf('PID Root');
export const intermediate = caOf('PID Intermediate', { issuer: root, pathLength: 0 });
export const leaf = signerBelow(intermediate);
export const good: Chain = [leaf, intermediate];

/** Trust in all that these anchors certified. */
export function anchoredIn(anchors: Chain = [root], change: object = {}): Trust {
  return trustIn({ keys: { x5c: { anchors: [pemOf(...anchors)] } }, iss, ...change });
}

/** The same where the entry says more of certificates. */
export const trustX5c = (x5c: object = {}, change: object = {}): Trust =>
  anchoredIn([root], { keys: { x5c: given({ anchors: [pemOf(root)], ...x5c }) }, ...change });

export const haip = anchoredIn([root], { profile: 'haip-1.0' });

/** What a token that the first certificate's key signs says in its header, and that key. */
export function signedWith(chain: Chain): {
  readonly issuer: KeyPair;
  readonly header: { readonly x5c: readonly string[] };
} {
  const [signer = leaf] = chain;
  return { issuer: signer.keys, header: { x5c: x5cOf(...chain) } };
}

/** A presentation that is signed with the first certificate's key and holds them all. */
export const presentWith = (chain: Chain, change: Mint = {}): string =>
  present({ ...signedWith(chain), ...change });

/** `valid`, or code and number of the check that refused a presentation with this chain. */
export const checkChain = (chain: Chain, trust: Trust = anchoredIn()): Promise<string> =>
  checkOf(presentWith(chain), trust);

/** `valid`, or the number of the check that refused and its reason. */
export async function explainChain(chain: Chain, trust: Trust = anchoredIn()): Promise<string> {
  const verdict = await judge(presentWith(chain), trust);
  return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
}

/** The good leaf, but for what the caller changes, with the good intermediate behind it. */
export const withLeaf = (change: Plan): Chain => [signerBelow(intermediate, change), intermediate];

/** A good leaf below the good intermediate, but for what the caller changes in that. */
export function withIntermediate(change: Plan): Chain {
  const issuer = caOf('PID Intermediate', { issuer: root, ...change });
  return [signerBelow(issuer), issuer];
}

/** Keys that no certificate should have. */
const otherKeys = ({ publicKey, privateKey }: KeyPairKeyObjectResult): KeyPair => ({
  ...newKeyPair(),
  publicKey,
  privateKey,
});

export const brainpool = (): KeyPair => otherKeys(keyPair('ec', { namedCurve: 'brainpoolP256r1' }));

export const rsa = (modulusLength: number): KeyPair => ({
  ...otherKeys(keyPair('rsa', { modulusLength })),
  alg: 'RS256',
});
