import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process, { argv, stderr } from 'node:process';
import { fileURLToPath } from 'node:url';
import { errorCodes as sentences, IdentityError } from '../lib/errors.js';
import { en } from '../lib/options/pages/en.js';
import { fromService, isProveErrorCode, proveErrors } from '../lib/service/prove/errors.js';
import { mistakes } from '../lib/set-up/list.js';
import { made as promises } from '../test/faults/index.mjs';
import { numberedChecks } from './checks.js';
import { contents, read, root } from './contents.js';
import { type GuideEntry, errorGuide } from './error-guide.js';
import { lifeTables } from './transitions.js';
import { untested } from './untested.js';

/** The documents that are made from others or from code, by path. `npm run docs` writes them; a test compares. */
export const made: Readonly<Record<string, () => string>> = {
  'docs/architecture.md': architecture,
  'docs/checks.md': numberedChecks,
  'docs/errors.md': errorCodes,
  'docs/texts.en.json': () => `${JSON.stringify(en, undefined, 2)}\n`,
  'llms.txt': llmsTxt,
};

/** Between its two marks, the life of a flow. */
function architecture(): string {
  const [before = '', , after] = read('docs/architecture.md').split('<!-- life -->');
  if (after === undefined) throw new Error('docs/architecture.md has not <!-- life --> twice.');
  return `${before}<!-- life -->\n\n${lifeTables()}\n<!-- life -->${after}`;
}

/** A heading for each code, in the order of the alphabet. */
function errorCodes(): string {
  const codes = Object.keys(errorGuide).toSorted() as (keyof typeof errorGuide)[];
  return `# Error codes

Look up a code that you have from an error (\`error.code\`), an event, the log or a page. In a terminal,
\`npx pidgate explain store_full\` prints its entry. If a [check](checks.md) of a proof failed, \`error.check\` is its
number. At the end is [what can be set up wrong](#what-can-be-set-up-wrong).

Each entry has the sentence of the error, its \`status\`, other causes if there are any, and the fix. An \`error_…\` without
\`error.serviceCode\` comes from pidgate, which refused the request before the network. \`retryable\` means
that the same request can succeed later. Numbers in brackets after a limit are defaults.

A page has the status of the entry, except that \`error_…\` is 502, \`return_code_invalid\` 403, \`busy\` from your
rate limiter 429, and a page with \`?error=\` in its address 200.

${codes.map(errorSection).join('\n')}
${setUpMistakes()}`;
}

function errorSection(code: keyof typeof errorGuide): string {
  const { cause, fix, more }: GuideEntry = errorGuide[code];
  const { status, retryable } = isProveErrorCode(code) ? fromService(code) : new IdentityError(code);
  const sentence = isProveErrorCode(code)
    ? `The service reported: ${proveErrors[code].sentence}`
    : sentences[code];
  return `## ${code}

**${sentence}** ${status}${retryable ? ', retryable' : ''}.
${cause === undefined ? '' : `\n${cause}\n`}
Fix: ${fix}
${more === undefined ? '' : `\n${more}\n`}`;
}

/** What can be set up wrong, after the codes; the message of each says what it is, with its cause and its fix. */
function setUpMistakes(): string {
  const ids = mistakes.map(({ id }) => `\`${id}\``);
  return `## What can be set up wrong

In development, the page and the terminal tell of these mistakes where they see one, with the fix.
[\`pidgate doctor\`](going-live.md#pidgate-doctor) looks for them before people come, except for \`subject-missing\`,
\`cookie-before-kept\` and \`error-page-guarded\`, which show only while people verify. It prints the cause too, and so
does \`npx pidgate explain\` with an id, such as \`npx pidgate explain trust-proxy\`.

The ids are ${ids.join(', ')}.

Where to go on: [it failed, what now](going-live.md#it-failed-what-now) begins with a person's support code, and
[observability](observability.md) says how to follow one verification in your log.
`;
}

/** See https://llmstxt.org. */
function llmsTxt(): string {
  const { name, description } = JSON.parse(read('package.json')) as { name: string; description: string };
  const sections = contents().map(({ name: section, pages }) => {
    const lines = pages.map(({ title, path, about }) => `- [${title}](${path}): ${about}\n`);
    return `## ${section}\n\n${lines.join('')}`;
  });
  return `# ${name}\n\n> ${description}.\n\n${sections.join('\n')}`;
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  for (const [path, make] of Object.entries({ ...made, ...promises }))
    writeFileSync(join(root, path), make());
  const without = untested();
  if (without.length > 0) {
    stderr.write(`Rows of documents without a test:\n${without.join('\n')}\n`);
    process.exitCode = 1;
  }
}
