import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as httpRequest } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { createApp } from '../../bridge/app.js';
import { createLog } from '../../bridge/log.js';
import { memoryStore } from '../../bridge/kit.js';
import { closeAfter } from '../support/close-after.js';
import { refusingPort } from '../support/refusing-port.js';
import { serve } from '../support/serve.js';
import { wrongRequests } from '../support/wrong-requests.js';
import { apiKey, openScene, type Scene, settingsFor, stubs } from './scene.js';
import { euStub } from './stubs/eu-verifier.js';

let states = 0;

/** A good request with a new state, but for a change. */
const request = (change: Readonly<Record<string, unknown>> = {}) => {
  states += 1;
  return {
    issuer: 'de-ausweis',
    revealed: ['given_name'],
    state: `state-number-${states}-of-this-test`,
    ...change,
  };
};

async function prove(
  { bridgeUrl }: Pick<Scene, 'bridgeUrl'>,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const reply = await fetch(`${bridgeUrl}/prove`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json', ...headers },
    body:
      typeof body === 'string' ? body : Buffer.isBuffer(body) ? new Uint8Array(body) : JSON.stringify(body),
  });
  const json = (await reply.json()) as {
    success: boolean;
    redirect_url: string;
    error?: Record<string, string>;
  };
  return { status: reply.status, ...json };
}

const refusal = (status: number, error: string) => ({
  status,
  success: false,
  error: { error, error_description: expect.any(String) },
});

describe('POST /prove', () => {
  it.each(wrongRequests(request))('%s: %d %s', async (_what, status, code, body) => {
    const scene = await openScene('eu');
    expect(await prove(scene, body)).toEqual(refusal(status, code));
    expect(scene.stub.stub.calls).toEqual([]);
  });

  it.each([
    ['base', {}],
    ['with derived attributes, and none asked for', { derived: {} }],
  ])('the variant %s', async (_variant, change) => {
    const scene = await openScene('eu');
    const { status, success, redirect_url: page } = await prove(scene, request(change));
    expect([status, success, page.startsWith(`${scene.bridgeUrl}/verify/`)]).toEqual([200, true, true]);
  });

  it('nothing can be derived: 400 error_invalid_attribute, which says what to do', async () => {
    const refused = await prove(await openScene('eu'), request({ derived: { nationality: 'DE' } }));
    expect(refused).toEqual(refusal(400, 'error_invalid_attribute'));
    expect(refused.error?.['error_description']).toContain('reveal nationality');
  });

  it('another content type: 400, one with a charset: 200, another method: 405', async () => {
    const scene = await openScene('eu');
    const [text, utf8] = ['text/plain', 'application/json; charset=utf-8'];
    expect(await prove(scene, request(), { 'content-type': text })).toEqual(
      refusal(400, 'error_invalid_body'),
    );
    expect((await prove(scene, request(), { 'content-type': utf8 })).status).toBe(200);
    const { status, headers } = await fetch(`${scene.bridgeUrl}/prove`);
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('a state for the second time, or of half a character: 400', async () => {
    const scene = await openScene('eu');
    const body = request();
    expect((await prove(scene, body)).status).toBe(200);
    expect(await prove(scene, body)).toEqual(refusal(400, 'error_invalid_body'));
    const half = JSON.stringify(request()).replace('state-number', '\\ud800-number');
    expect(await prove(scene, half)).toEqual(refusal(400, 'error_invalid_body'));
  });

  it.each([
    ['no key', '', 'error_api_key'],
    ['another scheme', `Basic ${apiKey}`, 'error_api_key'],
    ['a wrong key', 'Bearer wrong', 'error_api_key'],
    ['an account without a redirectUrl', 'Bearer not-set-up', 'error_account'],
  ])('%s: 401, before the body is judged', async (_what, authorization, code) => {
    expect(await prove(await openScene('eu'), '{', { authorization })).toEqual(refusal(401, code));
  });

  it('a verifier that does not start: 500 error_internal, and the state may be tried again', async () => {
    const scene = await openScene('eu');
    const body = request();
    scene.stub.stub.mood = 'down';
    expect(await prove(scene, body)).toEqual(refusal(500, 'error_internal'));
    scene.stub.stub.mood = 'well';
    expect((await prove(scene, body)).status).toBe(200);
  });
});

describe('a verifier that cannot be used', () => {
  /** A bridge in front of it: what it answers, and its log. */
  async function behind(stub: Parameters<typeof settingsFor>[0]) {
    const lines: string[] = [];
    const bridgeUrl = await serve(
      createApp(settingsFor(stub, 'https://shop.example/identity/callback'), {
        publicUrl: 'https://id.shop.example',
        store: memoryStore(),
        secrets: ['for this test alone, and for no other one'],
        log: createLog({ write: (line) => void lines.push(line) }),
      }),
    );
    return { refused: await prove({ bridgeUrl }, request()), lines };
  }

  it('is not there: the log says why', async () => {
    const stub = await stubs.eu();
    const { refused, lines } = await behind({ ...stub, url: `http://127.0.0.1:${await refusingPort()}` });
    expect(refused).toEqual(refusal(500, 'error_internal'));
    expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 'warn', why: 'ECONNREFUSED', msg: 'the verifier fails' },
      { level: 'warn', why: 'ECONNREFUSED', code: 'error_internal', msg: 'refused' },
    ]);
  });

  it('answers with a link that fits no QR code: it does not start', async () => {
    const stub = await euStub({ walletUrl: `haip-vp://${'x'.repeat(3_000)}` });
    closeAfter(stub.close);
    expect((await behind(stub)).refused).toEqual(refusal(500, 'error_internal'));
  });
});

