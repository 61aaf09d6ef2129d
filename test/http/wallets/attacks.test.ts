import { beforeAll, describe, expect, it } from '@jest/globals';
import { CompactEncrypt, importJWK, type JWK } from 'jose';
import { findFlow } from '../../../lib/flow/flow.js';
import type { Kit } from '../../../lib/http/context.js';
import { kitSymbol } from '../../../lib/options/development.js';
import { gate } from '../../support/callbacks.js';
import { deep } from '../../support/deep.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { storeAround } from '../../support/stores.js';
import { refusingPort } from '../../support/refusing-port.js';
import { startApp, unknownState } from '../../support/app.js';
import type { Browser, Shown } from '../../support/browser.js';
import {
  accessOf,
  closed,
  entryOf,
  erika,
  nobody,
  startWalletApp,
  type WalletApp,
  type Waiting,
  walletWorld,
  whoIs,
} from '../../support/wallets.js';

// What somebody may try with the page, the request and the answer of a wallet, and what must come of it.

const ways = ['link', 'code'] as const;
const shared = walletWorld();
const { openApp } = shared;

const post = async ({ url }: WalletApp, form: Record<string, string> | string, type?: string) => {
  const body = typeof form === 'string' ? form : new URLSearchParams(form).toString();
  const headers = { 'content-type': type ?? 'application/x-www-form-urlencoded' };
  const reply = await fetch(`${url}/identity/callback`, { method: 'POST', body, headers });
  return { status: reply.status, body: (await reply.json()) as { error?: string } };
};

const malformed = { status: 400, body: expect.objectContaining({ error: 'callback_malformed' }) };
const codeIn = (shown: Shown): boolean =>
  /return\?code=|code=[\w-]{43}\.[\w-]{43}/.test(`${shown.text}${shown.location}`);

/** What is stored of a flow, opened. */
async function recordOf(app: WalletApp, { state }: Waiting) {
  const kit = (app.identity as unknown as Record<symbol, () => Kit>)[kitSymbol]?.() as Kit;
  const { flow = '' } = app.events.findLast(({ type }) => type === 'flow.started') ?? {};
  const found = await findFlow(kit.flow, flow);
  if (found === undefined) throw new Error(`No record of ${state}.`);
  return found.record;
}

/** A store of flows, and what happens once, right before its next replacement. */
function interruptedStore() {
  let before: (() => Promise<unknown>) | undefined;
  const store = storeAround(async (call, work) => {
    if (call === 'replace') {
      const first = before;
      before = undefined;
      await first?.();
    }
    return await work();
  }, memoryStore());
  return { store, beforeNextWrite: (work: () => Promise<unknown>): void => void (before = work) };
}

