import { readFileSync } from 'node:fs';
import { table } from '../report.js';
import { contenders, presentationVerifier } from './contenders.js';

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

// The second list is for an entry that asks for everything. What the peer leaves to its caller, it lets through: it
// gets the key of the first certificate, as if the caller had checked the chain.
const { entry, expected, good, mutants } = input.strict;
const startedAt = new Date(expected.startedAt);
all.strict = presentationVerifier(entry, { ...expected, state: input.state, startedAt }, input.now);
const further = [];
for (const { check, what, token } of mutants) {
  further.push({ check, what, ours: await passes('strict', token), theirs: await passes(peer, token) });
}

/** Rules of pidgate's own, stricter than the specifications that the peer implements. */
const policy = ['P08', 'P10', 'S11', 'S24', 'C12', 'B17'];
const count = (list, who) => list.filter((row) => row[who]).length;
const let_ = rows.filter(({ theirs }) => theirs);
const beyondPolicy = let_.filter(({ check }) => !policy.includes(check));

for (const name of [pidgate, peer]) {
  if (!(await passes(name, input.good[0]))) throw new Error(`${name} refuses the good token.`);
}
for (const name of ['strict', peer]) {
  if (!(await passes(name, good))) throw new Error(`${name} refuses the good token of the second list.`);
}
console.log(`${rows.length} mutants, each with one fault. Let through:\n`);
console.log(
  table(
    ['', 'let through', 'of them against a specification'],
    [
      [pidgate, count(rows, 'ours'), count(rows, 'ours')],
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

console.log(
  `\n${further.length} more by a trust entry: certificates, age, client id, derived result. Let through:\n`,
);
console.log(
  table(
    ['', 'let through'],
    [
      ['verifyPresentation', count(further, 'ours')],
      [peer, count(further, 'theirs')],
    ],
  ),
);
