import { configInvalid } from '../../errors.js';
import { isObject } from '../jose/segment.js';
import { listOfTrustedEntities } from '../trusted-list/source.js';
import { certificateChain } from '../x5c/key-source.js';
import type { IssuerRules, KeySource } from '../keys/key-source.js';
import { remoteKeySet } from '../keys/remote-key-set.js';
import { staticKeySet } from '../keys/key-set.js';

/** The mechanisms that find an issuer's key. The configuration chooses one, never the token (H06). */
const mechanisms = new Map<string, (value: unknown, where: string, issuer: IssuerRules) => KeySource>([
  ['jwks', staticKeySet],
  ['jwksUri', remoteKeySet],
  [
    'x5c',
    (value, where, issuer) => {
      checkUse(value, where, issuer);
      return certificateChain(value, where, issuer, listOfTrustedEntities);
    },
  ],
]);

/** Compiles the `keys` of a trust entry: exactly one mechanism, with at least one key to it (K16). */
export function keySource(keys: unknown, where: string, issuer: IssuerRules): KeySource {
  const names = [...mechanisms.keys()].join(' or ');
  const given = isObject(keys) ? Object.entries(keys).filter(([, value]) => value !== undefined) : [];
  const [first, ...others] = given;
  if (first === undefined || others.length > 0)
    throw configInvalid(`${where} must name one mechanism: ${names}.`);
  const [name, value] = first;
  const compile = mechanisms.get(name);
  if (compile === undefined) throw configInvalid(`${where} has the unknown mechanism ${name}: ${names}.`);
  return compile(value, `${where}.${name}`, issuer);
}

/** Refuses what no chain of certificates can satisfy: their keys are EC or RSA, and `requireIssuerInSan` compares `iss` (K16). */
function checkUse(value: unknown, where: string, { iss, algorithms }: IssuerRules): void {
  if (algorithms.every((alg) => alg === 'EdDSA' || alg === 'Ed25519')) {
    throw configInvalid(
      `${where} never leads to a key for ${algorithms.join(' or ')}: certificates have EC or RSA keys.`,
    );
  }
  const leaf = isObject(value) ? value['leaf'] : undefined;
  if (isObject(leaf) && leaf['requireIssuerInSan'] === true && iss === undefined) {
    throw configInvalid(
      `${where}.leaf.requireIssuerInSan needs iss in the entry: without it a credential that has one is refused.`,
    );
  }
}