describe('the page of whoever started', () => {
  it('F168 never gets the code after an answer by the link, and offers a new start', async () => {
    const app = await openApp();
    const flow = await app.asked('link');
    await flow.opened.send(await flow.opened.respond());
    const [polled, shown] = [await flow.poll(), await flow.again()];
    expect(polled).toEqual({ status: 200, body: { status: 'verified' } });
    expect([shown.status, codeIn(shown)]).toEqual([200, false]);
    expect(shown.text).toContain('Your wallet has answered');
    expect(shown.text).toContain('href="/identity/start"');
    expect(shown.text).not.toMatch(/openid4vp:|role="img"/);
    expect(await whoIs(app, flow.browser)).toBe(nobody);
  });

  it('F175 goes where the return led that another tab has made', async () => {
    const app = await openApp();
    const flow = await app.asked('link', '?returnTo=/me');
    const { body } = await flow.opened.send(await flow.opened.respond());
    await flow.browser.get(body.redirect_uri ?? '');
    expect((await flow.poll()).body).toEqual({ status: 'over' });
    expect((await flow.again()).location).toBe(`${app.url}/me`);
  });

  it.each(ways)('F175 stays for a wallet that declines by the %s, with code and link', async (way) => {
    const app = await openApp();
    const flow = await app.asked(way);
    await flow.opened.decline();
    expect((await flow.poll()).body).toEqual({
      status: 'pending',
      notice: expect.stringMatching(/\(not_shared\)\.?$/),
    });
    const shown = await flow.again();
    expect(shown.text).toMatch(/href="openid4vp:[^]*role="img"|role="img"[^]*href="openid4vp:/);
  });

  it('F175 is nothing to another browser, whose visit leaves a line', async () => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const app = await openApp({ logger: { error: log, warn: log } });
    const flow = await app.asked('code');
    await flow.opened.send(await flow.opened.respond());
    const other = app.browser();
    const shown = await other.get(flow.page);
    expect([shown.status, codeIn(shown)]).toEqual([403, false]);
    expect(shown.text).toContain('does not recognise this browser');
    expect((await flow.poll(other)).status).toBe(404);
    expect((await other.post(flow.page)).status).toBe(404);
    expect(lines.filter((line) => line.includes('return_wrong_browser'))).toHaveLength(1);
    expect(codeIn(await other.visit(flow.page))).toBe(false);
    expect(await whoIs(app, other)).toBe(nobody);
    await flow.browser.get((await flow.again()).location ?? '');
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  });

  it('F175 says who cancelled, and an answer after that changes nothing', async () => {
    const ran: string[] = [];
    const app = await openApp({
      onError: ({ step, error }: { step: string; error: { code: string } }) =>
        void ran.push(`${step} ${error.code}`),
    });
    const flow = await app.asked('code');
    const answer = await flow.opened.respond();
    expect((await flow.browser.post(flow.page, {}, { 'sec-fetch-site': 'cross-site' })).status).toBe(403);
    expect((await flow.poll()).body.status).toBe('pending');
    const cancelled = await flow.browser.post(flow.page);
    expect(cancelled.location).toMatch(/\/return\?error=declined&flow=/);
    expect((await flow.browser.get(cancelled.location ?? '')).text).toContain('You cancelled');
    expect(await flow.opened.send(answer)).toEqual({ status: 200, body: {} });
    expect(await whoIs(app, flow.browser)).toBe(nobody);
    expect(ran).toEqual(['callback declined']);
    expect((await recordOf(app, flow)).wallets?.bytes).toBeUndefined();
  });

  it('F175 Cancel after a good answer ends nothing, and leads where the page leads', async () => {
    const app = await openApp();
    const flow = await app.asked('code');
    await flow.opened.send(await flow.opened.respond());
    const cancelled = await flow.browser.post(flow.page);
    expect(cancelled.location).toMatch(/\/identity\/return\?code=/);
    await flow.browser.get(cancelled.location ?? '');
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  });

  it('F175 leads to an error from the page of a flow before the last one, and to nothing of it', async () => {
    const app = await openApp();
    const browser = app.browser();
    const pages: string[] = [];
    for (const _ of [1, 2]) {
      const { page, links, again } = await app.begin('', browser);
      const opened = await app.wallet.open(links.code ?? '');
      await opened.send(await opened.respond());
      await browser.get((await again()).location ?? '');
      pages.push(page);
    }
    expect((await browser.get(pages[0] ?? '')).location).toMatch(/\/return\?error=state_unknown&flow=/);
    expect((await browser.get(pages[1] ?? '')).location).toBe(`${app.url}/`);
  });

  it('F175 lets a hook that runs end before Cancel, and a notice that comes first changes nothing of it', async () => {
    const { opened: held, open: letGo } = gate();
    const ran: string[] = [];
    const onVerified = async (): Promise<void> => {
      ran.push('onVerified');
      await held;
    };
    const app = await openApp({ onVerified });
    const flow = await app.asked('code');
    const answered = flow.opened.send(await flow.opened.respond());
    while (ran.length === 0) await new Promise((resolve) => setImmediate(resolve));
    expect((await flow.browser.post(flow.page)).location).toBe(
      new URL(flow.page).pathname + new URL(flow.page).search,
    );
    letGo();
    expect(await answered).toEqual({ status: 200, body: {} });
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });

  it('F175 Cancel wins over an error that a wallet posts at the same moment', async () => {
    const { store, beforeNextWrite } = interruptedStore();
    const app = await openApp({ store });
    const flow = await app.asked('code');
    beforeNextWrite(async () => await flow.opened.decline());
    const cancelled = await flow.browser.post(flow.page);
    expect(cancelled.location).toMatch(/\/return\?error=declined&flow=/);
    expect((await recordOf(app, flow)).answered).toHaveLength(1);
  });

  it('F175 a good answer that comes at the same moment as Cancel wins', async () => {
    const { store, beforeNextWrite } = interruptedStore();
    const app = await openApp({ store });
    const flow = await app.asked('code');
    const answer = await flow.opened.respond();
    beforeNextWrite(async () => await flow.opened.send(answer));
    const cancelled = await flow.browser.post(flow.page);
    expect(cancelled.location).toMatch(/\/return\?code=/);
    await flow.browser.get(cancelled.location ?? '');
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  });

  it('F175 leaves for a refusal by the hook, and the phone hears nothing of it', async () => {
    const app = await openApp({ onVerified: () => ({ refuse: 'too_young' }) });
    const flow = await app.asked('code');
    expect(await flow.opened.send(await flow.opened.respond())).toEqual({ status: 200, body: {} });
    expect((await flow.poll()).body).toEqual({ status: 'over' });
    expect((await flow.again()).location).toMatch(/\/return\?error=refused&flow=/);
  });

  it.each(ways)('F175 with confirm callback, leads on by the code alone: answered by the %s', async (way) => {
    const ran: string[] = [];
    const onSuccess = (): { redirectTo: string } => {
      ran.push('onSuccess');
      return { redirectTo: '/welcome' };
    };
    const app = await startWalletApp({
      sandbox: shared.sandbox(),
      options: { confirm: 'callback', onSuccess },
    });
    const flow = await app.asked(way);
    const { body } = await flow.opened.send(await flow.opened.respond());
    expect(body).toEqual(way === 'link' ? { redirect_uri: `${app.url}/welcome` } : {});
    expect((await flow.again()).location).toBe(way === 'code' ? `${app.url}/welcome` : undefined);
    expect(ran).toEqual(['onSuccess']);
  });
});

