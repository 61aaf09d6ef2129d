import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** Prints what the build in a folder says of each case of a file, from one of them on: a line for each, at once. */
const [, , dist, file, from] = process.argv;
const { verifyPresentation } = createRequire(import.meta.url)(join(dist, 'verify/verify-presentation.js'));
const trusts = new Map();
const clock = () => new Date('2026-08-12T12:00:00Z');

async function say({ token, entry, expected }) {
  try {
    const key = JSON.stringify(entry);
    const trust = trusts.get(key) ?? { 'de-ausweis': entry };
    trusts.set(key, trust);
    const verdict = await verifyPresentation(token, expected, trust, { clock });
    return verdict.valid ? 'valid' : `${verdict.check} ${verdict.reason}`;
  } catch (error) {
    return `throws ${error.code} ${error.message}`;
  }
}

const cases = readFileSync(file, 'utf8').split('\n').slice(Number(from));
for (const text of cases) process.stdout.write(`${await say(JSON.parse(text))}\n`);
