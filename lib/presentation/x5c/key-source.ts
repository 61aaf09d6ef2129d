import { hash } from 'node:crypto';
import type { CertificateTrust, Jwk } from '../../contracts/trust.js';
import { knownOptions } from '../../safe/check-options.js';
import { checkFailed } from '../token/check-failed.js';
import { secondsNow } from '../token/runtime.js';
import type { JsonObject } from '../token/segment.js';
import { readAnchors } from './anchors.js';
import { parseLeafRules } from './leaf.js';
import { checkPath, checkValidity, type Path } from './path.js';
import { readX5c } from './chain.js';
import type { TrustedAnchors } from './trust-from-pem.js';
import { type IssuerKey, issuerKey } from '../keys/jwk.js';
import type { IssuerRules, KeySource } from '../keys/key-source.js';

interface KnownChain {
  readonly path: Path;
  readonly key: IssuerKey;
}

const optionNames = ['anchors', 'leaf', 'certificates', 'description'] as const satisfies readonly (
  keyof CertificateTrust | keyof TrustedAnchors
)[];
const mostChains = 100;

/** The mechanism `x5c`: the token brings a chain of certificates, which must end at a configured anchor. */
export function certificateChain(value: unknown, where: string, { iss, profile }: IssuerRules): KeySource {
  const given = knownOptions(value, optionNames, where);
  const leaf = parseLeafRules(given.leaf ?? {}, `${where}.leaf`);
  const anchors = readAnchors(given.anchors, `${where}.anchors`, leaf);
  /** Checked chains by their fingerprints: an issuer sends the same chain with every credential. */
  const known = new Map<string, KnownChain>();

  const check = (x5c: unknown): KnownChain => {
    const fingerprint = hash('sha256', JSON.stringify(x5c));
    const found = known.get(fingerprint);
    if (found !== undefined) return found;
    const chain = readX5c(x5c);
    const path = checkPath(chain, anchors, profile);
    const jwk = chain[0].key.export({ format: 'jwk' }) as Jwk;
    const checked = { path, key: issuerKey({ jwk, kid: undefined, alg: undefined }) };
    if (known.size >= mostChains) known.clear();
    known.set(fingerprint, checked);
    return checked;
  };

  return async ({ header, claims }, { clock }) => {
    const { x5c } = header;
    if (x5c === undefined) {
      throw checkFailed(
        'K15',
        'The header has no x5c, and the issuer is trusted by its certificates.',
        'key_unresolved',
      );
    }
    const { path, key } = check(x5c);
    checkValidity(path, secondsNow(clock));
    checkIssuerName(claims, iss);
    return key(header.alg);
  };
}

/** Without this, everyone below the anchor could sign in the name of another issuer (K10). */
function checkIssuerName({ iss }: JsonObject, allowed: readonly string[] | undefined): void {
  if (iss === undefined) return;
  if (allowed === undefined) {
    throw checkFailed(
      'K10',
      'The credential has an iss, and the trust entry allows none: name it there as iss.',
    );
  }
  if (typeof iss !== 'string' || !allowed.includes(iss)) {
    throw checkFailed(
      'K10',
      `The credential has an iss that these anchors may not vouch for: allowed is ${allowed.join(', ')}.`,
    );
  }
}
