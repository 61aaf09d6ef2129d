import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { X509Certificate, createHash } from 'node:crypto';
import { excerpt } from '../../../../lib/dev/sandbox/pages/problem.js';
import { germanFlow, headingOf } from '../german.js';
import { timelineOf } from '../open.js';
import { type Encryption, type Leg, encrypt, fitting, legOf } from '../leg.js';

const leg = async (options: Parameters<typeof germanFlow>[0] = {}): Promise<Leg> =>
  await legOf(await germanFlow(options));

async function send(to: Leg, form: Record<string, string> | string, headers: Record<string, string> = {}) {
  const response = await fetch(to.request.response_uri, {
    method: 'POST',
    headers,
    body: typeof form === 'string' ? form : new URLSearchParams(form),
  });
  return { status: response.status, body: (await response.json()) as Record<string, string> };
}

describe('The request object', () => {
  it('says all that OpenID4VP 1.0 and HAIP want, and nothing of the interface’s state', async () => {
    const { request, header, flow } = await leg({ request: { revealed: ['given_name', 'nationality'] } });
    expect(header).toEqual({ alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: [expect.any(String)] });
    expect(request).toMatchObject({
      aud: 'https://self-issued.me/v2',
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      nonce: createHash('sha256').update(flow.state).digest('base64url'),
      dcql_query: {
        credentials: [
          {
            id: 'pid',
            format: 'dc+sd-jwt',
            meta: { vct_values: ['urn:eudi:pid:de:1'] },
            claims: [{ path: ['given_name'] }, { path: ['nationalities', null] }],
          },
        ],
      },
      client_metadata: {
        jwks: { keys: [{ kty: 'EC', crv: 'P-256', alg: 'ECDH-ES', use: 'enc', kid: expect.any(String) }] },
        encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
        vp_formats_supported: { 'dc+sd-jwt': expect.anything() },
      },
    });
    expect(request).not.toHaveProperty('redirect_uri');
    expect(JSON.stringify(request)).not.toContain(flow.state);
  });

  it('is signed by the certificate that the client id names; the anchor is not sent along', async () => {
    const { request, header, flow } = await leg();
    const leaf = new X509Certificate(Buffer.from(header.x5c?.[0] ?? '', 'base64'));
    expect(request.client_id).toBe(`x509_hash:${createHash('sha256').update(leaf.raw).digest('base64url')}`);
    const [anchor = ''] = flow.service.accessAnchors;
    expect(leaf.verify(new X509Certificate(anchor).publicKey)).toBe(true);
    expect(leaf.checkHost(new URL(request.response_uri).hostname)).toBe('localhost');
  });

  it('x509_san_dns names the host of the response address', async () => {
    const { request } = await leg({ clientIdPrefix: 'x509_san_dns' });
    expect(request.client_id).toBe(`x509_san_dns:${new URL(request.response_uri).hostname}`);
  });

  it('has ids and a key that no other address of the job and no other job has', async () => {
    const one = await leg();
    const other = await leg({ service: one.flow.service });
    const ids = [one, other].flatMap(({ flow, requestUri, request }) =>
      [flow.page, requestUri, request.response_uri].map((url) => url.split('/').at(-1)),
    );
    expect(new Set(ids).size).toBe(6);
    const keys = [one, other].map(({ request }) => request.client_metadata.jwks.keys[0]);
    expect(keys[0]?.['x']).not.toBe(keys[1]?.['x']);
  });

  it('can be fetched by POST, which echoes wallet_nonce, and again until it is answered', async () => {
    const it = await leg();
    const body = new URLSearchParams({ wallet_nonce: 'the-nonce-of-the-wallet' });
    const response = await fetch(it.requestUri, { method: 'POST', body });
    expect(response.headers.get('content-type')).toBe('application/oauth-authz-req+jwt');
    expect(decodeJwt(await response.text())['wallet_nonce']).toBe('the-nonce-of-the-wallet');
    expect((await fetch(it.requestUri)).status).toBe(200);
    await send(it, { error: 'access_denied' });
    const gone = await fetch(it.requestUri);
    expect([gone.status, await gone.json()]).toEqual([
      404,
      { error: 'invalid_request', error_description: expect.stringContaining('was answered') },
    ]);
  });

  it.each([
    ['two nonces', 'wallet_nonce=a&wallet_nonce=b', 400],
    ['an empty nonce', 'wallet_nonce=', 400],
    ['a nonce of control characters', 'wallet_nonce=%00', 400],
    ['a nonce without end', `wallet_nonce=${'x'.repeat(600)}`, 400],
    ['seventeen parameters', Array.from({ length: 17 }, (_, at) => `p${at}=1`).join('&'), 413],
    ['more than 256 kB', `wallet_metadata=${'x'.repeat(257 * 1024)}`, 413],
  ])('refuses %s', async (_what, body, status) => {
    const { requestUri } = await leg();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    expect((await fetch(requestUri, { method: 'POST', headers, body })).status).toBe(status);
  });

  it('unknown ids, other methods and pages of other sites get an error of OpenID4VP, or 403', async () => {
    const { requestUri, request } = await leg();
    expect((await fetch(`${requestUri}x`)).status).toBe(404);
    expect((await fetch(requestUri, { method: 'DELETE' })).headers.get('allow')).toBe('GET, POST');
    expect((await fetch(request.response_uri)).headers.get('allow')).toBe('POST');
    expect((await fetch(requestUri, { headers: { 'sec-fetch-site': 'cross-site' } })).status).toBe(403);
    expect((await fetch(requestUri, { headers: { origin: 'https://evil.example' } })).status).toBe(403);
  });
});

