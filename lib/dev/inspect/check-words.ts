/** The headings of docs/checks.md, by the letter of a check, with what to do where such a check fails. */
export const checkFamilies = {
  P: {
    title: 'Envelope and parsing',
    cause:
      'The presentation was cut or changed on its way, or it is in another format. Look at the body of the callback as your app gets it.',
  },
  H: {
    title: "Header of the issuer's JWS",
    cause:
      'The issuer signs with an algorithm or a type that your trust entry does not list. Compare algorithms and types.',
  },
  K: {
    title: "The issuer's key",
    cause:
      'Somebody forged the card; or your trust entry has another key, certificate or jwksUri than the issuer uses. If all verifications fail, compare keys in the trust entry with what the issuer publishes.',
  },
  S: {
    title: 'Disclosures',
    cause:
      'Somebody changed the credential, or its issuer builds Disclosures in a way that RFC 9901 does not allow. Send the issuer what pidgate inspect prints.',
  },
  C: {
    title: 'The credential',
    cause:
      'The credential is of another issuer, type or time than your trust entry expects. Compare iss and vct, and the clock of this machine.',
  },
  B: {
    title: 'The key binding',
    cause:
      'The proof was made for another verification or another service. If all verifications fail, and a service asks, compare keyBinding in your trust entry: nonce and audience.',
  },
  T: {
    title: 'Status',
    cause:
      'The status list was out of reach, or was signed by somebody whom your trust entry does not name. Compare status and statusAnchors, and whether this machine reaches the list.',
  },
  J: {
    title: 'Signed JWTs',
    cause:
      'The JWT is of another service, type or verification than your trust entry expects. Compare typ, audience, binding and claims.',
  },
  L: {
    title: 'Lists of trusted entities',
    cause:
      'The list is out of reach, out of date, or signed with another key than your trust entry has. Compare keys.x5c.trustedList in the entry.',
  },
} as const;

/** Checks whose failure says something of its own. */
const ownCauses: Readonly<Record<string, string>> = {
  B10: 'The clock of this machine is slow.',
  B11: 'The proof is old, or the clock of this machine is fast.',
  B12: 'The proof is old, or the clock of this machine is fast.',
  C04: 'The card has expired: the person needs a new one. If all verifications fail, look at the clock of this machine.',
  C09: 'The trust entry has an iss, and the credential has none or another one.',
  C13: 'The wallet left out something that you ask for, or sent a value that is no such attribute.',
  K10: "The trust entry has no iss, or another one than the credential. If all verifications fail, compare the entry's iss with the credential's.",
  K14: 'This machine could not fetch keys or a status list, or the list is at an origin that status.origins does not allow. Look at the address in your trust entry, and at the firewall.',
  T15: 'The issuer has revoked the card: the person needs a new one.',
};

const ownCodes: Readonly<Record<string, string>> = {
  C04: 'credential_expired',
  C13: 'attributes_missing',
  C15: 'attributes_missing',
  K03: 'key_not_found',
  K12: 'key_not_found',
  K14: 'keys_unavailable',
  K15: 'key_not_found',
  T02: 'presentation_invalid',
  T03: 'presentation_invalid',
  T04: 'presentation_invalid',
  T14: 'presentation_invalid',
  T15: 'credential_revoked',
};

/** The code that an app gets where a check fails, and the usual cause. */
export function failureOf(check: string): { readonly code: string; readonly cause: string } {
  const family = check.charAt(0) as keyof typeof checkFamilies;
  const usual = { T: 'credential_status_unavailable', L: 'keys_unavailable' }[family as string];
  return {
    code: ownCodes[check] ?? usual ?? 'presentation_invalid',
    cause: ownCauses[check] ?? checkFamilies[family].cause,
  };
}

/** What a person would say of a proof that fails a check. */
export function inPlainWords(check: string): string {
  const own: Readonly<Record<string, string>> = {
    B07: 'this proof was made for another verification.',
    B08: 'this proof was made for somebody else.',
    C04: 'this card has expired.',
    C13: 'something that was asked for is missing.',
    K14: "the issuer's keys could not be fetched.",
    T15: 'this card was revoked.',
  };
  const family: Readonly<Record<string, string>> = {
    K: 'no government signed this card.',
    S: 'somebody changed this card.',
    C: 'this card is not of the kind that was asked for.',
    B: 'whoever shows this card does not hold its key.',
    T: 'nobody can say whether this card still counts.',
  };
  return own[check] ?? family[check.charAt(0)] ?? 'this is no proof that can be read.';
}

const sources: Readonly<Record<string, string>> = {
  '9901': 'RFC 9901',
  '8725': 'RFC 8725',
  '5280': 'RFC 5280',
  VC: 'SD-JWT VC',
  VP: 'OpenID4VP 1.0',
  HAIP: 'HAIP 1.0',
  TSL: 'Token Status List',
  TS: 'ETSI TS 119 602',
};

/** The sentence of a check with its source written out: in docs/checks.md a table explains the short form. */
export function writtenOut(sentence: string): string {
  return sentence.replaceAll(/\(([^()]*)\)/g, (_whole, inside: string) => {
    const long = inside.replaceAll(
      /\b(RFC \d{4}|9901|8725|5280|VC|VP|HAIP|TSL|TS)( [A-Z]?[\d.]*\d)?(?=[;,]|$)/g,
      (_reference, source: string, section: string | undefined) =>
        (sources[source] ?? source) + (section === undefined ? '' : `, section${section}`),
    );
    return `(${long.replace(/^policy\b/, 'stricter than its source')})`;
  });
}

/** A check that failed, so that nobody takes its sentence for what was seen. */
export const asFailed = (check: string, sentence: string): string =>
  `${check} must hold: ${sentence} It did not.`;
