import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { closeAfter } from '../support/close-after.js';
import { endOf, openScene } from './scene.js';
import { euStub } from './stubs/eu-verifier.js';

// What versions of the verifiers do differently, and what is not theirs.

const isVerified = { kept: 'ERIKA' };
const isWaiting = { status: 200, title: 'Shop asks for your identity' };
const isSending = { status: 202, title: 'Your answer is on its way to Shop' };

async function euOf(version: 2025 | 2026) {
  const stub = await euStub({ version });
  closeAfter(stub.close);
  return stub;
}

describe('the EU verifier', () => {
  it.each([2025, 2026] as const)(
    'F135 of %d serves a wallet that GETs and one that POSTs',
    async (version) => {
      const stub = await euOf(version);
      const it = await openScene(stub);
      const flow = await it.begin(); // it POSTs, as the link says
      await flow.opened.send(await flow.opened.respond());
      expect(await flow.end()).toEqual(isVerified);
      for (const method of ['GET', 'POST']) {
        await it.app.start(it.app.browser());
        const waiting = stub.waiting().at(-1) ?? '';
        const got = await fetch(new URL(waiting).searchParams.get('request_uri') ?? '', { method });
        const request = got.ok ? decodeJwt(await got.text()) : {};
        expect([method, got.status, request]).toMatchObject([method, 200, { response_type: 'vp_token' }]);
      }
      expect(it.stub.stub.wrong).toEqual([]);
    },
  );

  it('F135 of 2025 is asked in its own words from then on', async () => {
    const it = await openScene(await euOf(2025));
    await it.begin();
    await it.begin();
    expect(it.stub.stub.calls.filter((call) => call === 'start')).toHaveLength(3);
  });

  it('F136 hands out a request once: the page says what to do', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    const again = await fetch(new URL(flow.link).searchParams.get('request_uri') ?? '', { method: 'POST' });
    expect(again.status).toBe(400);
    expect(flow.shown.text).toContain('says that the request was used, cancel and start again');
  });

  it('F141 a 404 of somebody in between ends no job; its own, which is empty, does', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    it.stub.stub.mood = 'not found';
    expect(await flow.end()).toEqual(isWaiting);
    expect(it.lines.at(-1)).toContain('"why":"The result was answered with 404","msg":"the verifier fails"');
    it.stub.stub.mood = 'well';
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
  });
});

describe('EUDIPLO', () => {
  const eudiplo = async (change: object, sameDevice = false) => {
    const it = await openScene('eudiplo', { sameDevice });
    Object.assign(it.stub.stub, change);
    return it;
  };

  it('F141 a 404 of somebody in between ends no job', async () => {
    const it = await eudiplo({});
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    it.stub.stub.mood = 'not found';
    expect(await flow.end()).toEqual(isWaiting);
    expect(it.lines.at(-1)).toContain('"why":"The session was answered with 404","msg":"the verifier fails"');
    it.stub.stub.mood = 'well';
    expect(await flow.end()).toEqual(isVerified);
  });

  it.each([
    ['of May 2026', { statusCode: 500, message: 'Could not find any entity of type "Session" matching: {}' }],
    ['of newer versions', { statusCode: 404, message: 'Not Found' }],
  ])('a session that it does not know, in the words %s: timed_out', async (_version, unknown) => {
    const it = await eudiplo({ unknown });
    const flow = await it.begin();
    it.stub.forget();
    expect(await flow.end()).toEqual({ error: 'timed_out' });
  });

  it.each([
    [{ errorReason: 'Presentation validation failed: Verify Error: JWT is expired' }],
    [{ failureCode: 'credential_expired' }],
    [{ presentationFailureCode: 'credential_expired' }],
  ])('F144 an expired credential that it refuses (%j) is credential_expired in the app', async (refuses) => {
    const it = await eudiplo({ refuses });
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual({ error: 'credential_expired' });
  });

  it('F143 says why it refuses: the log has its reason, cut, and without what could be a credential', async () => {
    const token = `eyJ${'x'.repeat(200)}`;
    const it = await eudiplo({
      refuses: { errorReason: `Presentation validation failed: no key\n${token} fits` },
    });
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual({ error: 'service_error' });
    expect(it.lines.join('\n')).toContain(
      '"answer":"verification_failed","reason":"Presentation validation failed: no key … fits"',
    );
  });

  it.each(['cancelled', 'another word'])('F146 a session that is %s does not wait', async (status) => {
    const it = await eudiplo({});
    const flow = await it.begin();
    Object.assign(it.stub.stub, { shows: { status } });
    expect(await flow.end()).toEqual({ error: 'timed_out' });
  });

  it('F146 a version that hides the code is asked whether one is right, once', async () => {
    const it = await eudiplo({ hidesCode: true }, true);
    const flow = await it.begin();
    const { body } = await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isWaiting);
    expect(await flow.end(`${flow.page}?response_code=guessed`)).toEqual(isWaiting);
    expect(await endOf(it.app.browser(), body.redirect_uri ?? '')).toMatchObject({ status: 403 });
    expect(await flow.end(body.redirect_uri)).toEqual(isVerified);
    expect(it.callbacks.count).toBe(1);
  });

  it('F146 a post without a proof of this session is no post: the one that follows counts', async () => {
    const it = await eudiplo({ postsFailures: true });
    const flow = await it.begin();
    const { url, key } = it.stub.hooks().at(-1) ?? {};
    const post = async (body: unknown) =>
      await fetch(String(url), {
        method: 'POST',
        headers: { 'x-bridge-key': String(key) },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
    for (const body of [
      'garbage',
      { status: 'failed', outcome: { result: 'failed' } },
      { session: 'of somebody else', credentials: [{ id: 'pid', rawToken: 'a proof' }] },
      { credentials: [{ id: 'pid', rawToken: 'a proof' }] },
      { credentials: [null] },
    ]) {
      expect((await post(body)).status).toBe(200);
    }
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
  });

  it('F146 its clock does not matter: a proof whose hook is late counts', async () => {
    const it = await eudiplo({ hookFails: true });
    const flow = await it.begin();
    const response = await flow.opened.respond();
    Object.assign(it.stub.stub, { consumedAt: '2020-01-01T00:00:00Z' });
    await flow.opened.send(response);
    expect(await flow.end()).toEqual(isSending);
    await it.stub.postLate();
    expect(await flow.end()).toEqual(isVerified);
  });
});
