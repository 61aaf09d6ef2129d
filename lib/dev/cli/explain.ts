import { readFileSync } from 'node:fs';
import { isKitErrorCode, errorCodes } from '../../errors.js';
import { isProveErrorCode, proveErrors } from '../../service/prove/errors.js';
import { checks } from '../../verify/checks.js';
import { type GuidePart, entryIn, inlinesOf } from '../error-entry.js';
import { CliError } from './cli-error.js';
import { type Terminal, hang, paint, widthOf } from './terminal.js';
import { didYouMean } from './usage.js';

/** Prints what docs/errors.md says of an error code, or what a check demands. */
export function explain({ code }: { readonly code: string }, terminal: Terminal): number {
  const { stdout } = terminal;
  const width = widthOf(stdout);
  const check = new Map(Object.entries(checks)).get(code);
  if (check !== undefined) {
    const sentence = typeof check === 'string' ? check : check.sentence;
    stdout.write(`\n${paint(terminal, 'bold', code)}\n\n${hang('  ', plain(sentence), width)}\n`);
    return 0;
  }
  if (!isKitErrorCode(code) && !isProveErrorCode(code)) {
    const known = [...Object.keys(errorCodes), ...Object.keys(proveErrors), ...Object.keys(checks)];
    throw new CliError(`There is no error code or check "${code}".${didYouMean(code, known)}`, 2);
  }
  const document = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const parts = entryIn(document, code) ?? [];
  stdout.write(
    `\n${paint(terminal, 'bold', code)}\n${parts.map((part, at) => inText(part, parts[at - 1], width)).join('')}\n`,
  );
  return 0;
}

/** Lines of code stay as they are, so that they can be copied. */
function inText({ kind, content }: GuidePart, before: GuidePart | undefined, width: number): string {
  const gap = kind === 'item' && before?.kind === 'item' ? '' : '\n';
  if (kind === 'code') return `${gap}${content.replaceAll(/^/gm, '    ')}\n`;
  return gap + hang(kind === 'item' ? '  - ' : '  ', plain(content), width);
}

const plain = (text: string): string =>
  inlinesOf(text.replaceAll('\n', ' '))
    .map((inline) => inline.text)
    .join('');
