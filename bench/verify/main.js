import { readFileSync } from 'node:fs';
import { spread } from '../numbers.js';
import { machine, table } from '../report.js';
import { writeResult } from '../result.js';
import { contenders, presentationVerifier } from './contenders.js';
import { measure } from './measure.js';

const input = JSON.parse(readFileSync(0, 'utf8'));
const quick = process.argv.includes('--quick');
const rounds = quick ? 5 : 21;
const all = await contenders(input);
const [minimumName, sdJwtName, presentationName, peerName] = Object.keys(all);
const pidgate = all[sdJwtName];
const peer = all[peerName];
const micros = (value) => `${value.toFixed(0)} µs`;
const times = (value) => `${value.toFixed(2)} ×`;

const ratios = [];

/** One over the other, round by round. */
function keepRatio(what, figure, one, other, bar) {
  ratios.push({
    what,
    ...spread(one.rounds.map((it, nth) => it[figure] / other.rounds[nth][figure])),
    ...bar,
  });
}

console.log(`${machine()}, medians of ${rounds} rounds\n`);

/** A trusted JWK, a chain that was checked before, and a chain that is seen for the first time. */
async function certificates() {
  const { state, audience, vct, now, key, chains } = input;
  const reveal = ['family_name', 'given_name', 'birth_date', 'nationality'];
  const verifier = (more) => {
    const keyBinding = { nonce: 'state-sha256', audience };
    const entry = { format: 'sd-jwt-vc', vct: [vct], keyBinding, ...more };
    return presentationVerifier(entry, { issuer: 'de-ausweis', state, reveal }, now);
  };
  const x5c = { keys: { x5c: { anchors: chains.anchors } }, iss: chains.iss };
  const cycle = (run, tokens) => {
    let next = 0;
    return async () => await run(tokens[next++ % tokens.length]);
  };
  const runs = {
    'a JWK': cycle(verifier({ keys: { jwks: { keys: [key] } } }), input.good),
    'x5c, a known chain': cycle(verifier(x5c), chains.known),
    'x5c, a chain at first sight': cycle(verifier(x5c), chains.unseen),
  };
  for (const [title, atOnce] of [
    ['One at a time', 1],
    ['16 at once', 16],
  ]) {
    const found = await measure(runs, { tokens: [''], count: quick ? 320 : 640, rounds, atOnce });
    const jwk = found['a JWK'];
    const named = (name) => `${name}, ${atOnce} at once: CPU over a JWK`;
    keepRatio(named('known chain'), 'cpu', found['x5c, a known chain'], jwk, { atMost: 1.05 });
    keepRatio(named('first chain'), 'cpu', found['x5c, a chain at first sight'], jwk, { atMost: 4 });
    const rows = Object.entries(found).map(([name, { cpu }]) => [name, micros(cpu), times(cpu / jwk.cpu)]);
    console.log(`Certificates, ${title.toLowerCase()}\n`);
    console.log(table(['verifyPresentation by', 'CPU/op', 'CPU of the JWK'], rows), '\n');
  }
}

await certificates();
if (process.argv.includes('--certificates')) process.exit();

for (const [title, atOnce] of [
  ['One at a time', 1],
  ['16 at once', 16],
]) {
  const found = await measure(all, { tokens: input.good, count: quick ? 320 : 640, rounds, atOnce });
  const [minimum, theirs] = [found[minimumName], found[peerName]];
  const named = (what) => `verifyPresentation, ${atOnce} at once: ${what}`;
  const ours = found[presentationName];
  keepRatio(named('CPU over the jose floor'), 'cpu', ours, minimum, { atMost: atOnce === 1 ? 1.25 : 1 });
  keepRatio(named('speed over sd-jwt-vc'), 'perSecond', ours, theirs, { atLeast: 1.8 });
  console.log(`${title}\n`);
  console.log(
    table(
      ['', 'ops/s', 'CPU/op', 'CPU of the minimum', "CPU of sd-jwt-vc's", 'speed of sd-jwt-vc'],
      Object.entries(found).map(([name, { cpu, perSecond }]) => [
        name,
        perSecond.toFixed(0),
        micros(cpu),
        times(cpu / minimum.cpu),
        times(cpu / theirs.cpu),
        times(perSecond / theirs.perSecond),
      ]),
    ),
    '\n',
  );
}

writeResult('verify', { rounds, ratios });

async function growth(title, tokens, unit) {
  const rows = [];
  for (const [size, token] of tokens) {
    const found = await measure(
      { [sdJwtName]: pidgate, [peerName]: peer },
      { tokens: [token], count: Math.max(10, Math.round(2000 / (size + 10))), rounds: quick ? 3 : 9 },
    );
    rows.push([size, micros(found[sdJwtName].cpu), micros(found[peerName].cpu)]);
  }
  console.log(`${title}\n`);
  console.log(table([unit, 'verifySdJwt', 'sd-jwt-vc 0.19'], rows), '\n');
}

if (!process.argv.includes('--ratios'))
  await growth('CPU by the number of Disclosures', input.wide, 'Disclosures');
if (!process.argv.includes('--ratios'))
  await growth('CPU by the depth of Disclosures inside one another', input.deep, 'depth');

const refusedBy = async (run, token) => {
  try {
    await run(token);
    return 'accepted';
  } catch (error) {
    return error.check ?? 'refused';
  }
};

const hostile = [];
for (const [what, token] of Object.entries(input.hostile)) {
  const runs = {
    ours: async () => await refusedBy(pidgate, token),
    theirs: async () => await refusedBy(peer, token),
  };
  const found = await measure(runs, { tokens: [token], count: 5, rounds: quick ? 3 : 7 });
  hostile.push([
    what,
    `${(token.length / 1024).toFixed(0)} kB`,
    await runs.ours(),
    `${(found.ours.cpu / 1000).toFixed(2)} ms`,
    await runs.theirs(),
    `${(found.theirs.cpu / 1000).toFixed(2)} ms`,
  ]);
}
console.log('Hostile tokens\n');
console.log(table(['', 'size', 'verifySdJwt', 'CPU', 'sd-jwt-vc 0.19', 'CPU '], hostile), '\n');
