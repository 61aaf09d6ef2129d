import { configInvalid } from '../../errors.js';
import { anything, type ChecksOf, dateInSeconds, objectWith } from '../../internal/validate.js';
import type { CertificateTrust } from '../../types/trust.js';
import { isObject } from '../jose/decode.js';
import { remoteKeySet, staticKeySet } from '../keys/key-set.js';
import type { IssuerRules, KeySource } from '../keys/key-source.js';
import { anchorsOfList } from '../trusted-list/source.js';
import { type AnchorSet, type AnchorSource, readAnchors } from '../x5c/anchors.js';
import { certificateChain } from '../x5c/certificate-chain.js';
import { parseLeafRules, statusSigners } from '../x5c/signer-policy.js';
import type { TrustedAnchors } from '../x5c/trust-from-pem.js';

/** The mechanisms that find an issuer's key. The configuration chooses one, never the token (H06). */
const mechanisms = new Map<string, (value: unknown, optionPath: string, issuer: IssuerRules) => KeySource>([
  ['jwks', staticKeySet],
  ['jwksUri', remoteKeySet],
  ['x5c', compileCertificates],
]);

/** Compiles the `keys` of a trust entry: exactly one mechanism, with at least one key to it (K16). */
export function compileKeys(keys: unknown, optionPath: string, issuer: IssuerRules): KeySource {
  const names = [...mechanisms.keys()].join(' or ');
  const entries = isObject(keys) ? Object.entries(keys).filter(([, value]) => value !== undefined) : [];
  const [first, ...others] = entries;
  if (first === undefined || others.length > 0)
    throw configInvalid(`${optionPath} must name one mechanism: ${names}.`);
  const [name, value] = first;
  const compile = mechanisms.get(name);
  if (compile === undefined)
    throw configInvalid(`${optionPath} has the unknown mechanism ${name}: ${names}.`);
  return compile(value, `${optionPath}.${name}`, issuer);
}

const readCertificates = objectWith(['leaf'], {
  anchors: anything,
  statusAnchors: anything,
  trustedList: anything,
  anchorsValidUntil: dateInSeconds,
  leaf: (value = {}, place) => parseLeafRules(value, place),
  certificates: anything,
  description: anything,
} satisfies ChecksOf<CertificateTrust & TrustedAnchors>);

/**
 * Compiles anchors in the configuration, or in a list that is fetched, or both. Refuses what no chain of certificates can
 * satisfy (K16): their keys are EC or RSA, and `requireIssuerInSan` compares `iss`.
 */
function compileCertificates(value: unknown, optionPath: string, issuer: IssuerRules): KeySource {
  const { iss, algorithms } = issuer;
  if (algorithms.every((alg) => alg === 'EdDSA' || alg === 'Ed25519')) {
    const why = `never leads to a key for ${algorithms.join(' or ')}: certificates have EC or RSA keys`;
    throw configInvalid(`${optionPath} ${why}.`);
  }
  const options = readCertificates(value, optionPath);
  if (options.leaf.requireIssuerInSan && iss === undefined) {
    const why = 'needs iss in the entry: without it a credential that has one is refused';
    throw configInvalid(`${optionPath}.leaf.requireIssuerInSan ${why}.`);
  }
  return certificateChain(anchorSource(options, optionPath), issuer);
}

type CertificateOptions = ReturnType<typeof readCertificates>;

function anchorSource(options: CertificateOptions, optionPath: string): AnchorSource {
  const { anchors, statusAnchors, trustedList, anchorsValidUntil: until, leaf } = options;
  if (trustedList === undefined) {
    if (until !== undefined) {
      throw configInvalid(
        `${optionPath}.anchorsValidUntil counts only for anchors next to trustedList. Remove it, or add trustedList.`,
      );
    }
    const configured = configuredAnchors(options, optionPath);
    const current = async () => configured;
    return { current, renew: current, generation: () => configured };
  }
  if ((anchors === undefined) !== (until === undefined)) {
    throw configInvalid(
      `${optionPath}.anchors and anchorsValidUntil belong together next to trustedList: give both, or neither.`,
    );
  }
  if (statusAnchors !== undefined && until === undefined) {
    throw configInvalid(
      `${optionPath}.statusAnchors belongs to anchors, which are missing. Remove it: the trusted list says who signs status lists.`,
    );
  }
  if (until === undefined) return anchorsOfList(trustedList, `${optionPath}.trustedList`, leaf, undefined);
  const fallback = { anchors: configuredAnchors(options, optionPath), until: until * 1000 };
  return anchorsOfList(trustedList, `${optionPath}.trustedList`, leaf, fallback);
}

function configuredAnchors(options: CertificateOptions, optionPath: string): AnchorSet {
  const { anchors, statusAnchors, leaf } = options;
  const name = statusAnchors === undefined ? 'anchors' : 'statusAnchors';
  return {
    credential: readAnchors(anchors, `${optionPath}.anchors`, leaf),
    statusList: readAnchors(options[name], `${optionPath}.${name}`, statusSigners(leaf)),
    leaves: [],
  };
}
