// How long an app waits for the kit when it starts, and what that holds in memory, next to express-openid-connect. Each
// figure is of fresh processes that have loaded express before; all take turns, so that whatever else the machine does
// hits all alike.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { median, spread } from './numbers.js';
import { machine, ratioTable, table } from './report.js';

const root = join(import.meta.dirname, '..');
const rounds = process.argv.includes('--quick') ? 3 : 15;
const entry = (name) => JSON.stringify(join(root, 'dist', name));
// PEER is for a machine where it is installed elsewhere.
const peer = createRequire(process.env.PEER ?? import.meta.url).resolve('express-openid-connect');
const pem = readFileSync(join(root, 'test/vectors/eudi/eu-pid-issuer-cas.pem'), 'utf8');
const [anchor] = pem.match(/-----BEGIN[^-]+-----[^-]+-----END[^-]+-----/);

/** The factory as docs/going-live.md has it, with an issuer that is trusted by certificates. */
const factory = `
  const { identityVerification, trustFromPem } = require(${entry('index.cjs')});
  identityVerification({
    baseUrl: 'https://service.example', apiKey: 'key', issuer: 'de-ausweis', appUrl: 'https://shop.example',
    reveal: ['given_name'],
    trust: { 'de-ausweis': {
      format: 'sd-jwt-vc',
      keys: { x5c: trustFromPem(${JSON.stringify(anchor)}) },
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'x509_san_dns:shop.example' },
    } },
  });`;

const loads = {
  'express alone': '',
  'pidgate, required': `require(${entry('index.cjs')})`,
  'pidgate, with certificates': factory,
  'pidgate, imported': `await import(${JSON.stringify(pathToFileURL(join(root, 'dist/index.mjs')).href)})`,
  'express-openid-connect': `require(${JSON.stringify(peer)})`,
};

/** Both load the same express: the one beside them. */
const startUp = (name) => {
  const from = name === 'express-openid-connect' ? peer : `${root}/`;
  const program = `import { createRequire } from 'node:module';
    const require = createRequire(${JSON.stringify(from)});
    require('express');
    const [before, cpu] = [performance.now(), process.cpuUsage()];
    ${loads[name]};
    const [ms, { user, system }] = [performance.now() - before, process.cpuUsage(cpu)];
    console.log(JSON.stringify({ ms, cpu: (user + system) / 1_000, megabytes: process.memoryUsage.rss() / 1e6 }))`;
  const args = ['--input-type=module', '--eval', program];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' }));
};

const runs = Object.fromEntries(Object.keys(loads).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  const names = round % 2 === 0 ? Object.keys(loads) : Object.keys(loads).toReversed();
  for (const name of names) runs[name].push(startUp(name));
}

const over = (name, figure) =>
  spread(runs[name].map((run, round) => run[figure] / runs['express-openid-connect'][round][figure]));
const ratios = ['pidgate, required', 'pidgate, with certificates'].flatMap((name) => [
  { what: `${name}: ms over express-openid-connect`, ...over(name, 'ms'), atMost: 1 },
  { what: `${name}: memory over express-openid-connect`, ...over(name, 'megabytes'), atMost: 1 },
]);
console.log(`${machine()}; medians of ${rounds} processes\n`);
const rows = Object.entries(runs).map(([name, figures]) => [
  name,
  ...['ms', 'cpu', 'megabytes'].map((figure) => median(figures.map((run) => run[figure])).toFixed(1)),
]);
console.log(table(['after express', 'ms', 'ms of CPU', 'MB resident'], rows));
console.log(`\n${ratioTable(ratios)}`);
