import { Agent } from 'node:http';
import { send } from '../send.js';

// Sends the browsers' and the service's requests: so many flows at once, so many in all, and no more.

const { url, atOnce, warmUp, flows } = JSON.parse(process.argv[2]);
const agent = () => new Agent({ keepAlive: true, maxSockets: atOnce });
const browsers = agent();
const service = agent();
const form = { 'content-type': 'application/x-www-form-urlencoded' };
const page = { accept: 'text/html', 'sec-fetch-site': 'same-origin' };

/** From the click on the button to the page of the app; how long each step took, and which process took it. */
async function flow(found) {
  const by = new Set();
  const step = async (name, expected, ...sending) => {
    const began = performance.now();
    const { status, headers, text } = await send(...sending);
    if (status !== expected) throw new Error(`${name} answered ${status}: ${text}`);
    found[name].push(performance.now() - began);
    by.add(headers['x-process']);
    return { headers, text };
  };

  const started = await step('start', 303, browsers, `${url}/identity/start?returnTo=/club&form=kit`, {
    method: 'POST',
    headers: page,
    // as the form of the kit's own page
  });
  const cookie = started.headers['set-cookie'][0].split(';')[0];
  const { text: body } = await send(service, started.headers.location);
  const called = await step('callback', 200, service, `${url}/identity/callback`, {
    method: 'POST',
    headers: form,
    body,
  });
  const back = JSON.parse(called.text).redirect_uri;
  const returned = await step('return', 303, browsers, back, { headers: { ...page, cookie } });
  if (returned.headers.location !== `${url}/club`) throw new Error('The return leads elsewhere');
  if (by.size > 1) found.onSeveral += 1;
}

async function run(count) {
  const found = { start: [], callback: [], return: [], onSeveral: 0 };
  let left = count;
  const one = async () => {
    while (left > 0) {
      left -= 1;
      await flow(found);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, one));
  return found;
}

await run(warmUp);
process.send({ warm: true });
process.once('message', () => {
  const began = performance.now();
  void run(flows).then((found) => {
    process.send({ ...found, seconds: (performance.now() - began) / 1_000 });
  });
});
