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
    section('Presentation', [
      `${presentation.form}, ${presentation.characters} characters, SHA-256 ${presentation.sha256}`,
    ]),
    section('Header', members(report.header)),
    section('Certificates', certificates.flatMap(certificate)),
    section('Claims', members(report.claims)),
    section(
      'Disclosures',
      disclosures.map(({ digest, name, value }) =>
        [digest, name === undefined ? '(element)' : bare(name), sanitizeValue(value)].join('  '),
      ),
    ),
    section('Key binding', keyBinding ? [...members(keyBinding.header), ...members(keyBinding.claims)] : []),
    section('Status', members(status)),
    section(
      'Checks',
      report.checks.map((line) => check(line, terminal)),
    ),
    section('Verdict', [verdict(report, terminal)]),
  ].join('');
}

function members(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).map(([name, member]) => `${bare(name).padEnd(16)}${asTime(name, member)}`);
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

const marks = { passed: 'ok  ', failed: 'FAIL', 'not reached': '-   ' } as const;

function check({ check: number, state, sentence }: CheckLine, terminal: Terminal): string {
  const line = `${marks[state]}  ${number}  ${sentence}`;
  if (state === 'failed') return paint(terminal, 'bold', line);
  return state === 'passed' ? line : paint(terminal, 'dim', line);
}

function verdict({ verdict: word, check: failed, code, reason }: InspectReport, terminal: Terminal): string {
  const why = reason === undefined ? '' : `: ${reason}`;
  const by = [failed, code].filter((part) => part !== undefined).join(', ');
  return paint(terminal, 'bold', `${word}${by === '' ? '' : ` (${by})`}${why}`);
}
