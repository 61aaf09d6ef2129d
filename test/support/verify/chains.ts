import { type KeyPairKeyObjectResult, generateKeyPairSync } from 'node:crypto';
import type { SdJwtVcTrust, Trust } from '../../../lib/types/trust.js';
import type { Verdict } from '../../../lib/types/verifier.js';
import { type Authority, type CertificatePlan, certify, pemOf, x5cOf } from './certificates.js';
import { type KeyPair, type Mint, iss, newKeyPair } from './issuer.js';
import { inShort, judge, present, trustIn } from '../../verify/trust/trusting.js';

export const root = certify({ subject: 'PID Root', isCa: true });
export const intermediate = certify({
  subject: 'PID Intermediate',
  issuer: root,
  isCa: true,
  pathLength: 0,
});
export const leaf = certify({ subject: 'PID Issuer', issuer: intermediate });

/** Trust in whoever these anchors certified. */
export function anchoredIn(
  anchors: readonly Authority[] = [root],
  change: Partial<SdJwtVcTrust> = {},
): Trust {
  return trustIn({ keys: { x5c: { anchors: [pemOf(...anchors)] } }, iss, ...change });
}

export const haip = anchoredIn([root], { profile: 'haip-1.0' });

/** A presentation that is signed with the first certificate's key and holds them all. */
export function presentWith(chain: readonly Authority[], change: Mint = {}): string {
  const [signer = leaf] = chain;
  return present({ issuer: signer.keys, header: { x5c: x5cOf(...chain) }, ...change });
}

export async function verdictOn(chain: readonly Authority[], trust: Trust = anchoredIn()): Promise<Verdict> {
  return await judge(presentWith(chain), trust);
}

/** `valid`, or code and number of the check that refused a presentation with this chain. */
export async function by(chain: readonly Authority[], trust: Trust = anchoredIn()): Promise<string> {
  return inShort(await verdictOn(chain, trust));
}

/** `valid`, or the number of the check that refused and its reason. */
export async function told(chain: readonly Authority[], trust: Trust = anchoredIn()): Promise<string> {
  const verdict = await verdictOn(chain, trust);
  return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
}

/** The good leaf, but for what the caller changes, with the good intermediate behind it. */
export function withLeaf(change: Partial<CertificatePlan>): readonly Authority[] {
  return [certify({ subject: 'PID Issuer', issuer: intermediate, ...change }), intermediate];
}

/** A good leaf below the good intermediate, but for what the caller changes in that. */
export function withIntermediate(change: Partial<CertificatePlan>): readonly Authority[] {
  const issuer = certify({ subject: 'PID Intermediate', issuer: root, isCa: true, ...change });
  return [certify({ subject: 'PID Issuer', issuer }), issuer];
}

/** Keys that no certificate should have. */
function otherKeys({ publicKey, privateKey }: KeyPairKeyObjectResult): KeyPair {
  return { ...newKeyPair(), publicKey, privateKey };
}

export const brainpool = (): KeyPair =>
  otherKeys(generateKeyPairSync('ec', { namedCurve: 'brainpoolP256r1' }));

export const rsa = (modulusLength: number): KeyPair => ({
  ...otherKeys(generateKeyPairSync('rsa', { modulusLength })),
  alg: 'RS256',
});
