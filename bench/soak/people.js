import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../send.js';

// Browsers and the service's callbacks: so many flows begin in a second, and what can go wrong between them goes wrong.

const { url, perSecond, seconds, share } = JSON.parse(process.argv[2]);
const through = new Agent({ keepAlive: true });
const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const patienceMs = 45_000;
const answerMs = 15_000;

const planted = {};
const ended = {};
const met = {};
const lost = [];
const count = (tally, name) => (tally[name] = (tally[name] ?? 0) + 1);

/** Whether this one is hit; that it was is kept with the flow. */
function hit(flow, fault) {
  if (Math.random() >= share) return false;
  count(planted, fault);
  flow.faults.push(fault);
  return true;
}

/** A connection that is closed soon after the request was sent, whatever the app made of it until then. */
async function closeSoon(address, { method = 'GET', headers, body = '' }) {
  const sent = request(address, { method, headers: { ...headers, 'content-length': body.length } });
  sent.on('error', () => {});
  sent.on('response', (response) => response.resume());
  sent.end(body);
  await wait(Math.random() * 40);
  sent.destroy();
}

/** Sends again until the answer is neither a broken connection nor a 503, as browsers' people and services do. */
async function insist(step, address, sending) {
  const until = Date.now() + patienceMs;
  for (;;) {
    // A process that is killed leaves connections open that node:cluster was about to hand to it.
    const signal = AbortSignal.timeout(answerMs);
    const reply = await send(through, address, { ...sending, signal }).catch(({ code }) => ({
      status: code,
    }));
    if (reply.status !== 503 && typeof reply.status === 'number') return reply;
    count(met, `${step}: ${reply.status}`);
    if (Date.now() > until) return reply;
    await wait(1_000 * Number(reply.headers?.['retry-after'] ?? 1));
  }
}

/** The person starts until the wallet's page is there. */
async function start(flow) {
  for (let tries = 0; tries < 20; tries += 1) {
    const sending = { method: 'POST', headers: page };
    const address = `${url}/identity/start?returnTo=/club&form=kit`;
    if (hit(flow, 'start: connection closed')) await closeSoon(address, sending);
    const { status, headers } = await insist('start', address, sending);
    if (status === 303 && headers.location.includes('/wallet/')) {
      return { cookie: cookieOf(headers), wallet: headers.location };
    }
    count(met, `start: ${status}`);
    await wait(500);
  }
  throw new Error('never started');
}

const cookieOf = (headers) => headers['set-cookie'][0].split(';')[0];

async function callBack(flow, body) {
  const address = `${url}/identity/callback`;
  const sending = { method: 'POST', headers: form, body };
  if (hit(flow, 'callback: late')) await wait(5_000 + Math.random() * 25_000);
  if (hit(flow, 'callback: reply lost')) await closeSoon(address, sending);
  const times = hit(flow, 'callback: doubled') ? 2 : 1;
  const one = async () => await insist('callback', address, sending);
  const [reply, other = reply] = await Promise.all(Array.from({ length: times }, one));
  if (reply.text !== other.text) throw new Error('two replies to one callback');
  if (reply.status !== 200) throw new Error(`callback answered ${reply.status}`);
  return JSON.parse(reply.text).redirect_uri;
}

/** The jar is the browser's: what one answer sets, the next request sends. */
async function comeBack(flow, back, jar) {
  let address = back;
  for (let steps = 0; steps < 5; steps += 1) {
    const reply = await insist('return', address, { headers: { ...page, cookie: jar.cookie } });
    if (reply.headers?.['set-cookie'] !== undefined) jar.cookie = cookieOf(reply.headers);
    if (reply.status === 303) return reply.headers.location;
    const [, onward] = /http-equiv="refresh" content="\d+;\s*url=([^"]+)"/i.exec(reply.text ?? '') ?? [];
    if (onward === undefined) {
      throw new Error(
        `return answered ${reply.status} ${/<h1[^>]*>([^<]*)/.exec(reply.text ?? '')?.[1] ?? ''}`,
      );
    }
    count(met, 'return: reload');
    address = new URL(onward.replaceAll('&amp;', '&'), address).href;
  }
  throw new Error('return reloads for ever');
}

async function run(flow) {
  const { cookie, wallet } = await start(flow);
  const { text: body } = await send(through, wallet);
  if (hit(flow, 'callback: lost')) return 'callback never sent';
  const back = await callBack(flow, body);
  if (!back.includes('code=')) throw new Error(`callback leads to ${new URL(back).search}`);

  const jar = { cookie };
  if (hit(flow, 'return: connection closed')) await closeSoon(back, { headers: { ...page, cookie } });
  const times = hit(flow, 'return: doubled') ? 2 : 1;
  const one = async () => await comeBack(flow, back, jar);
  const pages = await Promise.all(Array.from({ length: times }, one));
  if (pages.some((location) => location !== `${url}/club`)) throw new Error(`return leads to ${pages}`);
  const club = await insist('guard', `${url}/club`, { headers: { ...page, cookie: jar.cookie } });
  if (club.status !== 200 || JSON.parse(club.text).name !== 'Erika') {
    throw new Error(`guard answered ${club.status}`);
  }
  return 'confirmed';
}

/** SECURITY.md: after the response has left Node, a connection that breaks means to verify again. */
const isAllowed = ({ faults }) => faults.includes('return: connection closed');

async function judged() {
  const flow = { faults: [] };
  try {
    count(ended, await run(flow));
  } catch (error) {
    const what = isAllowed(flow) ? 'line broke after the response' : 'lost';
    count(ended, what);
    if (what === 'lost' && lost.length < 1_000) lost.push({ why: error.message, faults: flow.faults });
  }
}

let [begun, over] = [0, 0];
process.on('disconnect', () => process.exit());
process.on('message', () => process.send({ begun, over, planted, ended, met, lost }));
const from = Date.now();
while (Date.now() - from < seconds * 1_000) {
  const due = Math.floor(((Date.now() - from) / 1_000) * perSecond);
  for (; begun < due && begun - over < 40 * perSecond; begun += 1) void judged().then(() => (over += 1));
  await wait(20);
}
while (over < begun) await wait(100);
through.destroy();
process.send({ begun, over, planted, ended, met, lost, done: true });
