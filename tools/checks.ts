import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

A presentation is refused with the number of the first check that fails. "(→P03)": P03 refuses instead; "(none)":
nothing is refused. Tests in \`test/verify\` begin with these numbers.

Sources: 9901 is RFC 9901, VC draft-ietf-oauth-sd-jwt-vc, VP OpenID4VP 1.0, HAIP HAIP 1.0, TSL
draft-ietf-oauth-status-list, 8725 RFC 8725, 5280 RFC 5280, TS ETSI TS 119 602. "Policy" is stricter than its source.

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

A refusal has the code \`keys_unavailable\`; the last accepted list counts as L18 says.

${listOf('L')}

## One rule, four tokens

P02, P08–P10, H02, H04 and, for certificates, K01–K10 hold for credential, key binding, signed JWT and status list
alike. A refusal because of a status list has the code \`credential_status_unavailable\`.

Reserved: K13 for JWT VC issuer metadata, M01 to M13 for mdoc.
`;
}

function listOf(family: string): string {
  const inFamily = Object.entries(checks).filter(([check]) => check.startsWith(family));
  return inFamily.map(([check, entry]) => `- ${check} ${lineOf(entry)}`).join('\n');
}

function lineOf(entry: (typeof checks)[keyof typeof checks]): string {
  if (typeof entry === 'string') return entry;
  return `${entry.sentence} (${entry.refusedAs.length === 0 ? 'none' : `→${entry.refusedAs.join(', ')}`})`;
}
