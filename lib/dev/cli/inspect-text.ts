import type { ShownCertificate } from '../inspect/certificates.js';
import type { CheckLine, InspectReport } from '../inspect/report.js';
import { sanitizeValue } from '../inspect/text.js';
import { type Terminal, paint } from './terminal.js';

/** A report for a person to read. */
export function inText(report: InspectReport, terminal: Terminal): string {
  const { presentation, certificates, disclosures, keyBinding, status } = report;
  const title = (name: string) => `\n${paint(terminal, 'bold', name)}\n`;
  const section = (name: string, lines: readonly string[]) =>
    lines.length === 0 ? '' : `${title(name)}${lines.map((line) => `  ${line}\n`).join('')}`;
  return [
    section('Verdict', [verdict(report, terminal)]),
    section('Presentation', [
      `${presentation.form}, ${presentation.characters} characters, SHA-256 ${presentation.sha256}`,
    ]),
    section('Header', members(report.header)),
    section('Certificates', certificates.flatMap(certificate)),
    section('Claims', members(report.claims)),
    section(
      'Disclosures',
      inColumns(
        disclosures.map(({ name, value }) => [
          name === undefined ? '(element)' : bare(name),
          sanitizeValue(value),
        ]),
      ).map((line, at) => `${disclosures[at]?.digest}  ${line}`),
    ),
    section('Key binding', keyBinding ? members(keyBinding.header, keyBinding.claims) : []),
    section('Status', members(status)),
    section(
      'Checks',
      report.checks.map((line) => check(line, terminal)),
    ),
  ].join('');
}

function members(...values: readonly unknown[]): string[] {
  const entries = values.flatMap((value) => Object.entries((value ?? {}) as object) as [string, unknown][]);
  return inColumns(entries.map(([name, member]) => [bare(name), asTime(name, member)]));
}

const minWidth = 16;
const maxWidth = 40;

/** Two columns: the first is as wide as its longest text, and one that is too long has its line to itself. */
function inColumns(rows: readonly (readonly [name: string, text: string])[]): string[] {
  const width = Math.max(minWidth, ...rows.map(([name]) => (name.length < maxWidth ? name.length + 2 : 0)));
  return rows.map(([name, text]) =>
    name.length < width - 1 ? `${name.padEnd(width)}${text}` : `${name}\n  ${' '.repeat(width)}${text}`,
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

function certificate(shown: ShownCertificate, at: number): string[] {
  if (shown === 'unreadable') return [`x5c[${at}]  cannot be read`];
  const { subject, issuer, validFrom, validUntil, isCa, purposes, fingerprint } = shown;
  return [
    `x5c[${at}]  ${isCa ? 'CA' : 'leaf'} ${sanitizeValue(subject)}`,
    `        issued by ${sanitizeValue(issuer)}`,
    `        valid from ${validFrom} until ${validUntil}`,
    `        purposes ${purposes.length === 0 ? 'any' : purposes.join(', ')}`,
    `        SHA-256 ${fingerprint}`,
  ];
}

const styles = { passed: 'green', failed: 'red', 'not reached': 'dim' } as const;
const marks = { passed: 'ok  ', failed: 'FAIL', 'not reached': '-   ' } as const;

function check({ check: number, state, sentence }: CheckLine, terminal: Terminal): string {
  const mark = paint(terminal, styles[state], marks[state]);
  return `${mark}  ${number}  ${sentence}`;
}

function verdict({ verdict: word, check: failed, code, reason }: InspectReport, terminal: Terminal): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const by = [failed, code].filter((part) => part !== undefined).join(', ');
  const style = { valid: 'green', refused: 'red', unknown: 'bold' } as const;
  return `${paint(terminal, style[word], word)}${by === '' ? '' : ` (${by})`}${why}`;
}
