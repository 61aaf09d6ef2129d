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

Look up a code that you have from an error (\`error.code\`), an event, the log or a page: its entry says what happened and
what to do. In a terminal, \`npx pidgate explain store_full\` prints the same. If a [check](checks.md) of a proof failed,
\`error.check\` is its number. At the end is [what can be set up wrong](#what-can-be-set-up-wrong).
[Words](faq.md#words) explains the terms.

Each entry has the sentence of the error, its \`status\`, the usual causes, and the fix. \`retryable\` means that the same
request can succeed later, such as a callback that is sent again, or the address of a return that is opened again.
Numbers in brackets after a limit are defaults. Run the commands on the machine of the app.

A page that a browser gets has the status of the entry, with these exceptions: \`error_…\` is 502, \`return_code_invalid\`
is 403, \`busy\` from your rate limiter is 429, and a page at the return route with \`?error=\` in its address is 200. For
\`identity_required\` and \`identity_stale\` there is no page: a browser that opens one of your pages is redirected to the
start, and a POST gets JSON.

People see a page that has one of these titles and says how to go on:

${titles(codes)}

${codes.map(errorSection).join('\n')}
${setUpMistakes()}`;
}

/** The titles of the pages that people see, each with its codes. */
function titles(codes: readonly (keyof typeof errorGuide)[]): string {
  // Two pages may have one title.
  const titleOf = (code: keyof typeof errorGuide): string => en[errorGuide[code].page ?? 'set_up_title'];
  const lines = [...new Set(codes.map(titleOf))]
    .filter((title) => title !== en.set_up_title)
    .map((title) => {
      const shown = codes.filter((code) => titleOf(code) === title);
      return `- "${title}": ${shown.map((code) => `\`${code}\``).join(', ')}`;
    });
  const atReturn = ['hook_failed', 'hook_timeout', 'busy', 'session_save_failed', 'store_unavailable'];
  const others = [en.session_over_title, en.broken_title, en.used_title]
    .map((title) => `"${title}"`)
    .join(', ');
  lines.push(
    `- "${en.unfinished_title}": at the return, codes such as ${atReturn.map((code) => `\`${code}\``).join(', ')}`,
    `- ${others}: \`return_code_invalid\` too, and the first one also \`return_wrong_browser\``,
    `- "${en.limited_title}": your rate limiter`,
  );
  return [...lines, `- "${en.set_up_title}": all others with 500, and all other \`error_…\``].join('\n');
}

function errorSection(code: keyof typeof errorGuide): string {
  const { cause, fix, more }: GuideEntry = errorGuide[code];
  const { status, retryable } = isProveErrorCode(code) ? fromService(code) : new IdentityError(code);
  const sentence = isProveErrorCode(code)
    ? `The service reported: ${proveErrors[code].sentence}`
    : sentences[code];
  return `## ${code}

**${sentence}** ${status}${retryable ? ', retryable' : ''}.

${cause}

Fix: ${fix}
${more === undefined ? '' : `\n${more}\n`}`;
}

/** What can be set up wrong, after the codes. */
function setUpMistakes(): string {
  const lines = mistakes.map(({ id, what, cause, fix }) => `- \`${id}\`: ${what}. ${cause}\n  Fix: ${fix}`);
  return `## What can be set up wrong

In development, the page and the terminal tell of these mistakes where they see one. [\`pidgate doctor\`](going-live.md#pidgate-doctor)
looks for them before people come, and \`npx pidgate explain trust-proxy\` prints one. Each has an id, which
\`pidgate doctor --json\` prints too.

${lines.join('\n')}

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
