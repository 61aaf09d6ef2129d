/**
 * Two builds of pidgate judge the same odd chains of certificates: `npm --prefix bench run chains -- <dist of the other>`.
 * Prints how often each check decides, and every chain of which the two say something different. `COUNT` is the number
 * of chains (8,000), `SEED` that of the run.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { argv, env, execPath, exit, stdout } from 'node:process';
import { text } from 'node:stream/consumers';
import { nonceOf } from '../../lib/service/receipt.js';
import { isDer } from '../../test/support/verify/der-tree.js';
import { audience, erika, iss, mint, vct } from '../../test/support/verify/issuer.js';
import { chanceOf, keys, oddCertificates } from '../../test/support/verify/odd-certificates.js';

const [, , other = ''] = argv;

const chance = chanceOf(Number(env['SEED'] ?? 20_260_812));
const { pick } = chance;
const certificate = oddCertificates(chance);

const pemOf = (der: Buffer) =>
  `-----BEGIN CERTIFICATE-----\n${(der.toString('base64').match(/.{1,64}/g) ?? []).join('\n')}\n-----END CERTIFICATE-----\n`;
const state = 'state-of-the-flow';
const expected = { issuer: 'de-ausweis', state, reveal: ['given_name'] };
const keyBinding = { nonce: 'state-sha256', audience };
const leafRules = { requireIssuerInSan: true, subject: { CN: 'PID Issuer' }, policies: ['1.2.3.4', '1.2.3'] };
const entriesWith = (anchor: Buffer) => {
  const entry = { format: 'sd-jwt-vc', vct: [vct], keyBinding, iss };
  const anchors = [pemOf(anchor)];
  return {
    usual: { ...entry, keys: { x5c: { anchors } } },
    'all rules': { ...entry, keys: { x5c: { anchors, leaf: leafRules } } },
    names: { ...entry, keys: { x5c: { anchors, leaf: { requireIssuerInSan: true } } } },
    HAIP: { ...entry, profile: 'haip-1.0', keys: { x5c: { anchors } } },
  };
};

interface Case {
  readonly token: string;
  readonly entry: object;
  readonly what: string;
}
const count = Number(env['COUNT'] ?? 8000);
const goodRoots = Array.from({ length: 8 }, () => certificate('root', false));
const cases = Array.from({ length: count }, (): Case => {
  const odd = pick(['leaf', 'leaf', 'leaf', 'ca', 'ca', 'root'] as const);
  const made = { leaf: certificate('leaf', odd === 'leaf'), ca: certificate('ca', odd === 'ca') };
  const anchor = odd === 'root' ? certificate('root', true) : pick(goodRoots);
  const x5c = Object.values(made).map((der) => der.toString('base64'));
  const binding = { payload: { nonce: nonceOf(state) } };
  const token = mint({ sd: erika, issuer: keys.leaf, header: { x5c }, binding });
  const [name, entry] = pick(Object.entries(entriesWith(anchor)));
  const hex = { ...made, root: anchor }[odd].toString('hex');
  return { token, entry, what: `${name}, odd is the ${odd}: ${hex}` };
});
const file = join(mkdtempSync(join(tmpdir(), 'pidgate-chains-')), 'cases.jsonl');
writeFileSync(file, cases.map(({ token, entry }) => JSON.stringify({ token, entry, expected })).join('\n'));

/** What one build says of every case. A case that ends the process is said to. */
async function judge(dist: string): Promise<readonly string[]> {
  const said: string[] = [];
  while (said.length < cases.length) {
    const judging = [join(import.meta.dirname, 'judge.js'), resolve(dist), file, String(said.length)];
    const child = spawn(execPath, judging, { stdio: ['ignore', 'pipe', 'ignore'] });
    said.push(...(await text(child.stdout)).split('\n').filter(Boolean));
    if (said.length < cases.length) said.push('aborts the process');
  }
  return said;
}

const dist = resolve(import.meta.dirname, '../../dist');
const [theirs, ours] = await Promise.all([judge(other), judge(dist)]);
const decided = new Map<string, number>();
const differing = new Map<string, string[]>();
for (const [index, { what }] of cases.entries()) {
  const [before = '', now = ''] = [theirs[index], ours[index]];
  const [check = ''] = env['REASONS'] ? [now] : now.split(' ', 1);
  decided.set(check, (decided.get(check) ?? 0) + 1);
  if (before === now) continue;
  const ways = `${isDer(Buffer.from(what.split(': ')[1] ?? '', 'hex')) ? 'DER' : 'not DER'}: ${before}\n  now ${now}`;
  differing.set(ways, [...(differing.get(ways) ?? []), what]);
}

const print = (line: string) => stdout.write(`${line}\n`);
const checks = [...decided].toSorted(([, a], [, b]) => b - a).map(([check, times]) => `${check} ${times}`);
print(`${count} chains: ${checks.join(', ')}`);
print(`${[...differing.values()].flat().length} differ, in ${differing.size} ways`);
for (const [ways, those] of differing) {
  const shown = those.slice(0, Number(env['SHOW'] ?? 1)).map((one) => `    ${one}`);
  print(`${those.length} x ${ways}\n${shown.join('\n')}`);
}
exit(differing.size === 0 ? 0 : 1);
