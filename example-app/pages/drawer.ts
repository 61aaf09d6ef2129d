import { readFileSync } from 'node:fs';
import type { Request } from 'express';
import { textsOf } from '../language.js';
import { type Html, html } from './html.js';

/** Some lines of this app. */
export interface Lines {
  readonly files: readonly string[];
  readonly text: string;
}

/** The declarations of these names, by file, as they stand in this app. */
export function linesOf(names: Readonly<Record<string, readonly string[]>>): Lines {
  const pieces = Object.entries(names).flatMap(([file, wanted]) => declarations(file, wanted));
  return { files: Object.keys(names).map((file) => `example-app/${file}`), text: pieces.join('\n\n') };
}

function declarations(file: string, names: readonly string[]): string[] {
  const all = readFileSync(new URL(`../${file}`, import.meta.url), 'utf8').split('\n');
  return names.map((name) => {
    const first = all.findIndex((line) => new RegExp(`^(export )?(const|function) ${name}\\b`).test(line));
    const count = all.slice(first).findIndex((line) => /^[})\]]/.test(line) || /^\S.*;$/.test(line)) + 1;
    return all.slice(first, first + count).join('\n');
  });
}

/** At the foot of a page, for developers: its code, and the sandbox's timeline of the verification. */
export function drawer(req: Request, { files, text }: Lines, receipt: string | undefined): Html {
  const { drawer: t } = textsOf(req);
  const { sandboxUrl } = req.app.locals as { sandboxUrl?: string };
  const timeline =
    receipt === undefined
      ? html`<a href="${sandboxUrl}/">${t.all}</a>`
      : html`<a href="${sandboxUrl}/timeline/${receipt}">${t.timeline}</a>`;
  return html`<details class="drawer">
    <summary>${t.summary}</summary>
    <p><code>${files.join(', ')}</code> ${sandboxUrl === undefined ? undefined : html`· ${timeline}`}</p>
    <pre tabindex="0"><code>${text}</code></pre>
  </details>`;
}
