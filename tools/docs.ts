import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { errorCodes as sentences, IdentityError } from '../lib/errors.js';
import { en } from '../lib/options/pages/en.js';
import { fromService, isServiceErrorCode, serviceErrors } from '../lib/service/prove/errors.js';
import { numberedChecks } from './checks.js';
import { contents, read, root } from './contents.js';
import { type GuideEntry, errorGuide } from './error-guide.js';
import { plantedFaults, simulatorPage, simulatorPictures } from './simulator/page.js';

/** The documents that are made from others or from code, by path. `npm run docs` writes them; a test compares. */
export const made: Readonly<Record<string, () => string>> = {
  'docs/checks.md': numberedChecks,
  'docs/errors.md': errorCodes,
  'docs/texts.en.json': () => `${JSON.stringify(en, undefined, 2)}\n`,
  'docs/simulator.md': simulatorPage,
  'test/lab/simulator/PLANTED.md': plantedFaults,
  ...simulatorPictures,
  'llms.txt': llmsTxt,
};

/** A heading for each code, in the order of the alphabet. */
function errorCodes(): string {
  const codes = Object.keys(errorGuide).toSorted() as (keyof typeof errorGuide)[];
  return `# Error codes

Every failure is an \`IdentityError\`. Its \`docs\` leads here; \`check\` is the number of the failed [check](checks.md).
\`npx pidgate explain <code>\` prints an entry, and what a check demands; the log names that command or, against a
sandbox, the address of a page that has the same.
Entries have the sentence, \`status\`, and whether it is \`retryable\` (a callback, sent again, is checked again). Limits
in brackets are defaults. An \`error_…\` without \`error.serviceCode\` is pidgate's own refusal of the request. In
a browser, \`error_…\` arrives as 502, and the page at the return route as 200. Run the commands on the app's machine.

People see a page with one of these titles, and a way on:

${titles(codes)}

${codes.map(errorSection).join('\n')}`;
}

/** The titles of the pages that people see, each with its codes. */
function titles(codes: readonly (keyof typeof errorGuide)[]): string {
  const pages = new Set(codes.flatMap((code) => errorGuide[code].page ?? []));
  pages.delete('set_up_title');
  const lines = [...pages].map((page) => {
    const shown = codes.filter((code) => errorGuide[code].page === page);
    return `- "${en[page]}": ${shown.map((code) => `\`${code}\``).join(', ')}`;
  });
  return [...lines, `- "${en.set_up_title}": all others with 500, and \`error_…\``].join('\n');
}

function errorSection(code: keyof typeof errorGuide): string {
  const { cause, fix, more }: GuideEntry = errorGuide[code];
  const { status, retryable } = isServiceErrorCode(code) ? fromService(code) : new IdentityError(code);
  const sentence = isServiceErrorCode(code)
    ? `The service reported: ${serviceErrors[code].sentence}`
    : sentences[code];
  return `## ${code}

**${sentence}** ${status}${retryable ? ', retryable' : ''}.

${cause}

Fix: ${fix}
${more === undefined ? '' : `\n${more}\n`}`;
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
  for (const [path, make] of Object.entries(made)) writeFileSync(join(root, path), make());
}
