import { Agent } from 'node:http';
import { ask } from '../said.js';
import { send } from '../send.js';

const atOnce = 8;
export const wholeFlow = 'whole flow';
const through = new Agent({ keepAlive: true, maxSockets: atOnce });
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const cookiesOf = ({ headers }) => headers['set-cookie'].map((cookie) => cookie.split(';', 1)[0]).join('; ');

/** What each contender is asked, in the order of a flow: requests made of what the step before brought. */
const quickstart = {
  start: () => ({
    path: '/identity/start?returnTo=/club&form=kit',
    method: 'POST',
    headers: { ...page, ...form },
    expected: 303,
  }),
  callback: ({ body }) => ({
    path: '/identity/callback',
    method: 'POST',
    headers: form,
    body,
    expected: 200,
  }),
  return: ({ reply, cookie }) => ({
    path: JSON.parse(reply.text).redirect_uri,
    headers: { ...page, cookie },
    expected: 303,
  }),
  guard: ({ cookie }) => ({ path: '/club', headers: { ...page, cookie }, expected: 200 }),
  // A page without a guard, in the session of somebody verified.
  'open page': ({ cookie }) => ({ path: '/news', headers: { ...page, cookie }, expected: 200 }),
};
export const steps = {
  pidgate: quickstart,
  bare: quickstart,
  'bare-http': quickstart,
  'openid-connect': {
    start: () => ({ path: '/login', headers: page, expected: 302 }),
    callback: ({ body, cookie }) => ({
      path: '/callback',
      method: 'POST',
      headers: { ...form, cookie },
      body,
      expected: 302,
    }),
    guard: quickstart.guard,
    'open page': quickstart['open page'],
  },
};

async function everyOne(count, work) {
  let next = 0;
  const one = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: atOnce }, one));
}

/**
 * So many flows of one contender, step by step: all starts, all callbacks and so on, so that each step can be measured
 * by itself. What wallet and provider sign is signed between the steps. `watch` is called around each, with the number of
 * its requests.
 */
export async function runFlows({ name, url }, count, watch = async (_step, _requests, work) => await work()) {
  const flows = Array.from({ length: count }, () => ({}));
  for (const [step, requestOf] of Object.entries(steps[name])) {
    const requests = flows.map(requestOf);
    const times = ['guard', 'open page'].includes(step) ? 15 : 1; // short, and changes nothing
    await watch(step, times * count, async () => {
      await everyOne(times * count, async (index) => {
        const { path, expected, ...sending } = requests[index % count];
        const reply = await send(through, new URL(path, url), sending);
        if (reply.status !== expected)
          throw new Error(`${name}: ${step} ended with ${reply.status}: ${reply.text}`);
        flows[index % count].reply = reply;
      });
    });
    await everyOne(count, async (index) => {
      const flow = flows[index];
      if (flow.reply.headers['set-cookie'] !== undefined) flow.cookie = cookiesOf(flow.reply);
      if (step === 'start') flow.body = (await send(through, flow.reply.headers.location)).text;
    });
  }
}

/** CPU in µs and requests a second, by step; and the CPU of a whole flow, from the start to the page that is shown. */
export async function measureFlows(contender, count) {
  const found = {};
  await runFlows(contender, count, async (step, requests, work) => {
    const before = await ask(contender.child, 'cpu');
    const began = performance.now();
    await work();
    const seconds = (performance.now() - began) / 1_000;
    const after = await ask(contender.child, 'cpu');
    const cpu = after.user + after.system - before.user - before.system;
    found[step] = { cpu: cpu / requests, perSecond: requests / seconds };
  });
  const parts = ['start', 'callback', 'return'].map((step) => found[step]?.cpu ?? 0);
  return { ...found, [wholeFlow]: { cpu: parts.reduce((sum, cpu) => sum + cpu, 0), perSecond: NaN } };
}
