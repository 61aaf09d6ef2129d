import { Agent } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { send } from '../send.js';

// People who have started before: their callbacks and returns, so many in a second, and how long each took.

const { url } = JSON.parse(process.argv[2]);
const through = new Agent({ keepAlive: true });
const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };
const form = { 'content-type': 'application/x-www-form-urlencoded' };

let started = [];

const orders = {
  async start({ count, atOnce, signed = true }) {
    const began = performance.now();
    let left = count;
    const one = async () => {
      while (left > 0) {
        left -= 1;
        const { status, headers, text } = await send(
          through,
          `${url}/identity/start?returnTo=/club&form=kit`,
          {
            method: 'POST',
            headers: page,
          },
        );
        if (status !== 303) throw new Error(`start answered ${status}: ${text}`);
        started.push({ cookie: headers['set-cookie'][0].split(';')[0], wallet: headers.location });
      }
    };
    await Promise.all(Array.from({ length: atOnce }, one));
    const perSecond = (count * 1_000) / (performance.now() - began);
    // Signed now, so that the wallet costs nothing while times are taken.
    const sign = async (person) => (person.body = (await send(through, person.wallet)).text);
    if (signed) await Promise.all(started.map(sign));
    else started = [];
    return { perSecond };
  },

  async finish({ perSecond }) {
    const found = { callback: [], return: [], refused: {} };
    const people = started;
    started = [];
    const began = performance.now();
    const ends = [];
    for (const [index, person] of people.entries()) {
      await wait(Math.max(0, (index * 1_000) / perSecond - (performance.now() - began)));
      ends.push(finish(person, found));
    }
    await Promise.all(ends);
    return { ...found, seconds: (performance.now() - began) / 1_000 };
  },
};

async function finish({ cookie, body }, found) {
  const step = async (name, expected, ...sending) => {
    const from = performance.now();
    const reply = await send(through, ...sending).catch(({ code }) => ({ status: code }));
    if (reply.status === expected) found[name].push(performance.now() - from);
    else found.refused[`${name} ${reply.status}`] = (found.refused[`${name} ${reply.status}`] ?? 0) + 1;
    return reply.status === expected ? reply : undefined;
  };
  const called = await step('callback', 200, `${url}/identity/callback`, {
    method: 'POST',
    headers: form,
    body,
  });
  if (called === undefined) return;
  await step('return', 303, JSON.parse(called.text).redirect_uri, { headers: { ...page, cookie } });
}

process.on('message', ({ order, ...details }) => {
  void orders[order](details).then((answer) => process.send(answer));
});
process.on('disconnect', () => process.exit());
process.send({ ready: true });
