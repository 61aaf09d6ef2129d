import type { ShownCertificate } from '../inspect/certificates.js';
import { asFailed } from '../inspect/check-words.js';
import type { CheckLine, InspectReport } from '../inspect/report.js';
import { sanitizeValue } from '../inspect/text.js';
import { type Terminal, hang, paint, widthOf } from './terminal.js';

/**
 * A report for a person to read: what is decoded stands between the verdict and the checks that failed, and the verdict
 * is the last line again. `all` lists the other checks too.
 */
export function inText(report: InspectReport, all: boolean, terminal: Terminal): string {
  const { presentation, certificates, disclosures, keyBinding, status } = report;
  const width = widthOf(terminal.stdout);
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `\n${paint(terminal, 'bold', name)}\n${lines.join('')}`;
  return [
    section('Verdict', [verdict(report, terminal)]),
    section('Presentation', [
      hang(
        '  ',
        `${Object.keys(Object(report.header) as object).length === 0 ? '' : `${presentation.form}, `}${presentation.characters} characters`,
        width,
      ),
      hang('  ', `SHA-256 ${presentation.sha256}`, width),
    ]),
    section('Header', inColumns(members(report.header), width)),
    section(
      'Certificates',
      certificates.flatMap((shown, at) => certificate(shown, at, width)),
    ),
    section('Claims', inColumns(members(report.claims), width)),
    section(
      'Disclosures',
      inColumns(
        disclosures.map(({ digest, name, value }) => [
          name === undefined ? '(element)' : bare(name),
          `${sanitizeValue(value)} ${digest}`,
        ]),
        width,
      ),
    ),
    section('Key binding', keyBinding ? inColumns(members(keyBinding.header, keyBinding.claims), width) : []),
    section('Status', inColumns(members(status), width)),
    section('Checks', [...checkLines(report.checks, all, terminal), hang('  ', figures(report, all), width)]),
    `\n${verdict(report, terminal)}`,
  ].join('');
}

type Column = readonly [name: string, text: string];

function members(...values: readonly unknown[]): Column[] {
  const entries = values.flatMap((value) => Object.entries((value ?? {}) as object) as [string, unknown][]);
  return entries.map(([name, member]) => [bare(name), asTime(name, member)]);
}

const minWidth = 16;
const maxWidth = 40;

/** Two columns: the first is as wide as its longest text, and one that is too long has its line to itself. */
function inColumns(rows: readonly Column[], width: number): string[] {
  const widths = rows.map(([name]) => (name.length < maxWidth ? name.length + 2 : 0));
  const first = widths.reduce((widest, wide) => Math.max(widest, wide), minWidth);
  const indent = ' '.repeat(first + 2);
  return rows.map(([name, text]) =>
    name.length < first - 1
      ? hang(`  ${name.padEnd(first)}`, text, width)
      : `  ${name}\n${hang(indent, text, width)}`,
  );
}

function bare(name: string): string {
  return sanitizeValue(name).replace(/^"|"$/g, '');
}

function asTime(name: string, value: unknown): string {
  const isTime = ['iat', 'nbf', 'exp'].includes(name) && typeof value === 'number';
  const date = new Date(isTime ? value * 1000 : Number.NaN);
  return Number.isNaN(date.getTime()) ? sanitizeValue(value) : `${String(value)} (${date.toISOString()})`;
}

function certificate(shown: ShownCertificate, at: number, width: number): string[] {
  const lead = `  x5c[${at}]  `;
  if (shown === 'unreadable') return [`${lead}cannot be read\n`];
  const { subject, issuer, validFrom, validUntil, isCa, purposes, fingerprint } = shown;
  const lines = [
    `issued by ${sanitizeValue(issuer)}`,
    `valid from ${validFrom} until ${validUntil}`,
    `purposes ${purposes.length === 0 ? 'any' : purposes.join(', ')}`,
    `SHA-256 ${fingerprint.replaceAll(/((?:\w+:){8})/g, '$1 ')}`, // eight bytes to a word
  ];
  return [
    hang(lead, `${isCa ? 'CA' : 'leaf'} ${sanitizeValue(subject)}`, width),
    ...lines.map((line) => hang(' '.repeat(lead.length), line, width)),
  ];
}

const styles = { passed: 'green', failed: 'red', 'not reached': 'dim' } as const;
const marks = { passed: 'ok  ', failed: 'FAIL', 'not reached': '-   ' } as const;

function checkLines(checks: readonly CheckLine[], all: boolean, terminal: Terminal): string[] {
  const shown = checks.filter(({ state }) => all || state === 'failed');
  return shown.map(({ check, state, sentence }) => {
    const mark = marks[state];
    const said = state === 'failed' ? asFailed(check, sentence) : `${check}  ${sentence}`;
    const painted = `  ${paint(terminal, styles[state], mark)}  `;
    return hang(`  ${mark}  `, said, widthOf(terminal.stdout), painted);
  });
}

/** How many checks there are of each kind, and why some were not run. */
function figures({ checks, verdict: word, check: failed }: InspectReport, all: boolean): string {
  const count = (wanted: CheckLine['state']): number => checks.filter(({ state }) => state === wanted).length;
  const why = {
    unknown: 'no trust entry was given (--trust)',
    refused: failed === undefined ? 'it was refused before them' : `it stopped at ${failed}`,
    valid: 'this entry and this presentation do not call for them',
  };
  const failures = failed === undefined ? '' : '1 failed, ';
  const rest = all ? 'They have a dash.' : '--all lists them all.';
  return `${count('passed')} passed, ${failures}${count('not reached')} not run: ${why[word]}. ${rest}`;
}

function verdict({ verdict: word, check: failed, code, reason }: InspectReport, terminal: Terminal): string {
  const by = [failed, code].filter((part) => part !== undefined).join(', ');
  const sentence = `${word}${by === '' ? '' : ` (${by})`}${reason === undefined ? '' : `: ${reason}`}`;
  const style = { valid: 'green', refused: 'red', unknown: 'bold' } as const;
  return hang('  ', sentence, widthOf(terminal.stdout)).replace(word, paint(terminal, style[word], word));
}
