/** A check that no refusal names. */
interface ImpliedCheck {
  readonly sentence: string;
  /** The checks that refuse what breaks this one, and why they do; without them it refuses nothing. */
  readonly refusedAs?: readonly string[];
  readonly because?: string;
}

/**
 * Every check of a presentation by its number: the sentence alone if the check can refuse. docs/checks.md is written
 * from this table (`npm run docs`), and `pidgate inspect` prints it. A number never changes its meaning; K09 and L04
 * were never given out.
 */
export const checks = {
  P01: 'The presentation is a string, not empty, and not larger than the limit.',
  P02: 'Every segment and Disclosure is base64url in its one canonical spelling (9901 4).',
  P03: 'An SD-JWT contains a tilde (9901 4).',
  P04: 'After the last tilde there is nothing, or a key binding JWT of three segments (9901 4).',
  P05: 'No part between two tildes is empty.',
  P06: 'The issuer-signed part, or a plain JWT, has exactly three segments: a JWE is refused.',
  P07: 'The presentation is not in JSON serialization.',
  P08: 'The number and size of Disclosures, and the depth and length of arrays, are limited (policy).',
  P09: 'Header, payload and Disclosures are UTF-8; header and payload are JSON objects.',
  P10: 'No object has two members with the same name (policy; RFC 7519 4 lets the last one win).',
  P11: {
    sentence: 'The configuration fixes the format: what is invalid as one is never tried as another.',
    refusedAs: ['P03', 'P06', 'H03', 'J05'],
    because: 'each format has its own envelope and type',
  },
  P12: 'The presentation is not a whole vp_token.',

  H01: 'The algorithm is on the list, by default ES256 (9901 7.1).',
  H02: 'The algorithm fits the type, curve and limits of the key (8725 3.1).',
  H03: 'The type is exactly `dc+sd-jwt`, or another one that the options list (VC 2.2.1).',
  H04: 'The header asks for no extension (`crit`, `b64`), except for `sigT` in that of a list of trusted entities (L10).',
  H05: {
    sentence: 'Nothing in a header supplies a key, and nothing that it points to is fetched.',
    refusedAs: ['K02', 'B06', 'T06', 'K12'],
    because: 'only the configured or confirmed key is tried, by its `kid` if it has one',
  },
  H06: {
    sentence: 'The configuration fixes the mechanism that finds the key: the token cannot choose.',
    refusedAs: ['K02', 'K12', 'K15'],
    because: 'what belongs to another mechanism is not looked at',
  },
  H07: {
    sentence: 'Only the protected header is ever looked at.',
    refusedAs: ['K15', 'P07'],
    because: 'what is elsewhere is ignored, and a JSON serialization is refused',
  },
  H08: {
    sentence: 'The type is there; an older one (`vc+sd-jwt`) is accepted only if the entry lists it.',
    refusedAs: ['H03'],
    because: 'it is the same comparison',
  },

  K01: '`x5c` is a list of certificates in standard base64 DER.',
  K02: "The signature was made with the issuer's key.",
  K03: 'The path of certificates ends at a configured anchor: nothing in a token becomes one.',
  K04: 'Under HAIP, `x5c` does not contain an anchor (HAIP 6.1.1), except for a CA that another anchor issued.',
  K05: 'The leaf is not self-signed (HAIP 6.1.1). Its key is used to find that out only if it is sound (K08, K17).',
  K06: 'Every certificate of the path, and its anchor, is valid now. One such path is enough.',
  K07: 'Each CA is a CA, may sign certificates and respects its path length; the leaf is not a CA and may sign data.',
  K08: 'Names and key identifiers chain; there is no weak hash and no unknown critical extension.',
  K10: "The issuer is the certificate's subject, and `iss` is one that the entry allows (VC 2.5); if the entry asks for it, the certificate's alternative names contain `iss` or its host.",
  K11: {
    sentence: 'An anchor counts for the types of its own entry alone.',
    refusedAs: ['K03', 'C02'],
    because: 'an entry knows only its own anchors and types',
  },
  K12: 'The `kid` selects exactly one key; an unknown one causes one refresh, and then none for a while.',
  K14: 'Fetches are bounded in target, time, size and number, follow no redirect, and obey HTTP caching; a set of keys is kept for ten seconds at least, and a failure is remembered for half a minute.',
  K15: 'There is a usable key: without one the token is refused, never accepted unverified.',
  K16: {
    sentence:
      'An entry that could check nothing throws `config_invalid` when it is compiled, and no presentation ever reaches it: no key for its algorithms, a key that no header could select or that cannot be imported, a limit of zero, certificates for EdDSA, `requireIssuerInSan` without `iss`.',
  },
  K17: 'The coordinates of a key have the size of its curve and no padding; an Ed25519 point is not of small order, under which one signature fits every message (RFC 8032 5.1.7); an RSA exponent is odd, at most 2^32 and at least 65537, or 3 in a key of the configuration (RFC 7518 6.2.1.2).',
  K18: 'Extended key usage is checked by role: a leaf signs credentials, or status lists, and is not a relying party; its CAs may certify that, by its purpose or by that of CAs in the same arc (ISO 18013-5, RFC 9336, TSL 10).',
  K19: { sentence: 'A leaf with the name of its CA and a key of its own is self-issued, not self-signed.' },
  K20: 'The leaf has the policies and the subject that the entry specifies.',

  S01: {
    sentence: 'Without `_sd_alg` the digests are SHA-256 (9901 4.1.1).',
    refusedAs: ['S11', 'S17'],
    because: 'a digest of another algorithm has another length, or matches nothing',
  },
  S02: '`_sd_alg` is a string.',
  S03: '`_sd_alg` is sha-256, sha-384 or sha-512, letter by letter.',
  S04: '`_sd_alg` is at the top level only.',
  S05: 'A Disclosure is a JSON array of two or three elements, even if nothing refers to it.',
  S06: 'The salt of a Disclosure is a string.',
  S07: 'The claim name of a Disclosure is a string.',
  S08: 'The claim name of a Disclosure is not reserved (9901 7.1).',
  S09: 'The claim name of a Disclosure is not that of another claim in the same object (9901 7.1).',
  S10: '`_sd` is an array of strings.',
  S11: 'A digest has the length of its algorithm (policy).',
  S12: 'A placeholder in an array has one member, a string (9901 4.2.4.2).',
  S13: 'The reserved name `...` is in no other object.',
  S14: 'A Disclosure is of the kind that its place needs.',
  S15: 'No digest occurs twice, decoys and nested ones included.',
  S16: 'No Disclosure is sent twice.',
  S17: 'Every Disclosure is referred to, directly or through another one that is sent.',
  S18: { sentence: 'Disclosures open inside Disclosures, in objects and arrays.' },
  S19: {
    sentence: 'A digest without its Disclosure is ignored in objects, and removes its element from arrays.',
  },
  S20: { sentence: 'None of these members is left in the claims; an emptied object stays.' },
  S21: {
    sentence: 'The digest is over the string that was sent, however its JSON is spelled.',
    refusedAs: ['S17'],
    because: 'a Disclosure in another spelling is another Disclosure',
  },
  S22: { sentence: 'Names such as `__proto__` are names like any other: nothing is assigned through them.' },
  S23: { sentence: 'The order of the Disclosures does not matter.' },
  S24: 'Values survive as JSON.parse reads them: a number beyond 2^53 - 1, which would be rounded to another whole number, is refused (policy). Fractions are those of a double.',
  S25: 'Claims about issuer, validity, key, type and status are signed in the open, not in a Disclosure (VC 2.2.2.3).',
  S26: {
    sentence: 'Times and audience are checked after the Disclosures are in their places (9901 7.1).',
    refusedAs: ['C05', 'C07', 'C10', 'C12'],
    because: 'it does not matter where the claim came from',
  },

  C01: 'There is a `vct`, a string.',
  C02: 'The `vct` is exactly one of the expected types.',
  C03: { sentence: '`aka_vcts` never counts.', refusedAs: ['C02'], because: 'nothing else is compared' },
  C04: 'The credential has not expired.',
  C05: 'Times are finite JSON numbers.',
  C06: 'The credential is valid already.',
  C07: 'The credential was not issued in the future.',
  C08: 'The credential expires or has a status if the profile demands that (HAIP); it expires and is young if the entry demands that.',
  C09: '`iss` is one of the configured names, if names are configured.',
  C10: 'A credential with an audience is addressed to us.',
  C11: '`cnf` holds one public key in the token itself, and at most a `kid` or `jkt` that names it; references are refused, never followed.',
  C12: 'No time looks like days or milliseconds.',
  C13: 'Every requested attribute is there, in its form.',
  C14: { sentence: 'What was not requested is dropped.' },
  C15: 'A derived result has one of its two values.',
  C16: 'If `cnf.jwk` has an `alg`, the key binding uses it.',

  B01: 'There is no key binding if none is expected: what the token contains does not decide (9901 7.3).',
  B02: 'There is a key binding if one is expected.',
  B03: "The key binding's type is exactly `kb+jwt`.",
  B04: "The key binding's algorithm is on the list and fits the confirmed key.",
  B05: {
    sentence: "The key binding's header supplies no key.",
    refusedAs: ['B06'],
    because: 'only the confirmed key is tried',
  },
  B06: "The key binding's signature was made with the confirmed key.",
  B07: "The key binding's nonce is the one of this flow, a string.",
  B08: "The key binding's audience is one string: our whole client id (VP B.3.6), or one of several that replace each other.",
  B09: 'The key binding says when it was made, in seconds.',
  B10: 'The key binding is not from the future, by more than the tolerance for a phone.',
  B11: 'The key binding is not older than the limit.',
  B12: 'The key binding is not older than the flow (policy).',
  B13: "The key binding's `exp` and `nbf` are respected.",
  B14: "The key binding's `sd_hash` is that of the presentation.",
  B15: {
    sentence: 'Adding, removing or reordering a Disclosure breaks the key binding.',
    refusedAs: ['B14'],
    because: 'a hash that differs does not tell what was changed',
  },
  B16: {
    sentence: 'A key binding of another credential is refused.',
    refusedAs: ['B14', 'B06'],
    because: 'its hash differs, or that credential confirms another key',
  },
  B17: 'The key binding signs no transaction data: none is ever requested.',
  B18: { sentence: 'A confirmed key of nothing but its coordinates is enough.' },
  B19: 'A derived result was computed for the requested value, in a credential issued for this flow.',

  T01: {
    sentence: 'The status is looked up last, for a presentation that passed everything else (TSL 8.3).',
  },
  T02: 'The credential has a status if the configuration requires one.',
  T03: 'A status is in a status list.',
  T04: "The index is a whole number, and the list's address is allowed.",
  T05: 'The list is fetched as one: 2xx, its media type, no redirect.',
  T06: "The list's type, algorithm and signature are good. If it has certificates, K03 to K08, K17 and K18 hold for its signer.",
  T07: 'The list is about its own address.',
  T08: 'The list says when it was issued, and that is not in the future.',
  T09: 'The list has not expired.',
  T10: "The list's `ttl` is positive, and used within bounds.",
  T11: 'A status has 1, 2, 4 or 8 bits.',
  T12: 'The list inflates within a bound.',
  T13: { sentence: 'Statuses are read from the least significant bit on.' },
  T14: 'The index is inside the list.',
  T15: 'The status is VALID; every other status is refused.',
  T16: { sentence: 'A list is kept as long as `ttl` and `exp` allow.' },
  T17: { sentence: 'Concurrent callers that need a list wait for one fetch.' },
  T18: 'The list is there in time: without it there is no verdict, and nothing passes.',
  T19: { sentence: 'The result says nothing about the status.' },
  T20: 'The list is valid already, if it has `nbf` (TSL 5.1).',
  T21: { sentence: 'A list that was fetched under a clock that has since been set back is fetched again.' },

  J01: {
    sentence: 'Envelope, header, key and status are checked as those of any token (P, H, K, T).',
    refusedAs: ['P02', 'P06', 'H01', 'K02', 'T03'],
    because: 'it fails there first, with these numbers among others',
  },
  J02: 'The JWT has an expiry, and has not expired.',
  J03: "The JWT's audience is ours alone, one string.",
  J04: "The JWT's issuer is on the list.",
  J05: "The JWT's type is exactly the configured one.",
  J06: 'The configured claim ties the JWT to this flow.',
  J07: 'The JWT is young, and not older than the flow.',
  J08: {
    sentence: 'Attributes are found only where the entry says.',
    refusedAs: ['C13', 'C15'],
    because: 'what is elsewhere is missing',
  },
  J09: {
    sentence: "The age limit is the entry's `maxAge`, by default the life of a flow.",
    refusedAs: ['J07'],
    because: 'it is the same comparison',
  },

  L01: 'The list is a compact JWS (TS 6.8).',
  L02: "The list's type is `trustlist+jwt`, or `JOSE`, `JWT` or absent if it has no member but `LoTE`, `iat` and `exp`: TS 119 602 asks for no type.",
  L03: "The list's algorithm is ECDSA or RSA-PSS with SHA-2, and fits the key of a signer.",
  L05: 'The list is signed with the key of a configured certificate, whatever else that one may do. Nothing in its header supplies a key.',
  L06: "The signer's certificate is valid now.",
  L07: 'The list is a list of PID providers, in version 1.',
  L08: "The list's sequence number is not below `minSequence`, nor below that of an earlier list of the same key; its issue time is not before that of any list of a key that signs now. With `sequence-reset` only the issue time counts.",
  L09: 'One sequence number of a key belongs to one list; with `sequence-reset`, one issue time does.',
  L10: 'The list was not issued in the future, nor signed there if its header says when (`sigT`).',
  L11: "The list's next update is ahead, by six months at most (TS 6.3.15), or 400 days with `long-validity`.",
  L12: {
    sentence:
      'Services for PID issuance certify PID issuers, and those for PID revocation certify status lists; no others count.',
    refusedAs: ['K03', 'L15'],
    because: 'the CA of another service is not an anchor',
  },
  L13: 'The status of a service is in force, and has begun. A service that is not in force is skipped; an invalid time makes the list unusable.',
  L14: {
    sentence: 'Only entities of a configured territory or name count.',
    refusedAs: ['K03', 'L15'],
    because: 'the CA of another entity is not an anchor',
  },
  L15: 'Anchors are CAs. An end entity of a service for PID issuance counts as that exact leaf, alone in `x5c`; there, and nowhere else, critical qcStatements are known (RFC 3739). Other certificates are skipped, and a list without any that counts is refused.',
  L16: { sentence: 'History and pointers to other lists are never followed.' },
  L17: 'The fetch is bounded in target, time and size, and follows no redirect.',
  L18: {
    sentence:
      'A list counts until its next update, or until `maxStale` after the last good fetch, whichever is earlier.',
    refusedAs: ['L17'],
    because: 'there is no newer one, as the fetch failed or what it brought was refused',
  },
  L19: {
    sentence:
      'Anchors in the configuration next to a list count until `anchorsValidUntil`, and never again once a list was accepted.',
    refusedAs: ['K03', 'L17'],
    because: 'after that there are only those of the list',
  },
  L20: {
    sentence:
      'A new list drops remembered chains, keys and status lists, also those in progress, and callbacks in progress are verified again.',
    refusedAs: ['K03'],
    because: 'an anchor that is no longer listed is not an anchor',
  },
  L21: {
    sentence:
      'Concurrent callers that need a list wait for one fetch, and there is none for half a minute after one that failed. Nobody waits while the last list counts.',
  },
  L22: {
    sentence: 'A list that was fetched under a clock that has since been set back is fetched again.',
    refusedAs: ['L10'],
    because: 'by that clock the list is from the future',
  },
} as const satisfies Readonly<Record<string, string | ImpliedCheck>>;

type Table = typeof checks;

/** The number of a check that can refuse. */
export type Check = { [Number in keyof Table]: Table[Number] extends string ? Number : never }[keyof Table];
