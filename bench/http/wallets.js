import { Agent } from 'node:http';
import { certify, pemOf } from '../../test/support/verify/certificates.ts';
import { newKeyPair, now, signJws } from '../../test/support/verify/issuer.ts';
import { median, spread } from '../numbers.js';
import { machine, table } from '../report.js';
import { ask } from '../said.js';
import { send } from '../send.js';
import { withContenders } from './contenders.js';

// What an app that asks wallets itself spends on a request, which each wallet fetches, and on a poll, which each page
// sends every two seconds: the CPU that it adds to that of a route which does nothing, in the same process and round.

const quick = process.argv.includes('--quick');
const [processes, rounds, count, warmUp] = quick ? [2, 9, 150, 1_500] : [6, 15, 300, 3_000];
const bars = { request: 0.35, poll: 0.12 };
const atOnce = 8;
const through = new Agent({ keepAlive: true, maxSockets: atOnce });
const forwarded = { 'x-forwarded-host': 'app.example', 'x-forwarded-proto': 'https' };
const json = { ...forwarded, accept: 'application/json' };

/** Certified for this run. */
function accessNow() {
  const day = 24 * 60 * 60;
  const today = Math.floor((Date.now() - now) / 1_000);
  const times = { notBefore: today - day, notAfter: today + 365 * day };
  const ca = certify({ subject: 'Access CA', isCa: true, ...times });
  const leaf = certify({ subject: 'App', issuer: ca, ...times });
  const registrar = newKeyPair();
  return {
    anchors: [pemOf(ca)],
    entry: {
      certificate: pemOf(leaf),
      key: leaf.keys.privateKey.export({ type: 'pkcs8', format: 'pem' }),
      registration: signJws({ alg: 'ES256', typ: 'rc-rp+jwt' }, { sub: 'App' }, registrar),
    },
  };
}

/** Somebody who has started and whose page waits. */
async function begin({ url }) {
  const headers = { ...json, 'sec-fetch-site': 'same-origin' };
  const reply = await send(through, new URL('/identity/start', url), { method: 'POST', headers });
  if (reply.status !== 200) throw new Error(`The start ended with ${reply.status}: ${reply.text}`);
  const { search } = new URL(JSON.parse(reply.text).redirectUrl);
  const [cookie] = reply.headers['set-cookie'].map((text) => text.split(';', 1)[0]);
  return { search, cookie };
}

const requests = {
  'bare route, no session': () => ({ path: '/bare', headers: json }),
  request: ({ search }) => ({ path: `/identity/request${search}.link`, headers: forwarded }),
  'request by POST, with a nonce': ({ search }) => ({
    path: `/identity/request${search}.link`,
    method: 'POST',
    headers: { ...forwarded, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'wallet_nonce=SQTRSZlZlk7jPaJWkJGk2A',
  }),
  'bare route, with the session': ({ cookie }) => ({ path: '/bare', headers: { ...json, cookie } }),
  poll: ({ search, cookie }) => ({ path: `/identity/wallet${search}`, headers: { ...json, cookie } }),
};
const beside = {
  request: 'bare route, no session',
  'request by POST, with a nonce': 'bare route, no session',
  poll: 'bare route, with the session',
};

/** CPU of one request of this kind, in milliseconds. */
async function cpuOf({ child, url }, kind, flows, times) {
  let next = 0;
  const one = async () => {
    while (next < times) {
      const { path, ...sending } = requests[kind](flows[next++ % flows.length]);
      const { status, text } = await send(through, new URL(path, url), sending);
      if (status !== 200) throw new Error(`${kind}: ${status}: ${text}`);
    }
  };
  const before = await ask(child, 'cpu');
  await Promise.all(Array.from({ length: atOnce }, one));
  const after = await ask(child, 'cpu');
  return (after.user + after.system - before.user - before.system) / times / 1_000;
}

const wallets = accessNow();
const kinds = Object.keys(requests);
const found = Object.fromEntries(kinds.map((kind) => [kind, []]));
for (let started = 0; started < processes; started += 1) {
  await withContenders(
    ['wallets'],
    async ([app]) => {
      const flows = [];
      for (let nth = 0; nth < 50; nth += 1) flows.push(await begin(app));
      for (const kind of kinds) await cpuOf(app, kind, flows, warmUp);
      for (let round = 0; round < rounds; round += 1) {
        for (let turn = 0; turn < kinds.length; turn += 1) {
          const kind = kinds[(round + turn) % kinds.length];
          found[kind].push(await cpuOf(app, kind, flows, count));
        }
      }
    },
    { wallets },
  );
}

console.log(`${machine()}, medians of ${processes * rounds} rounds of ${count}\n`);
const ms = (value) => value.toFixed(3);
console.log(
  table(
    ['CPU a request', 'ms'],
    kinds.map((kind) => [kind, ms(median(found[kind]))]),
  ),
);
const rows = Object.entries(beside).map(([kind, bare]) => {
  const more = spread(found[kind].map((cpu, index) => cpu - found[bare][index]));
  const bar = bars[kind];
  return [
    kind,
    ms(more.median),
    `${ms(more.low)}–${ms(more.high)}`,
    bar === undefined ? '' : `at most ${bar}`,
    more.median > bar ? 'missed' : '',
  ];
});
console.log(`\n${table(['more than a bare route', 'ms', 'half of the rounds', 'bar', ''], rows)}`);