describe('somebody else', () => {
  it.each(ways)(
    'F168 sends their link to a victim (ways: %s allowed): the victim alone is sent on, and gets nothing',
    async (way) => {
      const app = await openApp({ ways: way === 'link' ? ['link'] : ['link', 'code'] });
      const attacker = await app.asked('link');
      const { body } = await attacker.opened.send(await attacker.opened.respond());
      const victim = app.browser();
      await victim.visit(body.redirect_uri ?? '');
      expect(await whoIs(app, victim)).toBe(nobody);
      expect(codeIn(await attacker.again())).toBe(false);
      await attacker.browser.get(body.redirect_uri ?? ''); // were it stolen
      expect(await whoIs(app, attacker.browser)).toBe(nobody);
    },
  );

  it('F169 sends their code to a victim: with ways link nothing is asked by it, and else it is the known relay', async () => {
    const strict = await openApp({ ways: ['link'] });
    const none = await strict.begin();
    expect(none.links.code).toBeUndefined();
    const byCode = `${strict.url}/identity/request?state=${none.state}.code`;
    expect((await fetch(byCode)).status).toBe(404);
    const app = await openApp();
    const relayed = await app.asked('code');
    await relayed.opened.send(await relayed.opened.respond());
    await relayed.browser.get((await relayed.again()).location ?? '');
    expect(await whoIs(app, relayed.browser)).toEqual(erika);
  });

  it('F169 edits the way in an address: the answer is of that way, and no other browser gets in', async () => {
    const app = await openApp();
    const { links, browser, again } = await app.begin();
    const edited = (links.code ?? '').replace('.code&', '.link&');
    const opened = await app.wallet.open(edited);
    const { body } = await opened.send(await opened.respond());
    expect(body.redirect_uri).toMatch(/return\?code=/);
    expect(codeIn(await again())).toBe(false);
    expect(await whoIs(app, browser)).toBe(nobody);
  });

  it('F169 answers with the way that the record does not allow: 400, and no error in the open by it either', async () => {
    const app = await openApp({ ways: ['link'] });
    const flow = await app.asked('link');
    const vp_token = { pid: [await flow.opened.present()] };
    const state = `${flow.state}.code`;
    expect(
      await post(app, { response: await closed(flow.opened.request, { vp_token, state }, { kid: state }) }),
    ).toEqual(malformed);
    expect(await post(app, { error: 'access_denied', state })).toEqual(malformed);
    expect((await flow.poll()).body).toEqual({ status: 'pending' });
  });

  it.each([
    [
      'the key of another flow',
      (own: string, other: string) => ({ kid: `${own}.code`, state: `${own}.code`, of: other }),
    ],
    ['the key of the other way', (own: string) => ({ kid: `${own}.link`, state: `${own}.link`, of: own })],
    [
      'the kid of another flow',
      (own: string, other: string) => ({ kid: `${other}.code`, state: `${own}.code`, of: own }),
    ],
    [
      'the state of another flow',
      (own: string, other: string) => ({ kid: `${own}.code`, state: `${other}.code`, of: own }),
    ],
    ['the state of the other way', (own: string) => ({ kid: `${own}.code`, state: `${own}.link`, of: own })],
    ['no state', (own: string) => ({ kid: `${own}.code`, state: undefined, of: own })],
  ])('F170 closes an answer for %s: 400, and nothing is judged', async (_, choose) => {
    const app = await openApp();
    const [flow, other] = [await app.asked('code'), await app.asked('code')];
    const { kid, state, of } = choose(flow.state, other.state);
    const { request } = of === other.state ? other.opened : flow.opened;
    const answer = { vp_token: { pid: [await flow.opened.present()] }, state };
    expect(await post(app, { response: await closed(request, answer, { kid }) })).toEqual(malformed);
    for (const each of [flow, other]) expect((await each.poll()).body).toEqual({ status: 'pending' });
    expect((await flow.opened.send(await flow.opened.respond())).status).toBe(200);
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });

  it('F170 shows the presentation of another flow: refused by its nonce', async () => {
    const app = await openApp();
    const [flow, other] = [await app.asked('code'), await app.asked('code')];
    const answer = { vp_token: { pid: [await other.opened.present()] }, state: `${flow.state}.code` };
    await post(app, { response: await closed(flow.opened.request, answer) });
    expect((await flow.poll()).body.notice).toContain('(presentation_invalid)');
    expect(app.events.findLast(({ type }) => type === 'callback.refused')).toMatchObject({ check: 'B07' });
  });

  it('F177 answers what another entry asked: the client id of the flow counts alone', async () => {
    const [access, second] = [await accessOf(), await accessOf()];
    const app = await openApp({ wallets: [access.entry, second.entry] }, { access });
    const flow = await app.asked('code');
    await flow.opened.send(await flow.opened.respond({ audience: second.clientId }));
    expect(app.events.findLast(({ type }) => type === 'callback.refused')).toMatchObject({ check: 'B08' });
    await flow.opened.send(await flow.opened.respond());
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });

  it.each([
    ['vp_token in the open', async () => ({ vp_token: '{"pid":["x"]}', state: 'x' })],
    ['a form of POST /prove', async ({ state }: Waiting) => ({ presentation: 'x', state })],
    [
      'the same with the handle',
      async ({ state }: Waiting) => ({ presentation: 'x', state: `${state}.code` }),
    ],
    ['both an error and a response', async () => ({ error: 'access_denied', response: 'x', state: 'x' })],
    ['nothing', async () => ({})],
    ['a state that is none', async () => ({ error: 'access_denied', state: 'x.code' })],
    ['a response that is none', async () => ({ response: 'a.b.c.d.e' })],
  ] as const)('F171 posts %s: 400', async (_, form) => {
    const app = await openApp();
    const flow = await app.asked('code');
    expect(await post(app, await form(flow))).toMatchObject({ status: 400 });
    expect((await flow.poll()).body).toEqual({ status: 'pending' });
  });

  it.each([
    ['two presentations', (one: string) => ({ pid: [one, one] })],
    ['no presentation', () => ({ pid: [] })],
    ['a presentation that is no text', () => ({ pid: [{}] })],
    ['another credential beside it', (one: string) => ({ pid: [one], more: [one] })],
    ['another id', (one: string) => ({ id: [one] })],
    ['no list', (one: string) => ({ pid: one })],
    ['a text', (one: string) => one],
    ['nothing', () => undefined],
  ])('F171 closes a vp_token with %s: 400', async (_, make) => {
    const app = await openApp();
    const flow = await app.asked('code');
    const vp_token = make(await flow.opened.present());
    const response = await closed(flow.opened.request, { vp_token, state: `${flow.state}.code` });
    expect(await post(app, { response })).toEqual(malformed);
    expect((await flow.poll()).body).toEqual({ status: 'pending' });
  });

  it('F171 repeats the response, posts too much, or in another type', async () => {
    const app = await openApp();
    const { opened, poll } = await app.asked('code');
    const response = await opened.respond();
    const once = new URLSearchParams({ response }).toString();
    expect((await post(app, `${once}&${once}`)).status).toBe(400);
    expect((await post(app, { response, more: 'x'.repeat(257 * 1024) })).status).toBe(413);
    expect((await post(app, JSON.stringify({ response }), 'application/json')).status).toBe(415);
    expect((await poll()).body).toEqual({ status: 'pending' });
    expect((await post(app, { response })).status).toBe(200);
  });

  it('F176 sends the accepted answer again: the same reply, once judged; another one is the closed reply', async () => {
    const ran: string[] = [];
    const app = await openApp({ onVerified: () => void ran.push('onVerified') });
    const flow = await app.asked('link');
    const [answer, second] = [await flow.opened.respond(), await flow.opened.respond()];
    const first = await flow.opened.send(answer);
    expect(await flow.opened.send(answer)).toEqual(first);
    expect(await flow.opened.send(second)).toEqual({ status: 200, body: {} });
    expect(ran).toEqual(['onVerified']);
    const { wallets, result } = await recordOf(app, flow);
    expect([wallets?.bytes, wallets?.way, result?.issuer]).toEqual([undefined, 'link', 'de-ausweis']);
  });

  it('F176 answers by two wallets at once: the first good answer is the answer, whoever brings it', async () => {
    const { opened: started, open: letGo } = gate();
    const ran: string[] = [];
    const onVerified = async (): Promise<void> => {
      ran.push('onVerified');
      await started;
    };
    const app = await openApp({ onVerified });
    const flow = await app.asked('code');
    const byLink = await app.wallet.open(flow.links.link ?? '');
    const one = flow.opened.send(await flow.opened.respond());
    while (ran.length === 0) await new Promise((resolve) => setImmediate(resolve));
    const other = byLink.send(await byLink.respond());
    const said = byLink.decline();
    letGo();
    expect(await one).toEqual({ status: 200, body: {} });
    for (const late of [await other, await said]) {
      expect([200, 503]).toContain(late.status);
      expect(late.body.redirect_uri).toBeUndefined();
    }
    expect(ran).toEqual(['onVerified']);
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });

  it('F170 answers after the end: the closed reply, and the elliptic curve is not asked', async () => {
    const app = await openApp();
    const flow = await app.asked('code');
    const { request } = flow.opened;
    for (const state of [unknownState(), flow.state]) {
      if (state === flow.state) await flow.browser.post(flow.page);
      // A point off the curve: 400 where it is looked at.
      const epk = { kty: 'EC', crv: 'P-256', x: 'A'.repeat(43), y: 'A'.repeat(43) };
      const [, ...rest] = (await closed(request, {})).split('.');
      const header = Buffer.from(
        JSON.stringify({ alg: 'ECDH-ES', enc: 'A128GCM', kid: `${state}.code`, epk }),
      );
      const response = [header.toString('base64url'), ...rest].join('.');
      expect(await post(app, { response })).toEqual({ status: 200, body: {} });
    }
  });

  it.each([
    [
      'in the open',
      async ({ opened }: Asked) =>
        await opened.post({
          error: 'Erika Mustermann',
          state: opened.request.state,
          error_description: 'Erika',
        }),
    ],
    [
      'encrypted',
      async ({ opened }: Asked) =>
        await opened.send(
          await closed(opened.request, {
            error: 'Erika Mustermann',
            error_description: 'Erika',
            state: opened.request.state,
          }),
        ),
    ],
    [
      'that is no text',
      async ({ opened }: Asked) =>
        await opened.send(await closed(opened.request, { error: { Erika: 1 }, state: opened.request.state })),
    ],
  ] as const)(
    'F174 brings words of their own, %s: they reach neither page, log, event nor hook',
    async (_, send) => {
      const said: unknown[] = [];
      const log = (line: string): void => void said.push(line);
      const onError = ({ error }: { error: { message: string; serviceCode?: string } }): void =>
        void said.push(error.message, error.serviceCode);
      const app = await openApp({ logger: { error: log, warn: log }, onError });
      const flow = await app.asked('code');
      expect(await send(flow)).toEqual({ status: 200, body: {} });
      const { text } = await flow.again();
      expect(said).toContain('wallet_error');
      expect(JSON.stringify([said, app.events, text])).not.toMatch(/Erika/i);
    },
  );

  it.each([
    ['access_denied', 'not_shared'],
    ['vp_formats_not_supported', 'credential_missing'],
    ['invalid_request', 'service_error'],
  ])('F171 an encrypted %s with a presentation beside it is nothing, alone it is %s', async (error, code) => {
    const app = await openApp();
    const { opened, poll } = await app.asked('code');
    const { state } = opened.request;
    const vp_token = { pid: [await opened.present()] };
    expect(await post(app, { response: await closed(opened.request, { error, vp_token, state }) })).toEqual(
      malformed,
    );
    expect(await post(app, { response: await closed(opened.request, { error, state }) })).toEqual({
      status: 200,
      body: {},
    });
    expect((await poll()).body.notice).toContain(`(${code})`);
  });
});

