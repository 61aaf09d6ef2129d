import { checkFamilies } from '../lib/dev/inspect/check-words.js';
import { checks } from '../lib/verify/checks.js';

/** docs/checks.md. */
export function numberedChecks(): string {
  return `# The numbered checks

These are all checks of a presentation, by the number that a refusal, an event or the log names.
\`npx pidgate explain B07\` also prints the error code and the usual cause. It knows more numbers, of rules by which
nothing is refused.

Each sentence is true of a good presentation. A bad one is refused with the number that fails first: what costs little is
checked before keys and signatures, and the status last.

"The entry" is your [trust entry](faq.md#words), "the profile" the one that it names, and "our client id" is in its
\`keyBinding.audience\`. An app that asks wallets itself has that of its access certificate, and by the browser
\`origin:\` and its origin. In brackets is the source; "policy" means that pidgate is stricter than it.

Where \`exp\`, \`nbf\`, \`iat\` or the time at which a list was signed is compared, clocks may differ by five seconds, or by the
\`tolerance\` of a \`jwt\` entry. The clock of a phone has a tolerance of its own. Certificates have none, and
neither have \`maxCredentialAge\` and the \`maxAge\` of a key binding.

| Short | Source |
| --- | --- |
| 5280, 8725, 9901 | the RFC of this number |
| VC | draft-ietf-oauth-sd-jwt-vc |
| VP | OpenID4VP 1.0 |
| HAIP | HAIP 1.0 |
| TSL | draft-ietf-oauth-status-list |
| TS | ETSI TS 119 602 |

${Object.entries(checkFamilies).map(section).join('\n\n')}

Where to go on: [how to run the suites](presentations.md#for-an-auditor), and
[which suites they were played against](evidence.md#suites-and-differences).
`;
}

/** What stands above the checks of a family. */
const above: Readonly<Record<string, string>> = {
  T: 'A bad status list is `credential_status_unavailable`.\n\n',
  L: 'A list that fails is not used, and the last accepted one goes on counting. If none counts, the code is `keys_unavailable`. `sequence-reset` and `long-validity` are values of `dangerouslyAllow`, for [test environments](presentations.md#the-german-test-list-as-an-entry).\n\n',
};

function section([family, { title }]: [string, { readonly title: string }]): string {
  return `## ${title}\n\n${above[family] ?? ''}${listOf(family)}`;
}

/** Those that can refuse: nobody sees another number. */
function listOf(family: string): string {
  return Object.entries(checks)
    .flatMap(([check, entry]) =>
      check.startsWith(family) && typeof entry === 'string' ? [`- ${check} ${entry}`] : [],
    )
    .join('\n');
}
