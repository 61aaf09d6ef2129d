import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isKitErrorCode } from '../../../errors.js';
import { isProveErrorCode } from '../../../service/prove/errors.js';
import { entryIn, type GuidePart, type Inline, inlinesOf } from '../../error-entry.js';
import { type Markup as Html, html as sandboxHtml } from '../../../internal/html.js';
import { layout } from './layout.js';

/** An error code, as a link to its page. */
export function codeLink(code: string): Html {
  return sandboxHtml`<a href="/errors/${code}"><code translate="no">${code}</code></a>`;
}

/** What docs/errors.md says of a code; undefined for any other word. */
export function errorCodePage(code: string): Html | undefined {
  if (!isKitErrorCode(code) && !isProveErrorCode(code)) return undefined;
  const entry = entryIn(readDocument('errors.md'), code) ?? [
    { kind: 'text', content: 'docs/errors.md has no entry for it.' },
  ];
  return layout({
    title: code,
    wide: true,
    body: sandboxHtml`<h1 translate="no">${code}</h1>
      ${entry.map(block)}
      <p class="soft">From docs/errors.md of pidgate. In a terminal: <code translate="no">npx pidgate explain ${code}</code></p>`,
  });
}

/** A file of docs/. The package is where the app finds it, and the sandbox runs alongside the app. */
export function readDocument(name: string): string {
  try {
    const manifest = createRequire(join(process.cwd(), 'app.js')).resolve('pidgate/package.json');
    return readFileSync(join(dirname(manifest), 'docs', name), 'utf8');
  } catch {
    return '';
  }
}

function block({ kind, content }: GuidePart): Html {
  if (kind === 'code') return sandboxHtml`<pre translate="no" tabindex="0">${content}</pre>`;
  const text = inlinesOf(content).map(inline);
  return kind === 'text' ? sandboxHtml`<p>${text}</p>` : sandboxHtml`<ul><li>${text}</li></ul>`;
}

function inline({ mark, text }: Inline): Html | string {
  if (mark === 'code') return sandboxHtml`<code translate="no">${text}</code>`;
  return mark === 'strong' ? sandboxHtml`<strong>${text}</strong>` : text;
}
