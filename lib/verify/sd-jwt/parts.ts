import { enforce } from '../jose/check-failed.js';
import { compactText } from '../jose/compact.js';
import { type Jws, splitJws } from '../jose/jws.js';
import type { TokenLimits } from '../jose/limits.js';

/** The parts of an SD-JWT or SD-JWT+KB (RFC 9901, section 4), not decoded yet. */
export interface SdJwtParts {
  readonly issuerSigned: Jws;
  readonly disclosures: readonly string[];
  readonly keyBinding: Jws | undefined;
  /** Everything up to and including the last tilde: the input of the key binding's sd_hash. */
  readonly presented: string;
}

/** Splits a compact SD-JWT into its parts (P03 to P06, P08). */
export function splitSdJwt(presentation: unknown, limits: TokenLimits): SdJwtParts {
  const compact = compactText(presentation, limits);
  const first = compact.indexOf('~');
  enforce('P03', first !== -1, 'The presentation is no SD-JWT: it has no tilde.');
  const last = compact.lastIndexOf('~');
  const disclosures = first === last ? [] : compact.slice(first + 1, last).split('~', limits.disclosures + 1);
  enforce('P08', disclosures.length <= limits.disclosures, 'The presentation has too many Disclosures.');
  for (const disclosure of disclosures) {
    enforce('P05', disclosure !== '', 'The presentation has an empty part between two tildes.');
    enforce('P08', disclosure.length <= limits.disclosureLength, 'A Disclosure is too large.');
  }
  const issuerSigned = splitJws(compact.slice(0, first));
  enforce('P06', issuerSigned !== undefined, 'The issuer-signed part is not three segments.');
  const end = compact.slice(last + 1);
  const keyBinding = end === '' ? undefined : splitJws(end);
  enforce(
    'P04',
    end === '' || keyBinding !== undefined,
    'After the last tilde stands something other than a key binding JWT.',
  );
  return { issuerSigned, disclosures, keyBinding, presented: compact.slice(0, last + 1) };
}
