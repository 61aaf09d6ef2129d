// What decoding the worst callback bodies costs, beside querystring.parse, which checks nothing.
import { parse } from 'node:querystring';
import { createOpenBodies, readForm } from '../../lib/http/body.js';
import { median } from '../numbers.js';
import { machine, table } from '../report.js';

const length = 256 * 1024;
const limits = { bytes: length, open: createOpenBodies() };
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

const headers = { 'content-type': 'application/x-www-form-urlencoded' };

async function microseconds(work: () => unknown): Promise<number> {
  const started = process.hrtime.bigint();
  try {
    await work();
  } catch {
    // a refused body is measured like any other
  }
  return Number(process.hrtime.bigint() - started) / 1_000;
}

const rows: string[][] = [];
for (const [name, text] of Object.entries(bodies)) {
  const request = { headers, readableDidRead: true, body: Buffer.from(text) } as never;
  const times: { ours: number; node: number }[] = [];
  for (let round = 0; round < rounds; round += 1) {
    times.push({
      ours: await microseconds(async () => await readForm(request, {} as never, limits)),
      node: await microseconds(() => parse(Buffer.from(text).toString())),
    });
  }
  const ours = median(times.map(({ ours }) => ours));
  const node = median(times.map(({ node }) => node));
  rows.push([name, `${node.toFixed(0)} µs`, `${ours.toFixed(0)} µs`, `${(ours / node).toFixed(2)} ×`]);
}

console.log(`${machine()}, medians of ${rounds} rounds, bodies of 256 kB.\n`);
console.log(table(['body of', 'querystring.parse', 'readForm', 'ratio'], rows));
