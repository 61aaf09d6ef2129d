// What decoding the worst callback bodies costs, beside querystring.parse, which checks nothing.
import { parse } from 'node:querystring';
import { decodeForm } from '../../lib/internal/decode-form.js';
import { median } from '../numbers.js';
import { machine, table } from '../report.js';

const length = 256 * 1024;
const rounds = 41;
const filled = (unit: string): string => `presentation=${unit.repeat((length - 13) / unit.length)}`;

const bodies: Readonly<Record<string, string>> = {
  letters: filled('a'),
  escapes: filled('%41'),
  'escapes of four bytes': filled('%F0%9F%99%82'),
  'a broken escape at the end': filled('%41').replace(/.$/, ''),
  pluses: filled('+'),
  'pluses and escapes': filled('+%41'),
  'raw UTF-8': filled('é').slice(0, length / 2),
  'percent signs': filled('%'),
  ampersands: '&'.repeat(length),
  'equals signs': '='.repeat(length),
  '16 parameters': Array.from({ length: 16 }, (_, at) => `${at}=${'%41'.repeat(5_400)}`).join('&'),
};

function microseconds(work: () => unknown): number {
  const started = process.hrtime.bigint();
  try {
    work();
  } catch {
    // a refused body is measured like any other
  }
  return Number(process.hrtime.bigint() - started) / 1_000;
}

const rows = Object.entries(bodies).map(([name, text]) => {
  const bytes = Buffer.from(text);
  const times = Array.from({ length: rounds }, () => ({
    ours: microseconds(() => decodeForm(bytes)),
    node: microseconds(() => parse(bytes.toString())),
  }));
  const ours = median(times.map((it) => it.ours));
  const node = median(times.map((it) => it.node));
  return [name, `${node.toFixed(0)} µs`, `${ours.toFixed(0)} µs`, `${(ours / node).toFixed(2)} ×`];
});

console.log(`${machine()}, medians of ${rounds} rounds, bodies of 256 kB.\n`);
console.log(table(['body of', 'querystring.parse', 'decodeForm', 'ratio'], rows));