describe('GET /nonce', () => {
  const nonceOf = async ({ bridgeUrl }: Scene, state: string, key = apiKey) => {
    const reply = await fetch(`${bridgeUrl}/nonce/${hash('sha256', state, 'base64url')}`, {
      headers: { authorization: `Bearer ${key}` },
    });
    return [reply.status, await reply.json()];
  };

  it('is what the wallet signs: the digest of the state at the EU verifier', async () => {
    const scene = await openScene('eu');
    const { state } = request();
    await prove(scene, request({ state }));
    expect(await nonceOf(scene, state)).toEqual([200, { nonce: hash('sha256', state, 'base64url') }]);
  });

  it('of EUDIPLO is known once a wallet has answered', async () => {
    const scene = await openScene('eudiplo');
    const { state } = request();
    await prove(scene, request({ state }));
    expect(await nonceOf(scene, state)).toEqual([404, {}]);
  });

  it('of another account, and of a state that nobody used: 404; without a key: 401', async () => {
    const scene = await openScene('eu');
    const { state } = request();
    await prove(scene, request({ state }));
    expect(await nonceOf(scene, 'another')).toEqual([404, {}]);
    expect((await nonceOf(scene, state, 'not-set-up'))[0]).toBe(401);
    expect((await nonceOf(scene, state, 'wrong'))[0]).toBe(401);
  });

  it('two accounts may have one state', async () => {
    const bankKey = 'the-key-of-the-bank';
    const scene = await openScene('eu', { accounts: [[apiKey], [bankKey]] });
    const { state } = request();
    const [shop, bank] = [
      await prove(scene, request({ state })),
      await prove(scene, request({ state }), { authorization: `Bearer ${bankKey}` }),
    ];
    expect([shop.status, bank.status]).toEqual([200, 200]);
    expect((await nonceOf(scene, state, bankKey))[0]).toBe(200);
  });
});

describe('POST /hook', () => {
  it('without the key of the job: 404, and nothing is stored', async () => {
    const scene = await openScene('eudiplo');
    const flow = await scene.begin();
    for (const name of [hash('sha256', flow.page.split('/').at(-1) ?? '', 'base64url'), 'nobody']) {
      const hook = `${scene.bridgeUrl}/hook/${name}`;
      expect((await fetch(hook, { method: 'POST', body: '{}' })).status).toBe(404);
    }
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual({ kept: 'ERIKA' });
  });

  it('without the key: answered before anything of the body is read', async () => {
    const { bridgeUrl } = await openScene('eudiplo');
    const headers = { 'content-length': '500000' };
    const posted = httpRequest(`${bridgeUrl}/hook/nobody`, { method: 'POST', headers });
    posted.write('{');
    const [reply] = (await once(posted, 'response')) as [IncomingMessage];
    expect(reply.statusCode).toBe(404);
    posted.destroy();
  });
});
