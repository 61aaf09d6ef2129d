import { toOneLine as inOneLine, escapeControls as withoutControls } from '../../inspect/text.js';
import { type Terminal, paint } from '../terminal.js';
import type { Finding } from './finding.js';

export interface DoctorReport {
  readonly address: string;
  readonly findings: readonly Finding[];
  /** What could not be looked at, and how it could. */
  readonly notChecked: readonly string[];
}

/** One line, the last one on stdout. */
export function asJson(report: DoctorReport): string {
  return `${withoutControls(JSON.stringify(report))}\n`;
}

export function asText({ address, findings, notChecked }: DoctorReport, terminal: Terminal): string {
  const title = findings.length === 1 ? '1 finding' : `${findings.length || 'No'} findings`;
  return [
    `\n  ${paint(terminal, 'bold', `${title} at ${inOneLine(address)}`)}\n`,
    ...findings.map(({ id, found, cause, mend }) =>
      [
        `\n  ${paint(terminal, 'cyan', id)}`,
        `  ${inOneLine(found)}`,
        `  ${paint(terminal, 'dim', 'Cause')}  ${inOneLine(cause)}`,
        `  ${paint(terminal, 'dim', 'Mend')}   ${inOneLine(mend)}\n`,
      ].join('\n'),
    ),
    ...(notChecked.length === 0
      ? []
      : ['\n  Not checked\n', ...notChecked.map((it) => `  - ${inOneLine(it)}\n`)]),
    '\n',
  ].join('');
}
