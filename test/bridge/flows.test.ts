import { describe, expect, it } from '@jest/globals';
import { linkIn, openRequest, respond } from '../../lib/dev/sandbox/wallet/wallet.js';
import { sha256 } from '../../lib/internal/sha256.js';
import type { Deviation } from '../support/foreign-wallet.js';
import { createBrowser } from '../support/browser.js';
import { endOf, openScene, type Scene, stubs } from './scene.js';

// What may happen between a wallet and an app with the bridge between them. Wallet, kit and encryption are real; a stub
// fails the test for a call that the verifier would not know.

const verifiers = Object.keys(stubs) as (keyof typeof stubs)[];
const troubles = ['down', 'nonsense', 'endless', 'late'] as const;
const isVerified = { kept: 'ERIKA' };
const isWaiting = { status: 200, title: expect.stringContaining('asks for your identity') };
const isElsewhere = { status: 403, title: 'This page is open in another browser' };
const cameBackElsewhere = { status: 403, title: 'Your wallet came back in another browser' };

async function scene(verifier: keyof typeof stubs, sameDevice = false): Promise<Scene> {
  return await openScene(verifier, { sameDevice });
}

describe.each(verifiers)('%s', (verifier) => {
  it('other device: the page goes on by itself', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    expect(await flow.end()).toEqual(isWaiting);
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
    expect([it.callbacks.count, it.stub.stub.wrong]).toEqual([1, []]);
  });

  it('same device: the wallet sends the browser back', async () => {
    const it = await scene(verifier, true);
    const flow = await it.begin();
    const { body } = await flow.opened.send(await flow.opened.respond());
    expect(await flow.end(body.redirect_uri)).toEqual(isVerified);
    expect([it.callbacks.count, it.stub.stub.wrong]).toEqual([1, []]);
  });

  it.each([false, true])('the wallet says no, same device %s: not_shared', async (sameDevice) => {
    const it = await scene(verifier, sameDevice);
    const flow = await it.begin();
    const { body } = await flow.opened.decline();
    expect(await flow.end(body.redirect_uri)).toEqual({ error: 'not_shared' });
    expect([it.callbacks.count, it.stub.stub.wrong]).toEqual([1, []]);
  });

  it.each([false, true])('the built-in wallet of the sandbox, same device %s', async (sameDevice) => {
    const it = await scene(verifier, sameDevice);
    Object.assign(it.stub.stub, { handsOutAgain: true }); // two wallets open the request here
    const flow = await it.begin();
    const { signal } = new AbortController();
    const { searchParams } = new URL(flow.link);
    const request = await openRequest(linkIn(searchParams), it.stub.access.anchors, signal);
    let proof = '';
    await flow.opened.respond({ tamper: (presentation) => (proof = presentation) });
    expect(await flow.end(await respond(request, proof, signal))).toEqual(isVerified);
  });

  // The stub of the EU verifier lets every proof pass; EUDIPLO compares the nonce, and not the audience.
  const refused = verifier === 'eu' ? 'presentation_invalid' : 'service_error';

  it('a proof with another nonce is refused', async () => {
    const flow = await (await scene(verifier)).begin();
    await flow.opened.send(await flow.opened.respond({ nonce: 'n'.repeat(43) }));
    expect(await flow.end()).toEqual({ error: refused });
  });

  it("another flow's proof is refused", async () => {
    const it = await scene(verifier);
    const [one, other] = [await it.begin(), await it.begin()];
    let proof = '';
    await one.opened.respond({ tamper: (presentation) => (proof = presentation) });
    await other.opened.send(await other.opened.respond({ tamper: () => proof }));
    expect(await other.end()).toEqual({ error: refused });
  });

  it('a proof for another audience passes the verifier, and is refused by the app', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond({ audience: 'x509_san_dns:somebody-else.example' }));
    expect(await flow.end()).toEqual({ error: 'presentation_invalid' });
    expect(it.app.events).toContainEqual(expect.objectContaining({ check: 'B08' }));
  });

  it.each<[string, Deviation]>([
    ['bound to another credential', { sdHash: sha256('another') }],
    ['that an attacker bound anew', { tamper: (proof) => `${proof.slice(0, -8)}AAAAAAAA` }],
    ['with a disclosure that was changed', { forge: (credential) => credential.replace(/~(.)/, '~x$1') }],
    ['whose issuer did not sign it', { forge: (credential) => credential.replace('.', '.e30') }],
    ['made an hour ago', { issuedAt: -3_600 }],
  ])('a proof %s passes the verifier, and is refused by the app', async (_what, deviation) => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond(deviation));
    const { error } = (await flow.end()) as { error?: string };
    expect(error).toMatch(/^presentation_(invalid|expired)$/);
    expect(it.app.events).not.toContainEqual(expect.objectContaining({ type: 'flow.verified' }));
  });

  it('a proof without what was asked for is refused by the app', async () => {
    const flow = await (await scene(verifier)).begin();
    await flow.opened.send(await flow.opened.respond({ drops: true }));
    expect(await flow.end()).toEqual({ error: 'attributes_missing' });
  });

  it('nobody answers: the page tells the app, while the app still knows of it', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    it.clock.forward(9 * 60_000);
    expect(await flow.end()).toEqual({ error: 'timed_out' });
    expect(await flow.end()).toEqual({ error: 'timed_out' });
    expect(it.callbacks.count).toBe(1);
  });

  it('nobody opens the page again: the job leaves, and its page says so', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.clock.forward(10 * 60_000);
    expect(await flow.end()).toEqual({ status: 404, title: 'This page is over' });
    expect(it.callbacks.count).toBe(0);
  });

  it('Cancel leads back to the app, which hears that it was declined', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    const { status, location } = await flow.browser.post(flow.page, {});
    expect([status, location]).toEqual([303, flow.page]);
    await flow.opened.send(await flow.opened.respond()); // too late
    expect(await flow.end()).toEqual({ error: 'declined' });
    expect(it.callbacks.count).toBe(1);
  });

  it('Cancel after the wallet has answered changes nothing', async () => {
    const flow = await (await scene(verifier)).begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
    await flow.browser.post(flow.page, {});
    expect((await flow.browser.get(flow.page)).location).toContain('/identity/return?code=');
  });

  it('a second browser sees nothing and cancels nothing; the first one goes on', async () => {
    const flow = await (await scene(verifier)).begin();
    const other = createBrowser();
    expect(await endOf(other, flow.page)).toEqual(isElsewhere);
    expect((await other.post(flow.page, {})).status).toBe(403);
    await flow.opened.send(await flow.opened.respond());
    expect(await endOf(other, flow.page)).toEqual(isElsewhere);
    expect(await flow.end()).toEqual(isVerified);
  });

  it('a look ahead does not own the page', async () => {
    const it = await scene(verifier);
    const page = await it.app.start(createBrowser());
    expect((await fetch(page, { method: 'HEAD' })).status).toBe(204);
    expect((await fetch(page, { headers: { 'sec-purpose': 'prefetch' } })).status).toBe(204);
    expect(await endOf(createBrowser(), page)).toEqual(isWaiting);
  });

  it("the app's return address in another browser is held, and released in the right one", async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    const { location = '' } = await flow.browser.get(flow.page);
    const thief = await createBrowser().get(location);
    expect([thief.status, thief.location, thief.text.includes('ERIKA')]).toEqual([200, undefined, false]);
    expect(await flow.end()).toEqual(isVerified);
  });

  it('same device: who sends the link to somebody gets nothing of what their wallet answers', async () => {
    const it = await scene(verifier, true);
    const attacker = await it.begin();
    const { body } = await attacker.opened.send(await attacker.opened.respond());
    expect(await endOf(createBrowser(), body.redirect_uri ?? '')).toEqual(cameBackElsewhere);
    expect(await attacker.end()).toEqual(isWaiting);
    expect(await attacker.end(`${attacker.page}?response_code=guessed`)).toEqual(isWaiting);
    expect(it.callbacks.count).toBe(0);
  });

  it("same device: another flow's response code opens nothing, and the own one is sent once", async () => {
    const it = await scene(verifier, true);
    const [one, other] = [await it.begin(), await it.begin()];
    const { body } = await one.opened.send(await one.opened.respond());
    await other.opened.send(await other.opened.respond());
    const code = new URL(body.redirect_uri ?? '').search;
    expect(await other.end(other.page + code)).toEqual(isWaiting);
    expect(await one.end(one.page + code)).toEqual(isVerified);
    const again = await one.browser.get(one.page + code);
    expect(again.location).toContain('/identity/return?code=');
    expect(it.callbacks.count).toBe(1);
  });

  it('an app that is down, or busy, hears it at a later reload', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    const isSending = { status: 202, title: expect.stringContaining('is on its way') };
    for (const mood of ['down', 500, 502, 503, 504, 429] as const) {
      it.callbacks.mood = mood;
      expect(await flow.end()).toEqual(isSending);
    }
    it.callbacks.mood = 'well';
    expect(await flow.end()).toEqual(isVerified);
    expect(it.callbacks.count).toBe(7);
    const looks = it.stub.stub.calls.filter((call) => call === (verifier === 'eu' ? 'result' : 'session'));
    expect(looks).toHaveLength(2); // before the wallet answered, and after: the answer is kept
  });

  it.each([400, 404, 302, 200])('an app that answers %d is not asked again', async (status) => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.callbacks.mood = status;
    const isRefused = { status: 502, title: expect.stringContaining('could not take your answer') };
    expect([await flow.end(), await flow.end()]).toEqual([isRefused, isRefused]);
    expect(it.callbacks.count).toBe(1);
  });

  it.each([404, 200])('an app that answers %d with a whole website is not asked again', async (status) => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    Object.assign(it.callbacks, { mood: status, text: 'x'.repeat(100_000) });
    const isRefused = { status: 502, title: expect.stringContaining('could not take your answer') };
    expect([await flow.end(), await flow.end()]).toEqual([isRefused, isRefused]);
    expect(it.callbacks.count).toBe(1);
  });

  it.each(troubles)('a verifier that is %s at the start: 500', async (mood) => {
    const it = await scene(verifier);
    it.stub.stub.mood = mood;
    const shown = await it.app
      .browser()
      .post(`${it.app.url}/identity/start`, undefined, { accept: 'application/json' });
    expect(shown.json()).toMatchObject({ error: 'error_internal' });
    it.stub.stub.mood = 'well';
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
  });

  it.each(troubles)('a verifier that is %s at the result: the page waits', async (mood) => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.stub.stub.mood = mood;
    expect(await flow.end()).toEqual(isWaiting);
    expect(it.lines.at(-1)).toContain('the verifier fails');
    it.stub.stub.mood = 'well';
    expect(await flow.end()).toEqual(isVerified);
  });

  it('a verifier that was started anew, and knows nothing: timed_out, and the next flow works', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    it.stub.forget();
    expect(await flow.end()).toEqual({ error: 'timed_out' });
    const next = await it.begin();
    await next.opened.send(await next.opened.respond());
    expect(await next.end()).toEqual(isVerified);
  });

  it('of a proof that the app has taken, nothing is kept', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    let proof = '';
    await flow.opened.send(await flow.opened.respond({ tamper: (presentation) => (proof = presentation) }));
    it.callbacks.mood = 503;
    await flow.end();
    expect(await it.kept(flow.page)).toContain(proof);
    it.callbacks.mood = 'well';
    expect(await flow.end()).toEqual(isVerified);
    expect(await it.kept(flow.page)).toContain('"answer":"taken"');
    expect(await it.kept(flow.page)).not.toContain(proof);
  });

  it('the log names no secret and nobody', async () => {
    const it = await scene(verifier);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    await flow.end();
    expect(it.lines).toHaveLength(verifier === 'eu' ? 3 : 4);
    const log = it.lines.join('\n');
    for (const secret of [
      flow.page.split('/').at(-1) ?? '',
      'ERIKA',
      'MUSTERMANN',
      flow.opened.request.nonce,
    ]) {
      expect(log).not.toContain(secret);
    }
  });
});

