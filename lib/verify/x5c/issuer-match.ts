import {
  type Extension,
  type GeneralName,
  id_ce_subjectAltName,
  SubjectAlternativeName,
} from '@peculiar/asn1-x509';
import { AsnConvert } from '@peculiar/asn1-schema';
import { secureUrl } from '../../internal/urls.js';
import { enforce } from '../jose/check-failed.js';
import type { JsonObject } from '../jose/segment.js';
import type { Certificate } from './certificate.js';
import type { Path } from './path.js';

/** Without this, everyone below the anchor could sign in the name of another issuer (K10). */
export function checkIssuerName({ iss }: JsonObject, allowed: readonly string[] | undefined): void {
  if (iss === undefined) return;
  enforce(
    'K10',
    allowed !== undefined,
    'The credential has an iss, and the trust entry allows none: name it there as iss.',
  );
  enforce(
    'K10',
    typeof iss === 'string' && allowed.includes(iss),
    () => `The credential has an iss that these anchors may not vouch for: allowed is ${allowed.join(', ')}.`,
  );
}

/** If the trust entry asks for it, an alternative name of the leaf must be `iss`, or the host of it (K10). */
export function checkNamed({ iss }: JsonObject, { certificates: [leaf], anchors }: Path): void {
  if (!anchors.some((anchor) => anchor.leaf.requireIssuerInSan)) return;
  enforce(
    'K10',
    typeof iss === 'string' && names(leaf, iss),
    'x5c[0] does not have the iss of the credential among its alternative names.',
  );
}

function names({ extensions }: Certificate, iss: string): boolean {
  const host = secureUrl(iss, false)?.hostname;
  return extensions
    .filter(({ extnID }) => extnID === id_ce_subjectAltName)
    .flatMap(({ extnValue }) => readNames(extnValue))
    .some(
      ({ uniformResourceIdentifier: uri, dNSName: name }) =>
        uri === iss || (host !== undefined && name?.toLowerCase() === host),
    );
}

/** Where one name is of a kind that asn1-x509 cannot read, or malformed, none of them names anybody. */
function readNames(content: Extension['extnValue']): readonly GeneralName[] {
  try {
    return [...AsnConvert.parse(content, SubjectAlternativeName)];
  } catch {
    return [];
  }
}
