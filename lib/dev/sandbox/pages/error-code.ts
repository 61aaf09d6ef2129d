import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isKitErrorCode } from '../../../errors.js';
import { isServiceErrorCode } from '../../../service/prove/errors.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout } from './layout.js';

/** An error code, as a link to its page. */
export function codeLink(code: string): Html {
  return sandboxHtml`<a href="/errors/${code}"><code>${code}</code></a>`;
}

/** What docs/errors.md says of a code; undefined for any other word. */
export function errorCodePage(code: string): Html | undefined {
  if (!isKitErrorCode(code) && !isServiceErrorCode(code)) return undefined;
  const section = guide()
    .split(/^## /m)
    .find((part) => part.startsWith(`${code}\n`))
    ?.slice(code.length)
    .trim();
  return layout({
    title: code,
    wide: true,
    body: sandboxHtml`<h1>${code}</h1>
      ${section === undefined ? sandboxHtml`<p>docs/errors.md has no entry for it.</p>` : section.split(/\n{2,}/).map(block)}
      <p class="soft">From docs/errors.md of pidgate.</p>`,
  });
}

/** The package is where the app finds it, and the sandbox runs alongside the app. */
function guide(): string {
  try {
    const manifest = createRequire(join(process.cwd(), 'app.js')).resolve('pidgate/package.json');
    return readFileSync(join(dirname(manifest), 'docs/errors.md'), 'utf8');
  } catch {
    return '';
  }
}

function block(text: string): Html {
  const [, code] = /^```\w*\n(.*?)\n```$/s.exec(text) ?? [];
  if (code !== undefined) return sandboxHtml`<pre tabindex="0">${code}</pre>`;
  return sandboxHtml`<p>${text.split(/(`[^`]+`|\*\*[^*]+\*\*|\[[^\]]+\]\([^)]+\))/).map(inline)}</p>`;
}

function inline(text: string): Html | string {
  if (text.startsWith('`')) return sandboxHtml`<code>${text.slice(1, -1)}</code>`;
  if (text.startsWith('**')) return sandboxHtml`<strong>${text.slice(2, -2)}</strong>`;
  return text.replace(/^\[([^\]]+)\]\([^)]+\)$/, '$1');
}
