import { readFileSync } from 'node:fs';
import { isKitErrorCode, errorCodes } from '../../errors.js';
import { isProveErrorCode, proveErrors } from '../../service/prove/errors.js';
import { checks } from '../../verify/checks.js';
import { type GuidePart, entryIn, inlinesOf } from '../error-entry.js';
import { readSupportCode } from '../../internal/support-code.js';
import { mistakeOf, mistakes } from '../../set-up/list.js';
import { failureOf, writtenOut } from '../inspect/check-words.js';
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
    const { code: failsAs, cause } = failureOf(code);
    const refused = typeof check === 'string' || check.refusedAs.length > 0;
    const sentences = [
      writtenOut(sentence),
      ...(refused
        ? [
            `Where it does not hold, your app gets ${failsAs}. Usual cause: ${cause}`,
            `Go on with: npx pidgate explain ${failsAs}`,
          ]
        : []),
    ];
    const paragraphs = sentences.map((each) => hang('  ', plain(each), width));
    stdout.write(`\n${paint(terminal, 'bold', code)}\n\n${paragraphs.join('\n')}\n`);
    return 0;
  }
  const said = readSupportCode(code);
  if (said !== undefined) {
    const words = supportWords(said).map((text) => `\n${hang('  ', text, width)}`);
    stdout.write(`\n${paint(terminal, 'bold', said)}\n${words.join('')}\n    grep ${said} app.log\n`);
    return 0;
  }
  const mistake = mistakeOf(code);
  if (mistake !== undefined) {
    const { what, cause, fix } = mistake;
    const paragraphs = [`${what}.`, cause, `Fix: ${fix}`].map((text) => hang('  ', text, width));
    stdout.write(`\n${paint(terminal, 'bold', code)}\n\n${paragraphs.join('\n')}\n`);
    return 0;
  }
  if (!isKitErrorCode(code) && !isProveErrorCode(code)) {
    const ids = mistakes.map(({ id }) => id);
    const known = [...Object.keys(errorCodes), ...Object.keys(proveErrors), ...Object.keys(checks), ...ids];
    const hint = code.startsWith('callback_')
      ? ' In a test, sandbox.complete returns it where the callback got no usable reply, and its warning PIDGATE_CALLBACK says which.'
      : didYouMean(code, known);
    throw new CliError(`There is no error code, check or mistake "${code}".${hint}`, 2);
  }
  const document = readFileSync(new URL('../../../docs/errors.md', import.meta.url), 'utf8');
  const parts = entryIn(document, code) ?? [];
  stdout.write(
    `\n${paint(terminal, 'bold', code)}\n${parts.map((part, at) => inText(part, parts[at - 1], width)).join('')}\n`,
  );
  return 0;
}

/** What somebody reads out or has written down is no code of ours: it names one flow. */
const supportWords = (code: string): readonly string[] => [
  'This is a support code. It names one verification of one person, and says nothing about the person. Many pages of a failure show it, and it is the number of the receipt if the verification succeeds.',
  `The log line of a fault of a flow has it, as "flow ${code}", and so has each event of that flow ("supportCode":"${code}"). The line names an error code, and pidgate explain says what that means. If there is no line, the page that the person sees often names the error code. While pidgate dev runs, the sandbox shows every step at /timeline/${code}.`,
];

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
