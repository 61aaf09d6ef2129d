import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

Every presentation passes every check that applies to it, or is refused with the number of the first one that it
fails. Each number has at least one test in \`test/verify\` whose name begins with it. Some checks never appear in a
refusal; their lines say why. This page is written from \`lib/verify/checks.ts\` by \`npm run docs\`.

Sources: 9901 is RFC 9901, VC is draft-ietf-oauth-sd-jwt-vc, VP is OpenID4VP 1.0, HAIP is HAIP 1.0, TSL is
draft-ietf-oauth-status-list, 8725 is RFC 8725. "Policy" marks a rule that is stricter than its source.

## Envelope and parsing

${listOf('P')}

## Header of the issuer's JWS

${listOf('H')}

## The issuer's key

${listOf('K')}

## Disclosures

${listOf('S')}

## The credential

${listOf('C')}

## The key binding

${listOf('B')}

## Status

${listOf('T')}

## Signed JWTs

${listOf('J')}

## Lists of trusted entities

TS is ETSI TS 119 602. A refusal because of a list has the code \`keys_unavailable\`, and the last list that was accepted
goes on counting as long as L18 says.

${listOf('L')}

## One rule, four tokens

Four kinds of JWS are checked. A rule for all of them has the same number in each; the other rules
have a number of their own in each, so that a refusal says where to look. A refusal because of a status list has the code
\`credential_status_unavailable\`.

| rule                           | credential    | key binding  | signed JWT         | status list  |
| ------------------------------ | ------------- | ------------ | ------------------ | ------------ |
| base64url, limits, UTF-8, JSON | P02, P08–P10  | P02, P08–P10 | P02, P08–P10       | P02, P08–P10 |
| three segments                 | P06           | P04          | P06                | T06          |
| algorithm                      | H01           | B04          | H01                | T06          |
| algorithm fits the key         | H02           | B04          | H02                | H02          |
| type                           | H03           | B03          | J05                | T06          |
| extensions                     | H04           | H04          | H04                | H04          |
| certificates                   | K01–K10       |              | K01–K10            | K01–K10      |
| which key                      | K12, K15      | C11          | K12, K15           | K12, K15     |
| signature                      | K02           | B06          | K02                | T06          |
| audience, or address           | C10           | B08          | J03                | T07          |
| \`iat\`                          | C05, C07, C12 | B09–B12      | C05, C07, C12, J07 | T08          |
| \`exp\`                          | C04, C05, C12 | B13          | C04, C05, C12, J02 | T09          |

\`every-jws.test.ts\` and \`every-chain.test.ts\` put each of these faults into each of the four.

## Later

- K13 The issuer's metadata (JWT VC issuer metadata), for an allowed \`iss\`.
- M01 An mdoc DeviceResponse is canonical CBOR of version 1.0, status 0, with one document.
- M02 Its document type is the signed one, and that of a PID.
- M03 Its issuer's signature has an allowed algorithm.
- M04 Its certificates lead to a configured anchor.
- M05 Its security object is tagged bytes.
- M06 Every digest is over the bytes that were sent.
- M07 No digest id or element occurs twice.
- M08 It is valid now.
- M09 The device signed this session.
- M10 The device key is authorised for what it signs.
- M11 A document that no device signed is refused.
- M12 Every element has its type.
- M13 Depth and length are limited.
`;
}

function listOf(family: string): string {
  const inFamily = Object.entries(checks).filter(([check]) => check.startsWith(family));
  return inFamily.map(([check, entry]) => `- ${check} ${lineOf(entry)}`).join('\n');
}

function lineOf(entry: (typeof checks)[keyof typeof checks]): string {
  if (typeof entry === 'string') return entry;
  if (!('refusedAs' in entry)) return `${entry.sentence} Refuses nothing.`;
  const numbers = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(entry.refusedAs);
  return `${entry.sentence} Refused as ${numbers}: ${entry.because}.`;
}
