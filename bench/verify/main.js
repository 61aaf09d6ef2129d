import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { spread } from '../numbers.js';
import { machine, ratioTable, table } from '../report.js';
import { contenders, presentationVerifier } from './contenders.js';
import { verifyPresentation } from '../../dist/verify/verify-presentation.js';
import { measure } from './measure.js';

const input = JSON.parse(readFileSync(0, 'utf8'));
const quick = process.argv.includes('--quick');
const rounds = quick ? 5 : 21;
const all = await contenders(input);
const [baselineName, sdJwtName, presentationName, peerName] = Object.keys(all);
const pidgate = all[sdJwtName];
const peer = all[peerName];
const builtIn = (dist) =>
  createRequire(import.meta.url)(join(dist, 'verify/verify-presentation.js')).verifyPresentation;
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
    keepRatio(named('known chain'), 'cpu', found['x5c, a known chain'], jwk, { atMost: 1.1 });
    keepRatio(named('first chain'), 'cpu', found['x5c, a chain at first sight'], jwk, { atMost: 4 });
    const rows = Object.entries(found).map(([name, { cpu }]) => [name, micros(cpu), times(cpu / jwk.cpu)]);
    console.log(`Certificates, ${title.toLowerCase()}\n`);
    console.log(table(['verifyPresentation by', 'CPU/op', 'CPU of the JWK'], rows), '\n');
  }
}

/** What it costs to refuse tokens that want to be expensive; beside another build of pidgate, if one is named. */
async function hostileTokens() {
  const { state, audience, vct, now, key, chains } = input;
  const [, before] = process.argv.find((argument) => argument.startsWith('--before='))?.split('=') ?? [];
  const builds = [verifyPresentation, ...(before === undefined ? [] : [builtIn(resolve(before))])];
  const entry = { format: 'sd-jwt-vc', vct: [vct], iss: chains.iss };
  const keyBinding = { nonce: 'state-sha256', audience };
  const keys = (token) => {
    const header = Buffer.from(token.split('.', 1)[0], 'base64url');
    return header.includes('"x5c"') ? { x5c: { anchors: chains.anchors } } : { jwks: { keys: [key] } };
  };
  const rows = [];
  for (const [what, token] of Object.entries(input.hostile)) {
    const trust = {
      'de-ausweis': { ...entry, keyBinding, keys: keys(token), algorithms: ['ES256', 'RS256'] },
    };
    const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] };
    const ours = builds.map((verify) => async () => {
      const verdict = await verify(token, expected, trust, { clock: () => new Date(now * 1000) });
      return verdict.check ?? 'accepted';
    });
    const theirs = async () =>
      await peer(token).then(
        () => 'accepted',
        () => 'refused',
      );
    const runs = { ...ours, theirs };
    const found = await measure(runs, { tokens: [token], count: 4, rounds: quick ? 3 : 12 });
    const cells = await Promise.all(
      Object.entries(runs).map(async ([name, run]) => [
        await run(),
        `${(found[name].cpu / 1000).toFixed(2)} ms`,
      ]),
    );
    rows.push([what, `${(token.length / 1024).toFixed(0)} kB`, ...cells.flat()]);
  }
  const heads = [
    'verifyPresentation',
    'CPU',
    ...(before === undefined ? [] : ['before', 'CPU']),
    'sd-jwt-vc 0.19',
    'CPU',
  ];
  console.log(`Hostile tokens\n\n${table(['', 'size', ...heads], rows)}\n`);
}

if (process.argv.includes('--hostile')) {
  await hostileTokens();
  process.exit();
}
await certificates();
if (process.argv.includes('--certificates')) process.exit();

for (const [title, atOnce] of [
  ['One at a time', 1],
  ['16 at once', 16],
]) {
  const found = await measure(all, { tokens: input.good, count: quick ? 320 : 640, rounds, atOnce });
  const [baseline, theirs] = [found[baselineName], found[peerName]];
  const named = (what) => `verifyPresentation, ${atOnce} at once: ${what}`;
  const ours = found[presentationName];
  keepRatio(named('CPU over the jose baseline'), 'cpu', ours, baseline, { atMost: 1.1 });
  keepRatio(named('speed over sd-jwt-vc'), 'perSecond', ours, theirs, { atLeast: 1.8 });
  console.log(`${title}\n`);
  console.log(
    table(
      ['', 'ops/s', 'CPU/op', 'CPU of the baseline', "CPU of sd-jwt-vc's", 'speed of sd-jwt-vc'],
      Object.entries(found).map(([name, { cpu, perSecond }]) => [
        name,
        perSecond.toFixed(0),
        micros(cpu),
        times(cpu / baseline.cpu),
        times(cpu / theirs.cpu),
        times(perSecond / theirs.perSecond),
      ]),
    ),
    '\n',
  );
}

console.log(ratioTable(ratios), '\n');

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
await hostileTokens();
