import { checkFamilies } from '../lib/dev/inspect/check-words.js';
import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

These are all checks of a presentation, by the number that a refusal, an event or the log names.
\`npx pidgate explain B07\` also prints the error code and the usual cause of a failure, and [error codes](errors.md) say
what to do.

Each sentence says what is true of a good presentation. A bad one is refused with the number of the first check that
fails. The order of the checks is not that of this list: the status comes last. "(→P03)" means that a presentation that
breaks the sentence is refused with P03, and "(none)" that nothing is refused. The titles of the tests in
\`test/verify\` have these numbers.

"The entry" is your [trust entry](faq.md#words) for the issuer, "the profile" is the one that it names, and "our client
id" is in its \`keyBinding.audience\`. In brackets is the source; "policy" means that pidgate is stricter than it.

| Short | Source |
| --- | --- |
| 5280, 8725, 9901 | the RFC of this number |
| VC | draft-ietf-oauth-sd-jwt-vc |
| VP | OpenID4VP 1.0 |
| HAIP | HAIP 1.0 |
| TSL | draft-ietf-oauth-status-list |
| TS | ETSI TS 119 602 |

${Object.entries(checkFamilies).map(section).join('\n\n')}

## One rule, four tokens

Credential, key binding, signed JWT and status list are all checked by P02, P08–P10, H02 (the key binding by B04), H04 and,
if they have certificates, K01, K03 to K08, K10 (whether the leaf names somebody), K17 and K18. If a status list breaks a
check, the code is \`credential_status_unavailable\`.

K09, K13 and L04 are no checks.

Where to go on: [which standards the checks rest on, and what is not checked](presentations.md#for-an-auditor),
[which suites they were played against](evidence.md#suites-and-differences).
`;
}

const ofLists = `A list that fails one of these checks is not used, and the last accepted one goes on counting as L18 says. If none
counts, the code is \`keys_unavailable\`. \`sequence-reset\` and \`long-validity\` are values of [\`dangerouslyAllow\`](presentations.md#2-the-german-pid-anchors-from-the-signed-list).\n\n`;

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
