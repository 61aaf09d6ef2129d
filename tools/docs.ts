import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { numberedChecks } from './checks.js';
import { contents, read, root } from './contents.js';

/** The documents that are made from others or from code, by path. `npm run docs` writes them; a test compares. */
export const made: Readonly<Record<string, () => string>> = {
  'docs/checks.md': numberedChecks,
  'docs/errors.md': errorCodes,
  'llms.txt': llmsTxt,
};

/** One row for each page of docs/errors. */
function errorCodes(): string {
  const rows = readdirSync(join(root, 'docs/errors'))
    .toSorted()
    .map((file) => {
      const page = read(`docs/errors/${file}`);
      const [, status = '', retryable = ''] = /^HTTP (\d+)\. Retryable: (yes|no)\.$/m.exec(page) ?? [];
      const [, happened = ''] = /^## What happened\n\n(.*)$/m.exec(page) ?? [];
      const sentence = /^.*?[.:](?= |$)/.exec(happened)?.[0].replace(/:$/, '.') ?? happened;
      return `| [${file.replace('.md', '')}](errors/${file}) | ${sentence} | ${status} | ${retryable} |`;
    });
  return `# Error codes

Every failure is an \`IdentityError\` with a \`code\`. Each code has a page: what happened, likely causes, the fix.

| code | what happened | HTTP | retry |
| ---- | ------------- | ---- | ----- |
${rows.join('\n')}
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
  for (const [path, make] of Object.entries(made)) writeFileSync(join(root, path), make());
}