it('eu: a proof that lost its key binding is refused by the app', async () => {
  const stub = await stubs.eu();
  const it = await openScene(stub);
  const flow = await it.begin();
  let proof = '';
  await flow.opened.respond({ tamper: (presentation) => (proof = presentation) });
  stub.answerAll(proof.slice(0, proof.lastIndexOf('~') + 1));
  expect(await flow.end()).toEqual({ error: 'presentation_invalid' });
});

it('eudiplo: a nonce that two jobs share is no answer', async () => {
  const it = await scene('eudiplo');
  Object.assign(it.stub.stub, { drawNonce: () => 'the-same-nonce-for-every-request' });
  const [one, other] = [await it.begin(), await it.begin()];
  for (const { opened } of [one, other]) await opened.send(await opened.respond());
  expect(await one.end()).toEqual(isVerified);
  expect(await other.end()).toEqual({ error: 'service_error' });
  expect(it.lines.join()).toContain('"answer":"nonce_reused"');
});

it('eudiplo: a proof that came before somebody cancelled is not kept', async () => {
  const it = await scene('eudiplo');
  const flow = await it.begin();
  let proof = '';
  await flow.opened.send(await flow.opened.respond({ tamper: (presentation) => (proof = presentation) }));
  expect(await it.kept(flow.page)).toContain(proof);
  await flow.browser.post(flow.page, {});
  expect(await it.kept(flow.page)).not.toContain(proof);
  expect(await flow.end()).toEqual({ error: 'declined' });
});

