import { checkFamilies } from '../lib/dev/inspect/check-words.js';
import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

These are all checks of a presentation. Look up a number that a refusal, an event or the log names, or read the list to
see what pidgate checks. \`npx pidgate explain B07\` also prints the error code and the usual cause of a failure.
[Error codes](errors.md) say what to do.

A presentation is refused with the number of the first check that fails, such as B07 if it was made for another
verification. The order is not that of this list: B07 comes before K02, and the status last. Each sentence says what is
true of a good presentation. "(→P03)" after a sentence means that a presentation that breaks it is refused with P03
instead. "(none)" means that nothing is refused: the sentence says what pidgate does. The titles of the tests in
\`test/verify\` have these numbers.

"The entry" is your [trust entry](faq.md#words) for the issuer, and "the profile" is the one that the entry
names. "Our client id" is the one in the entry's \`keyBinding.audience\`. In brackets is the source of a check, or another
check that says more. "Policy" means that pidgate is stricter than its source.

| Short | Source |
| --- | --- |
| 9901 | RFC 9901 |
| VC | draft-ietf-oauth-sd-jwt-vc |
| VP | OpenID4VP 1.0 |
| HAIP | HAIP 1.0 |
| TSL | draft-ietf-oauth-status-list |
| 8725 | RFC 8725 |
| 5280 | RFC 5280 |
| TS | ETSI TS 119 602 |

${Object.entries(checkFamilies).map(section).join('\n\n')}

## One rule, four tokens

Credential, key binding, signed JWT and status list are all checked by P02, P08–P10, H02 (the key binding by B04), H04 and,
if they have certificates, K01, K03 to K08, K10 (whether the leaf names somebody), K17 and K18. If a status list breaks a
check, the code is \`credential_status_unavailable\`.

K09 and L04 were never given out. Some numbers are reserved: K13 for JWT VC issuer metadata, and M01 to M13 for mdoc.

Where to go on: [which standards the checks rest on, and what is not checked](presentations.md#for-an-auditor),
[which suites they were played against](evidence.md#suites-and-differences).
`;
}

const ofLists = `A list that fails one of these checks is not used. The last accepted list goes on counting as L18 says. If no list
counts, there is no verdict, and the code is \`keys_unavailable\`. \`sequence-reset\` and \`long-validity\` are values of [\`dangerouslyAllow\`](presentations.md#2-the-german-pid-anchors-from-the-signed-list).\n\n`;

function section([family, { title }]: [string, { readonly title: string }]): string {
  return `## ${title}\n\n${family === 'L' ? ofLists : ''}${listOf(family)}`;
}

function listOf(family: string): string {
  const inFamily = Object.entries(checks).filter(([check]) => check.startsWith(family));
  return inFamily.map(([check, entry]) => `- ${check} ${lineOf(entry)}`).join('\n');
}

function lineOf(entry: (typeof checks)[keyof typeof checks]): string {
  if (typeof entry === 'string') return entry;
  return `${entry.sentence} (${entry.refusedAs.length === 0 ? 'none' : `→${entry.refusedAs.join(', ')}`})`;
}
