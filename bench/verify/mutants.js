import { readFileSync } from 'node:fs';
import { table } from '../report.js';
import { contenders } from './contenders.js';

const input = JSON.parse(readFileSync(0, 'utf8'));
const all = await contenders(input);
const passes = async (name, token) => {
  try {
    await all[name](token);
    return true;
  } catch {
    return false;
  }
};
const [, pidgate, , peer] = Object.keys(all);
const rows = [];
for (const { check, what, token } of input.mutants) {
  rows.push({ check, what, ours: await passes(pidgate, token), theirs: await passes(peer, token) });
}

/** Rules of pidgate's own, stricter than the specifications that the peer implements. */
const policy = ['P08', 'P10', 'S11', 'S24', 'C12', 'B17'];
const let_ = rows.filter(({ theirs }) => theirs);
const beyondPolicy = let_.filter(({ check }) => !policy.includes(check));

for (const name of [pidgate, peer]) {
  if (!(await passes(name, input.good[0]))) throw new Error(`${name} refuses the good token.`);
}
console.log(`${rows.length} mutants, each with one fault. Let through:\n`);
console.log(
  table(
    ['', 'let through', 'of them against a specification'],
    [
      [pidgate, rows.filter(({ ours }) => ours).length, rows.filter(({ ours }) => ours).length],
      [peer, let_.length, beyondPolicy.length],
    ],
  ),
);
console.log('\nWhat sd-jwt-vc 0.19 lets through\n');
console.log(
  table(
    ['check', 'fault'],
    let_.map(({ check, what }) => [check, what]),
  ),
);