it('F146 eudiplo: a proof that did not reach the bridge is told a minute later, with the address', async () => {
  const it = await scene('eudiplo');
  Object.assign(it.stub.stub, { hookFails: true });
  const flow = await it.begin();
  await flow.opened.send(await flow.opened.respond());
  const isSending = { status: 202, title: 'Your answer is on its way to Shop' };
  expect(await flow.end()).toEqual(isSending); // and not the code again
  it.clock.forward(59_000);
  expect(await flow.end()).toEqual(isSending);
  it.clock.forward(1_000);
  expect(await flow.end()).toEqual({ error: 'service_error' });
  expect(it.lines.join()).toContain(
    `"answer":"proof_lost","reason":"the verifier has posted nothing to ${it.bridgeUrl}/hook/`,
  );
});

it.each(['token', 'query', 'offer'])('eudiplo: away at the step %s: the next start works', async (step) => {
  const it = await scene('eudiplo');
  it.stub.stub.failsAt = step;
  const start = `${it.app.url}/identity/start`;
  const refused = await it.app.browser().post(start, undefined, { accept: 'application/json' });
  expect(refused.json()).toMatchObject({ error: 'error_internal' });
  expect(it.stub.stub.calls.at(-1)).toBe(step);
  it.stub.stub.failsAt = '';
  const flow = await it.begin();
  await flow.opened.send(await flow.opened.respond());
  expect(await flow.end()).toEqual(isVerified);
});

it('eudiplo: its own session is over first: timed_out', async () => {
  const it = await scene('eudiplo');
  const flow = await it.begin();
  Object.assign(it.stub.stub, { shows: { status: 'expired' } });
  expect(await flow.end()).toEqual({ error: 'timed_out' });
});
