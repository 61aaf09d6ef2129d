import type { CertificateTrust, Jwk } from '../../types/trust.js';
import type { FlowStore } from '../../types/store.js';
import { sha256 } from '../../internal/sha256.js';
import * as v from '../../internal/validate.js';
import { secureUrl } from '../../internal/urls.js';
import { readCertificatesIn, subjectName } from '../x5c/certificate.js';
import { whyUnsafeExponent, whyUnsound } from '../x5c/crypto-policy.js';

const dayMs = 24 * 60 * 60_000;
/** Six months, of which the longest have 184 days (ETSI TS 119 602, clause 6.3.15). */
const usualLongest = 184 * dayMs;
/** The life of the memory of the newest list. No list may be valid for longer: it could come back after it. */
export const memoryMs = 400 * dayMs;

const isHttps = (value: unknown): boolean => secureUrl(value, true) !== undefined;
const isTerritory = (value: unknown): boolean =>
  typeof value === 'string' && /^[A-Z]{2}$/.test(value) && value !== 'EU';

const territoryList = v.list(v.satisfying<string>(isTerritory, 'must be a country code such as DE'));

const territories: v.Check<readonly string[]> = (value, place) => {
  if (value !== undefined) return territoryList(value, place);
  const why = 'any member state could sign for this issuer, also under a name or trade name in entities';
  throw v.invalid(place, `must name the countries whose providers count, such as ['DE']: without it ${why}`);
};

const readOptions = v.objectWith(['territories', 'entities', 'minSequence', 'maxStale'], {
  url: v.satisfying<string>(isHttps, 'must be an https URL (http only on loopback)'),
  signers: v.stringList,
  territories,
  entities: v.optional(v.stringList),
  dangerouslyAllow: v.withDefault(v.list(v.oneOf(['sequence-reset', 'long-validity'])), []),
  minSequence: v.withDefault(v.wholeNumber(0), 0),
  maxStale: v.withDefault(v.duration(), 3 * dayMs),
  store: v.optional(v.withMethods<FlowStore>('create', 'read', 'replace')),
} satisfies v.ChecksOf<NonNullable<CertificateTrust['trustedList']>>);

/** The `trustedList` of a trust entry, parsed. Times in milliseconds. */
export type LoteRules = ReturnType<typeof parseLoteRules>;

export function parseLoteRules(value: unknown, place: string) {
  const { url, dangerouslyAllow, ...rules } = readOptions(value, place);
  const signers = rules.signers.flatMap((pem, index) => readSigners(pem, `${place}.signers[${index}]`));
  return {
    ...rules,
    url: new URL(url).href,
    signers,
    /** The keys that sign lists now. */
    keyIds: [...new Set(signers.map(({ keyId }) => keyId))],
    /** True if the sequence number says nothing, and the issue time alone counts. */
    byIssueTime: dangerouslyAllow.includes('sequence-reset'),
    /** How far ahead the next update of a list may be. */
    longestMs: dangerouslyAllow.includes('long-validity') ? memoryMs : usualLongest,
  };
}

/** Reads pinned certificates: only their keys may sign the list, whatever else they may do. */
function readSigners(pem: string, place: string) {
  return readCertificatesIn(pem, place).map((certificate) => {
    const why = whyUnsound(certificate) ?? whyUnsafeExponent(certificate);
    if (why !== undefined) {
      const name = subjectName(certificate.x509);
      throw v.invalid(place, `must be the certificate that signs the list: ${name} ${why}`);
    }
    const jwk = certificate.key.export({ format: 'jwk' }) as Jwk;
    /** Identifies the key, in however many certificates and encodings it is. */
    const keyId = sha256(JSON.stringify(jwk));
    return { certificate, jwk, keyId };
  });
}
