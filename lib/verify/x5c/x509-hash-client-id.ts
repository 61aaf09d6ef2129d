import { hash } from 'node:crypto';
import { nonEmptyString } from '../../internal/former-validate.js';
import { readPem } from './anchors.js';

/**
 * Returns the client id `x509_hash:…` of a service with this access certificate, the first in the PEM (OpenID4VP 1.0,
 * section 5.9.3). The id changes with every renewal, so a trust entry takes the old and the new one in `keyBinding.audience`.
 *
 * @example
 * ```ts
 * import { readFileSync } from 'node:fs'
 * import { x509HashClientId } from 'pidgate'
 *
 * const audience = ['2026', '2027'].map((year) => x509HashClientId(readFileSync(`access-${year}.pem`, 'utf8')))
 * ```
 */
export function x509HashClientId(pem: string): string {
  const [certificate] = readPem(nonEmptyString(pem, 'x509HashClientId'), 'x509HashClientId');
  return `x509_hash:${hash('sha256', certificate.raw, 'base64url')}`;
}
