import { checkFamilies } from '../lib/dev/inspect/check-words.js';
import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

These are all checks of a presentation, by the number that a refusal, an event or the log names.
\`npx pidgate explain B07\` also prints the error code and the usual cause, and [error codes](errors.md) say what to do.

Each sentence is true of a good presentation. A bad one is refused with the first number that fails; the status comes
last. "(→P03)" means that P03 refuses what breaks the sentence, and "(none)" that nothing does. Tests in \`test/verify\`
have these numbers in their titles.

"The entry" is your [trust entry](faq.md#words), "the profile" the one that it names, and "our client id" is in its
\`keyBinding.audience\`. In brackets is the source; "policy" means that pidgate is stricter than it.

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

P02, P08–P10, H02 (B04 for the key binding), H04 and, with certificates, K01, K03 to K08, K10, K17 and K18 check the
credential, the key binding, a signed JWT and a status list. A bad status list is \`credential_status_unavailable\`.

K09, K13 and L04 are no checks.

Where to go on: [how to run the suites](presentations.md#for-an-auditor), and
[which suites they were played against](evidence.md#suites-and-differences).
`;
}

const ofLists = `A list that fails is not used, and the last accepted one goes on counting (L18). If none counts, the code is \`keys_unavailable\`. \`sequence-reset\` and \`long-validity\` are values of [\`dangerouslyAllow\`](presentations.md#2-the-german-pid-anchors-from-the-signed-list).\n\n`;

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