describe('A response that does not do', () => {
  const one = 'eyJhbGciOiJFUzI1NiJ9.e30.c2ln';
  const refused: [string, Encryption | Record<string, string> | string, string][] = [
    ['an unencrypted success', { vp_token: '{"pid":["x"]}' }, 'must be encrypted'],
    ['neither response nor error', { state: 'x' }, 'one of response and error'],
    ['both of them', { response: 'x', error: 'access_denied' }, 'one of response and error'],
    ['a repeated response', 'response=a&response=b', 'repeated'],
    ['no JWE', { response: 'x' }, 'not a compact JWE'],
    ['alg ECDH-ES+A256KW', { header: { alg: 'ECDH-ES+A256KW' } }, 'alg must be ECDH-ES'],
    ['enc A192GCM', { header: { enc: 'A192GCM' } }, 'enc must be'],
    ['the kid of another key', { header: { kid: 'other' } }, "this request's key"],
    ['no JSON', { content: 'hello' }, 'cannot be decrypted, or is not JSON'],
    ['another id', { content: { vp_token: { passport: [`${one}~${one}`] } } }, 'pid alone'],
    ['two ids', { content: { vp_token: { ...fitting.vp_token, other: ['x'] } } }, 'pid alone'],
    [
      'two presentations',
      { content: { vp_token: { pid: [`${one}~${one}`, `${one}~${one}`] } } },
      'a list of one',
    ],
    ['a string in place of a list', { content: { vp_token: { pid: `${one}~${one}` } } }, 'a list of one'],
    ['no key binding', { content: { vp_token: { pid: [`${one}~`] } } }, 'with key binding'],
    ['nothing', { content: {} }, 'vp_token'],
  ];
  it.each(refused)('%s: 400, and the job goes on', async (_what, given, why) => {
    const it = await leg();
    const isForm = typeof given === 'string' || !('content' in given || 'header' in given);
    const form = isForm
      ? (given as Record<string, string>)
      : { response: await encrypt(it, given as Encryption) };
    const headers = typeof form === 'string' ? { 'content-type': 'application/x-www-form-urlencoded' } : {};
    expect(await send(it, form, headers)).toEqual({
      status: 400,
      body: { error: 'invalid_request', error_description: expect.stringContaining(why) },
    });
    expect(it.flow.callbacks).toHaveLength(0);
    expect((await send(it, { response: await encrypt(it) })).status).toBe(200);
    expect(it.flow.callbacks).toHaveLength(1);
  });

  it('zip is refused before anything is inflated', async () => {
    const it = await leg();
    const header = { ...decodeProtectedHeader(await encrypt(it)), zip: 'DEF' };
    const [, ...rest] = (await encrypt(it)).split('.');
    const jwe = [Buffer.from(JSON.stringify(header)).toString('base64url'), ...rest].join('.');
    expect((await send(it, { response: jwe })).body['error_description']).toBe('zip is not supported.');
  });

  it('a response to another job, encrypted with its key', async () => {
    const one = await leg();
    const other = await leg({ service: one.flow.service });
    expect((await send(other, { response: await encrypt(one) })).status).toBe(400);
  });

  it('another content type, and more than 256 kB', async () => {
    const it = await leg();
    expect((await send(it, 'x', { 'content-type': 'application/json' })).status).toBe(400);
    expect((await send(it, { response: 'x'.repeat(257 * 1024) })).status).toBe(413);
    expect(
      (
        await send(it, { response: await encrypt(it) }, { origin: 'https://evil.example' }).catch(() => ({
          status: 403,
        }))
      ).status,
    ).toBe(403);
  });

  it('five do not end a job, the sixth does, and the app hears of it', async () => {
    const it = await leg();
    for (let count = 1; count <= 6; count += 1) {
      expect((await send(it, { response: 'junk' })).status).toBe(400);
      expect(it.flow.callbacks).toHaveLength(count <= 5 ? 0 : 1);
    }
    expect(it.flow.callbacks[0]?.body.get('error')).toBe('verification_failed');
    expect((await send(it, { response: await encrypt(it) })).body['error_description']).toContain(
      'answered before',
    );
  });

  it('a second one that fits, also at the same moment', async () => {
    const it = await leg();
    const [one, other] = [await encrypt(it), await encrypt(it)];
    const both = await Promise.all([send(it, { response: one }), send(it, { response: other })]);
    expect(both.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    expect((await send(it, { response: one })).status).toBe(400);
    expect(it.flow.callbacks).toHaveLength(1);
  });

  it('after nine minutes: 404', async () => {
    let time = Date.now();
    const it = await leg({ clock: () => new Date(time) });
    time += 9 * 60 * 1000;
    expect((await send(it, { response: await encrypt(it) })).status).toBe(404);
  });

  it('where no Redirect URL is set: 503, and it may come again', async () => {
    const it = await leg();
    const url = it.flow.service.redirectUrl;
    it.flow.service.redirectUrl = undefined;
    expect((await send(it, { response: await encrypt(it) })).status).toBe(503);
    it.flow.service.redirectUrl = url;
    expect((await send(it, { response: await encrypt(it) })).status).toBe(200);
  });
});

describe('An error of a wallet', () => {
  it.each([
    ['access_denied', 'access_denied'],
    ['vp_formats_not_supported', 'verification_failed'],
    ['<script>', 'verification_failed'],
  ])('%s becomes %s, in the open or encrypted', async (error, code) => {
    for (const encrypted of [false, true]) {
      const it = await leg();
      const form = encrypted
        ? { response: await encrypt(it, { content: { error } }) }
        : { error, error_description: '<b>' };
      expect((await send(it, form as Record<string, string>)).status).toBe(200);
      expect([...(it.flow.callbacks[0]?.body.values() ?? [])]).toEqual([
        code,
        expect.any(String),
        it.flow.state,
      ]);
    }
  });
});

describe('What is kept of a wallet of somebody else', () => {
  it('is nothing: the callback cannot be copied, and the timeline hides it', async () => {
    const it = await leg();
    await send(it, { response: await encrypt(it) });
    const { path, text } = await timelineOf(it.flow.service);
    expect(headingOf(text)).toBe('Given name: verified');
    expect(text).not.toContain('curl');
    expect(text).not.toContain('c2ln');
    expect((await fetch(`${it.flow.service.url}${path}/curl`)).status).toBe(404);
  });
});

describe('The excerpt of a reply', () => {
  it.each([
    ['openings of style', '<style '],
    ['openings of tags', '<a '],
    ['white space', ' \n\t'],
    ['closings', '</style>'],
  ])('looks at 64 kB of %s once', (_what, piece) => {
    const reply = piece.repeat(Math.ceil((64 * 1024) / piece.length));
    const before = process.cpuUsage();
    expect(excerpt(reply, 'state').length).toBeLessThanOrEqual(402);
    const { user } = process.cpuUsage(before);
    expect(user).toBeLessThan(1_000_000); // it was 1.4 s on a quiet machine, and is some milliseconds
  });

  it('drops what no reader sees', () => {
    const page =
      '<title>Hidden</title><style>b{}</style><p>Seen&nbsp;<b>twice</b></p><script>alert(1)</script> 1 < 2';
    expect(excerpt(page, 'state')).toBe('Seen twice 1 < 2');
  });
});