type Asked = Awaited<ReturnType<WalletApp['asked']>>;

// The third way: the browser asks the wallet, and the page's script posts what comes. Here a program posts, as the script
// would; test/e2e/wallets has the script.
describe('by the browser', () => {
  const elsewhere = 'https://elsewhere.example';
  const ran: string[] = [];
  let app: WalletApp;
  beforeAll(async () => {
    const onVerified = (): void => void ran.push('onVerified');
    app = await openApp({ ways: ['link', 'browser'], onVerified });
  });

  const opens = async ({ request }: Waiting) => await app.wallet.openByBrowser(request, app.url);
  const pathOf = ({ page }: Waiting): string => page.replace(app.url, '');
  const checkThatFailed = (): unknown =>
    app.events.findLast(({ type }) => type === 'callback.refused')?.check;

  /** Expects that a check refuses it: a notice on the same page, no hook, and nobody gets in. */
  async function expectRefused(flow: Waiting, response: string, check: string): Promise<void> {
    const before = ran.length;
    const shown = await flow.bring({ response });
    expect([shown.status, shown.location, checkThatFailed()]).toEqual([303, pathOf(flow), check]);
    const notice = expect.stringContaining('(presentation_invalid)');
    expect((await flow.poll()).body).toEqual({ status: 'pending', notice });
    expect([await whoIs(app, flow.browser), ran.length]).toEqual([nobody, before]);
  }

  /** Expects that nothing of it is read. */
  async function expectMalformed(flow: Waiting, form: Record<string, string>): Promise<void> {
    const before = ran.length;
    const shown = await flow.bring(form, { accept: 'application/json' });
    expect({ status: shown.status, body: shown.json() }).toEqual(malformed);
    expect([(await flow.poll()).body, ran.length]).toEqual([{ status: 'pending' }, before]);
  }

  /** Expects that whoever brings it gets in. */
  async function expectAccepted(flow: Waiting, response: string): Promise<void> {
    const shown = await flow.bring({ response });
    expect([shown.status, codeIn(shown)]).toEqual([303, true]);
    await flow.browser.get(shown.location ?? '');
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  }

  describe('F192 a page of another origin', () => {
    let flow: Waiting;
    beforeAll(async () => {
      flow = await app.begin();
    });

    it('gets no answer from a careful wallet', async () => {
      await expect(app.wallet.openByBrowser(flow.request, elsewhere)).rejects.toMatchObject({
        errorResponse: { error_description: expect.stringContaining('expected_origins') },
      });
    });

    const cases: readonly [name: string, audienceOf: (own: string, clientId: string) => string][] = [
      ['that origin', () => `origin:${elsewhere}`],
      ['that origin with a slash', () => `origin:${elsewhere}/`],
      ['our client id', (_, clientId) => clientId],
      ['our bare origin', (own) => own],
    ];
    const cousins: typeof cases = [
      ['our host at another port', (own) => `origin:${own.replace(/\d+$/, '1')}`],
      ['our origin with two slashes', (own) => `origin:${own}//`],
      ['our origin with a path', (own) => `origin:${own}/identity`],
      ['our origin in the words of a draft', (own) => `web-origin:${own}`],
    ];
    const refuses = async (
      _: string,
      audienceOf: (own: string, clientId: string) => string,
    ): Promise<void> => {
      const opened = await app.wallet.openByBrowser(flow.request, elsewhere, 'whatever the origin');
      const audience = audienceOf(app.url, app.access.clientId);
      await expectRefused(flow, await opened.respond({ audience }), 'B08');
    };
    it.each(cases)('has a careless wallet sign for %s: B08', refuses);
    deep.test.each(cousins)('has a careless wallet sign for %s: B08', refuses);

    it.each([
      ['as it is', ''],
      ['with a slash', '/'],
    ])('does not change that our origin counts, %s', async (_, slash) => {
      const its = await app.begin();
      const opened = await opens(its);
      await expectAccepted(its, await opened.respond({ audience: `origin:${app.url}${slash}` }));
    });
  });

  describe('F193 an answer of one way in another', () => {
    it('by the link, brought as it is, or under the name of the other key: 400', async () => {
      const flow = await app.begin();
      const byLink = await app.wallet.open(flow.links.link ?? '');
      await expectMalformed(flow, { response: await byLink.respond() });
      const answer = { vp_token: { pid: [await (await opens(flow)).present()] } };
      const kid = `${flow.state}.browser`;
      await expectMalformed(flow, { response: await closed(byLink.request, answer, { kid }) });
    });

    it('signed for the link, closed for the browser: B08; with its state, 400', async () => {
      const flow = await app.begin();
      const vp_token = { pid: [await (await app.wallet.open(flow.links.link ?? '')).present()] };
      const { request } = await opens(flow);
      const response = await closed(request, { vp_token, state: `${flow.state}.link` });
      await expectMalformed(flow, { response });
      await expectRefused(flow, await closed(request, { vp_token }), 'B08');
    });

    it('by the browser, posted to the callback: 400, before it was accepted and after', async () => {
      const flow = await app.begin();
      const response = await (await opens(flow)).respond();
      const error = { error: 'access_denied', state: `${flow.state}.browser` };
      expect([await post(app, { response }), await post(app, error)]).toEqual([malformed, malformed]);
      expect((await flow.poll()).body).toEqual({ status: 'pending' });
      await expectAccepted(flow, response);
      expect(await post(app, { response })).toEqual(malformed);
    });

    it('signed for the browser, closed for the link: B08, and once accepted no code comes out', async () => {
      const flow = await app.begin();
      const opened = await opens(flow);
      const vp_token = { pid: [await opened.present()] };
      const { request } = await app.wallet.open(flow.links.link ?? '');
      const again = async (): Promise<string> =>
        await closed(request, { vp_token, state: `${flow.state}.link` });
      const { status, body } = await post(app, { response: await again() });
      expect([status, JSON.stringify(body).includes('code='), checkThatFailed()]).toEqual([
        200,
        false,
        'B08',
      ]);
      await expectAccepted(flow, await closed(opened.request, { vp_token }));
      expect(await post(app, { response: await again() })).toEqual({ status: 200, body: {} });
    });

    it('fetches the request of the browser: 404', async () => {
      const { state } = await app.begin();
      const address = `${app.url}/identity/request?state=${state}.browser`;
      const replies = [await fetch(address), await fetch(address, { method: 'POST' })];
      expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    });
  });

  describe('F194 what was brought', () => {
    let waits: Waiting;
    beforeAll(async () => {
      waits = await app.begin();
    });

    it('of another flow: 400, and closed again for this flow B07', async () => {
      const [flow, other] = [await app.begin(), await app.begin()];
      const opened = await opens(flow);
      await expectMalformed(other, { response: await opened.respond() });
      const { request } = await opens(other);
      const again = await closed(request, { vp_token: { pid: [await opened.present()] } });
      await expectRefused(other, again, 'B07');
    });

    it('by another session, or by none: 404, and the flow is as it was', async () => {
      const [flow, other] = [await app.begin(), await app.begin()];
      const response = await (await opens(flow)).respond();
      for (const by of [other.browser, app.browser()]) {
        const shown = await flow.bring({ response }, {}, by);
        expect([shown.status, shown.location, await whoIs(app, by)]).toEqual([404, undefined, nobody]);
      }
      expect((await flow.poll()).body).toEqual({ status: 'pending' });
      await expectAccepted(flow, response);
    });

    const inTheOpen = (one: string): string => JSON.stringify({ vp_token: { pid: [one] } });
    it.each<[string, (presentation: string) => Record<string, string>]>([
      ['a vp_token', (one) => ({ vp_token: JSON.stringify({ pid: [one] }) })],
      ['a response that is JSON', (one) => ({ response: inTheOpen(one) })],
      [
        'a response that is an unsigned JWT',
        (one) => ({
          response: ['{"alg":"none"}', inTheOpen(one), '']
            .map((part) => Buffer.from(part).toString('base64url'))
            .join('.'),
        }),
      ],
      ['data', (one) => ({ data: inTheOpen(one) })],
      ['a form of POST /prove', (presentation) => ({ presentation })],
      ['nothing', () => ({})],
      ['an error beside a response', () => ({ error: 'access_denied', response: 'a.b.c.d.e' })],
    ])('not encrypted, as %s: 400', async (_, form) => {
      await expectMalformed(waits, form(await (await opens(waits)).present()));
    });

    it('by a form that is none: its page names the flow, and leads to a new start of it', async () => {
      const flow = await app.begin('?returnTo=/me');
      const shown = await flow.bring({ response: 'a.b' });
      const { supportCode = '' } = app.events.findLast(({ type }) => type === 'flow.started') ?? {};
      expect([shown.status, supportCode]).toEqual([400, expect.stringMatching(/^[\w-]{9}$/)]);
      expect(shown.text).toMatch(new RegExp(`give this code: <[^]*>${supportCode}<`));
      expect(shown.text).toContain('href="/identity/start?returnTo=%2Fme"');
    });

    it('encrypted by another alg, or with two presentations: 400', async () => {
      const opened = await opens(waits);
      const [jwk] = opened.request.client_metadata.jwks.keys;
      const pid = await opened.present();
      const alg = 'ECDH-ES+A128KW';
      const header = { alg, enc: 'A128GCM', kid: `${waits.state}.browser` };
      const encrypt = new CompactEncrypt(Buffer.from(inTheOpen(pid))).setProtectedHeader(header);
      const key = await importJWK({ ...jwk, alg } as JWK, alg);
      await expectMalformed(waits, { response: await encrypt.encrypt(key) });
      const response = await closed(opened.request, { vp_token: { pid: [pid, pid] } });
      await expectMalformed(waits, { response });
    });

    const sent = async (body: string, given: Record<string, string>) => {
      const cookie = [...waits.browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const headers = { cookie, accept: 'application/json', ...given };
      const reply = await fetch(pathOf(waits).replace('/identity/wallet', `${app.url}/identity/answer`), {
        method: 'POST',
        body,
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
      });
      return `${reply.status} ${((await reply.json()) as { error: string }).error}`;
    };

    it('twice in one form, too large, or in another type', async () => {
      const ours = { 'sec-fetch-site': 'same-origin' };
      const json = { ...ours, 'content-type': 'application/json' };
      expect([
        await sent('response=a&response=b', ours),
        await sent(`response=${'x'.repeat(257 * 1024)}`, ours),
        await sent('{"response":"a"}', json),
      ]).toEqual(['400 callback_malformed', '413 callback_too_large', '415 media_type_unsupported']);
    });

    it.each<[string, Record<string, string>]>([
      ['another site', { 'sec-fetch-site': 'cross-site' }],
      ['the same site', { 'sec-fetch-site': 'same-site' }],
      ['no page', { 'sec-fetch-site': 'none' }],
      ['another origin, in an old browser', { origin: elsewhere }],
      ['a hidden origin', { origin: 'null' }],
      ['a program that says nothing', {}],
    ])('by %s: 403, whatever it is', async (_, headers) => {
      const response = await (await opens(waits)).respond();
      const before = ran.length;
      const form = new URLSearchParams({ response }).toString();
      expect(await sent(form, headers)).toBe('403 cross_site');
      expect([(await waits.poll()).body, ran.length]).toEqual([{ status: 'pending' }, before]);
    });

    it('is good all the same, once: a repetition leads to the same return, and a second answer is nothing', async () => {
      const opened = await opens(waits);
      const [response, second] = [await opened.respond(), await opened.respond()];
      const before = ran.length;
      const { location = '' } = await waits.bring({ response });
      const later = [await waits.bring({ response }), await waits.bring({ response: second })];
      expect(later.map((shown) => shown.location)).toEqual([location, location]);
      expect([location.includes('/return?code='), ran.length]).toEqual([true, before + 1]);
      await waits.browser.get(location);
      expect(await whoIs(app, waits.browser)).toEqual(erika);
    });

    it('as an error is a notice, of which no word goes on, and after Cancel it comes too late', async () => {
      const flow = await app.begin();
      for (const [error, code] of [
        ['access_denied', 'not_shared'],
        ['Erika Mustermann', 'service_error'],
      ] as const) {
        expect((await flow.bring({ error })).location).toBe(pathOf(flow));
        const { notice } = (await flow.poll()).body;
        expect(notice).toContain(`(${code})`);
        expect(JSON.stringify([notice, app.events])).not.toContain('Erika');
      }
      const response = await (await opens(flow)).respond();
      await flow.browser.post(flow.page);
      expect((await flow.bring({ response })).location).toMatch(/\/return\?error=declined&/);
      expect(await whoIs(app, flow.browser)).toBe(nobody);
    });
  });

  describe('F195 without the way code, somebody else', () => {
    it('asks by code: nothing is served', async () => {
      const { state, links, shown } = await app.begin();
      expect([links.code, shown.text.includes('class="qr"')]).toEqual([undefined, false]);
      const address = `${app.url}/identity/request?state=${state}.code`;
      const replies = [await fetch(address), await fetch(address, { method: 'POST' })];
      expect(replies.map(({ status }) => status)).toEqual([404, 404]);
    });

    it('claims with a good proof that it came by code, by the browser or by none: 400', async () => {
      const flow = await app.begin();
      const { request, present } = await app.wallet.open(flow.links.link ?? '');
      const vp_token = { pid: [await present()] };
      for (const state of ['.code', '.browser', ''].map((way) => `${flow.state}${way}`)) {
        const response = await closed(request, { vp_token, state }, { kid: state });
        expect([await post(app, { response }), await post(app, { error: 'access_denied', state })]).toEqual([
          malformed,
          malformed,
        ]);
      }
      expect((await flow.poll()).body).toEqual({ status: 'pending' });
    });

    it.each<[string, (attacker: Waiting, victim: Browser) => Promise<unknown>]>([
      [
        'the link',
        async ({ links }, victim) => {
          const opened = await app.wallet.open(links.link ?? '');
          const { body } = await opened.send(await opened.respond());
          return await victim.visit(body.redirect_uri ?? '');
        },
      ],
      [
        'the link as a picture, for another device',
        async ({ links }) => {
          const opened = await app.wallet.open(links.link ?? '');
          return await opened.send(await opened.respond()); // that device has no session
        },
      ],
      [
        'the link, edited to be a code',
        async ({ links }) => {
          const edited = (links.link ?? '').replace('.link&', '.code&');
          await expect(app.wallet.open(edited)).rejects.toThrow(/404/);
        },
      ],
      ['the address of the page', async ({ page }, victim) => await victim.visit(page)],
      [
        'the request of the browser, on a page elsewhere',
        async ({ request, bring }) => {
          await expect(app.wallet.openByBrowser(request, elsewhere)).rejects.toHaveProperty('errorResponse');
          const careless = await app.wallet.openByBrowser(request, elsewhere, 'whatever the origin');
          return await bring({ response: await careless.respond() });
        },
      ],
    ])('relays %s: nobody gets in', async (_, relay) => {
      const [attacker, victim] = [await app.begin(), app.browser()];
      await relay(attacker, victim);
      expect(codeIn(await attacker.again())).toBe(false);
      expect([await whoIs(app, attacker.browser), await whoIs(app, victim)]).toEqual([nobody, nobody]);
    });
  });
});

describe('an app that asks a service', () => {
  it('F171 takes no answer of a wallet, and has neither page nor request', async () => {
    const [app, wallets] = [await startApp(), await openApp()];
    const { opened } = await wallets.asked('code');
    const response = await opened.respond();
    expect((await app.callback({ response })).status).toBe(400);
    expect((await app.callback({ error: 'access_denied', state: opened.request.state })).status).toBe(400);
    for (const path of ['/identity/wallet', '/identity/request']) {
      expect((await fetch(`${app.url}${path}?state=${opened.request.state}`)).status).toBe(404);
    }
  });
});

describe('F173 a wallet sends once, so what brought no verdict is 503', () => {
  it.each(ways)(
    'keys that cannot be fetched, by the %s; the page says so, and the same answer counts later',
    async (way) => {
      const port = await refusingPort();
      const app = await openApp();
      const trust = {
        'de-ausweis': { ...entryOf(app.sandbox), keys: { jwksUri: `http://127.0.0.1:${port}/jwks` } },
      };
      const away = await openApp({ trust });
      const flow = await away.asked(way);
      const reply = await flow.opened.send(await flow.opened.respond());
      expect(reply).toEqual({ status: 503, body: expect.objectContaining({ error: 'keys_unavailable' }) });
      expect((await flow.poll()).body).toEqual({
        status: 'pending',
        notice: expect.stringContaining('(keys_unavailable)'),
      });
    },
  );

  it.each(ways)('a hook that fails, by the %s: it may run again for the same answer', async (way) => {
    let fails = true;
    const onVerified = (): void => {
      if (fails) throw new Error('the hook failed');
    };
    const app = await openApp({ onVerified });
    const flow = await app.asked(way);
    const answer = await flow.opened.respond();
    expect(await flow.opened.send(answer)).toMatchObject({ status: 503, body: { error: 'hook_failed' } });
    expect((await flow.poll()).body.notice).toContain('(hook_failed)');
    fails = false;
    expect((await flow.opened.send(answer)).status).toBe(200);
    expect((await flow.poll()).body.status).toBe(way === 'code' ? 'over' : 'verified');
  });

  it('a place for a verification is waited for', async () => {
    const ran: string[] = [];
    const onVerified = (): void => void ran.push('onVerified');
    const app = await openApp({ limits: { concurrentVerifications: 1 }, onVerified });
    const flows = await Promise.all(Array.from({ length: 8 }, async () => await app.asked('code')));
    const answers = await Promise.all(
      flows.map(async ({ opened }) => ({ opened, answer: await opened.respond() })),
    );
    const replies = await Promise.all(answers.map(async ({ opened, answer }) => await opened.send(answer)));
    expect(replies.map(({ status }) => status)).toEqual(flows.map(() => 200));
    expect(ran).toHaveLength(flows.length);
  });
});
