import { afterAll, describe, expect, it } from '@jest/globals';
import { attributeIds } from '../../../lib/types/attributes.js';
import { foreignWallet } from '../../support/foreign-wallet.js';
import { germanFlow, openid4vpLinkOn } from '../../dev/sandbox/german.js';

// A wallet of other people's libraries against the sandbox's service, judged by the kit: each client id prefix with
// each set of attributes and each outcome.

const returnUrl = 'http://localhost:3000/identity/return?code=c';
const prefixes = ['x509_hash', 'x509_san_dns'] as const;
const sets = [['given_name'], ['birth_date', 'family_name'], ['nationality'], attributeIds];

let played = 0;

async function open(clientIdPrefix: (typeof prefixes)[number], revealed: readonly string[]) {
  let time = Date.now();
  const flow = await germanFlow({ clientIdPrefix, clock: () => new Date(time), request: { revealed } });
  const wallet = await foreignWallet(flow.service, 'dual');
  const link = openid4vpLinkOn((await flow.browser.get(flow.page)).text);
  const opened = await wallet.open(link);
  played += 1;
  return { flow, wallet, opened, forward: (ms: number) => void (time += ms) };
}

type Played = Awaited<ReturnType<typeof open>>;

async function judged({ flow, opened }: Played, response: string) {
  const reply = await opened.send(response);
  expect(reply).toEqual({ status: 200, body: { redirect_uri: returnUrl } });
  return await flow.verdict();
}

const outcomes: Readonly<Record<string, (it: Played) => Promise<void>>> = {
  approve: async (it) => {
    expect(await judged(it, await it.opened.respond())).toMatchObject({ valid: true });
  },
  decline: async ({ flow, opened }) => {
    expect(await opened.decline()).toEqual({ status: 200, body: { redirect_uri: returnUrl } });
    expect(flow.callbacks[0]?.body.get('error')).toBe('access_denied');
  },
  'a Disclosure dropped': async (it) => {
    const verdict = await judged(it, await it.opened.respond({ drops: true }));
    expect(verdict).toMatchObject({ valid: false, code: 'attributes_missing' });
  },
  'an answer replayed': async ({ flow, wallet, opened }) => {
    const response = await opened.respond();
    await opened.send(response);
    const again = await germanFlow({ service: flow.service });
    const other = await wallet.open(openid4vpLinkOn((await again.browser.get(again.page)).text));
    expect((await other.send(response)).status).toBe(400);
    expect(again.callbacks).toHaveLength(0);
  },
  'a second answer': async ({ flow, opened }) => {
    const [first, second] = [await opened.respond(), await opened.respond()];
    expect((await opened.send(first)).status).toBe(200);
    expect((await opened.send(second)).status).toBe(400);
    expect((await opened.decline()).status).toBe(400);
    expect(flow.callbacks).toHaveLength(1);
  },
  'too late': async ({ flow, opened, forward }) => {
    const response = await opened.respond();
    forward(10 * 60_000);
    expect((await opened.send(response)).status).toBe(404);
    expect(flow.callbacks).toHaveLength(0);
  },
};

describe.each(prefixes)('%s', (prefix) => {
  describe.each(sets.map((set) => [set.join(', '), set] as const))('%s', (_names, revealed) => {
    it.each(Object.entries(outcomes))('%s', async (_outcome, play) => {
      await play(await open(prefix, revealed));
    });
  });
});

afterAll(() => {
  const expected = prefixes.length * sets.length * Object.keys(outcomes).length;
  console.log(`wallets: ${played} of ${expected} flows with a wallet of other libraries`);
});
