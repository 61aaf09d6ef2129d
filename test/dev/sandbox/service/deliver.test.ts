import { describe, expect, it } from '@jest/globals';
import { refusingPort } from '../../../support/refusing-port.js';
import { type Reply, goodReply, reply } from '../customer.js';
import { aCustomer, post, sandbox, start } from '../open.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

/** Approves against a customer that answers so, and tells the pauses between the attempts. */
async function approve(answer: (nth: number) => Reply | 'reset') {
  const waits: number[] = [];
  const { redirectUrl, callbacks } = await aCustomer(answer);
  const service = await sandbox({
    redirectUrl,
    wait: async (ms) => {
      waits.push(ms);
    },
  });
  const posted = await post(await start(service, { state: 'a-state-of-the-app' }), { decision: 'approve' });
  return { posted, waits, callbacks };
}

describe('A callback is sent again', () => {
  it.each([500, 502, 503, 504, 429])('after %d', async (status) => {
    const { posted, waits, callbacks } = await approve((nth) => (nth < 3 ? { status } : goodReply));
    expect(posted.location).toBe(returnUrl);
    expect(waits).toEqual([300, 1000]);
    expect(new Set(callbacks.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('after a broken connection', async () => {
    const { posted, waits } = await approve((nth) => (nth === 1 ? 'reset' : goodReply));
    expect(posted.location).toBe(returnUrl);
    expect(waits).toEqual([300]);
  });

  it('after the seconds of Retry-After', async () => {
    const busy = { status: 503, headers: { 'retry-after': '2' } };
    const { posted, waits } = await approve((nth) => (nth === 1 ? busy : goodReply));
    expect(posted.location).toBe(returnUrl);
    expect(waits).toEqual([2000]);
  });

  it('after the date of Retry-After', async () => {
    const headers = { date: 'Wed, 01 May 2030 12:00:00 GMT', 'retry-after': 'Wed, 01 May 2030 12:00:03 GMT' };
    const { waits } = await approve((nth) => (nth === 1 ? { status: 503, headers } : goodReply));
    expect(waits).toEqual([3000]);
  });

  it('at once where the date has passed, and never after more than five seconds', async () => {
    const date = 'Wed, 01 May 2030 12:00:00 GMT';
    const past = { status: 503, headers: { date, 'retry-after': 'Wed, 01 May 2030 11:00:00 GMT' } };
    const long = { status: 503, headers: { 'retry-after': '3600' } };
    const odd = { status: 503, headers: { 'retry-after': 'soon' } };
    const { waits } = await approve((nth) => [past, long, odd][nth - 1] ?? goodReply);
    expect(waits).toEqual([0, 5000, 2500]);
  });

  it('soon where a date of Retry-After has no date of the reply beside it', async () => {
    const waits: number[] = [];
    const headers = { 'retry-after': 'Wed, 01 May 2030 12:00:03 GMT' };
    const service = await sandbox({
      redirectUrl: 'http://localhost:3000/identity/callback',
      fetch: async () => await Promise.resolve(new Response('', { status: 503, headers })),
      wait: async (ms) => {
        waits.push(ms);
      },
    });
    await post(await start(service), { decision: 'approve' });
    expect(waits).toEqual([300, 1000, 2500]);
  });

  it('four times at most', async () => {
    const { posted, waits, callbacks } = await approve(() => ({ status: 503 }));
    expect(posted.status).toBe(502);
    expect(posted.text).toContain('The app answered 503');
    expect(posted.text).toContain('It was tried four times.');
    expect(waits).toEqual([300, 1000, 2500]);
    expect(callbacks).toHaveLength(4);
  });
});

describe('A reply that does not do', () => {
  const json = { 'content-type': 'application/json' };
  const wrong: [string, Reply, string[]][] = [
    ['201', reply({ redirect_uri: returnUrl }, { status: 201 }), ['The app answered 201', 'it must be 200']],
    ['204', { status: 204 }, ['The app answered 204']],
    ['302', { status: 302, headers: { location: '/login' } }, ['answered 302', 'follows no redirects']],
    ['400', reply({ error: 'callback_malformed' }, { status: 400 }), ['answered 400', 'callback_malformed']],
    ['401', { status: 401 }, ['answered 401', 'log-in checks and CSRF']],
    ['403', { status: 403 }, ['answered 403', 'log-in checks and CSRF']],
    ['404', { status: 404, body: 'Cannot POST' }, ['answered 404', '--callback', 'Cannot POST']],
    [
      'HTML',
      { headers: { 'content-type': 'text/html' }, body: '<b>Hi</b>' },
      ['content type text/html', 'Hi'],
    ],
    ['no content type', { body: '{}' }, ['content type (none)']],
    ['broken JSON', { headers: json, body: '{"redirect_uri"' }, ['cannot be read as JSON', '{&#34;redirect']],
    ['JSON null', reply(null), ['has no redirect_uri']],
    ['a list', reply([returnUrl]), ['has no redirect_uri']],
    ['no redirect_uri', reply({ redirectUri: returnUrl }), ['has no redirect_uri']],
    ['redirect_uri as number', reply({ redirect_uri: 1 }), ['has no redirect_uri']],
    ['a relative redirect_uri', reply({ redirect_uri: '/return' }), ['not a full address']],
    ['a javascript: redirect_uri', reply({ redirect_uri: 'javascript:alert(1)' }), ['not a full address']],
    ['too large', { headers: json, body: ' '.repeat(65 * 1024) }, ['more than 64 kB']],
    ['not UTF-8', { headers: json, body: Buffer.from([0xff, 0xfe]) }, ['UTF-8']],
  ];
  it.each(wrong)('%s: 502 and a page that says so, sent once', async (_what, answer, words) => {
    const { posted, callbacks } = await approve(() => answer);
    expect(posted.status).toBe(502);
    expect(posted.location).toBeNull();
    for (const word of words) expect(posted.text).toContain(word);
    expect(posted.text).toContain('Send the callback again');
    expect(callbacks).toHaveLength(1);
  });

  it('is quoted without state, presentation, tags or anything that looks like a secret', async () => {
    let echo = '';
    const { redirectUrl, callbacks } = await aCustomer(() => ({
      status: 400,
      headers: { 'content-type': 'text/html' },
      body: `<style>b{}</style><p>Bad: ${echo} &amp; a-state-of-the-app ${callbacks.at(-1)?.body.get('presentation')} ${'w'.repeat(9)}`,
    }));
    echo = 'x'.repeat(43);
    const url = await start(await sandbox({ redirectUrl }), { state: 'a-state-of-the-app' });
    const { text } = await post(url, { decision: 'approve' });
    expect(text).toContain('Bad: [hidden] &#38;amp; [hidden] [hidden] wwwwwwwww</pre');
    expect(text).not.toContain('a-state-of-the-app');
    expect(text).not.toContain(echo);
    expect(text).not.toContain('eyJ');
    expect(text).not.toContain('b{}');
  });

  it('is quoted to a length', async () => {
    const { posted } = await approve(() => ({ status: 400, body: 'word '.repeat(500) }));
    expect(posted.text).toContain('word …');
    expect(posted.text.length).toBeLessThan(9000);
  });
});

describe('A Redirect URL that does not answer', () => {
  it('refused connection: tried four times, then the page names --callback', async () => {
    const redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
    const waits: number[] = [];
    const service = await sandbox({
      redirectUrl,
      wait: async (ms) => {
        waits.push(ms);
      },
    });
    const { status, text } = await post(await start(service), { decision: 'approve' });
    expect(status).toBe(502);
    expect(text).toContain('The app could not be reached');
    expect(text).toContain('ECONNREFUSED');
    expect(text).toContain('--callback');
    expect(waits).toHaveLength(3);
  });

  it.each([
    [new TypeError('fetch failed'), 'no reason given by the network'],
    [new TypeError('fetch failed', { cause: { errors: [{ code: 'ENETDOWN' }] } }), 'ENETDOWN'],
    [new TypeError('fetch failed', { cause: { code: 'not a code' } }), 'no reason given by the network'],
  ])('another network fault (%s)', async (fault, words) => {
    const service = await sandbox({
      redirectUrl: 'http://localhost:3000/identity/callback',
      fetch: async () => await Promise.reject(fault),
    });
    expect((await post(await start(service), { decision: 'approve' })).text).toContain(words);
  });

  it('too late: one attempt, and the page says so', async () => {
    let calls = 0;
    const service = await sandbox({
      redirectUrl: 'http://localhost:3000/identity/callback',
      timeout: 1,
      fetch: async () => {
        calls += 1;
        return await new Promise<never>(() => {});
      },
    });
    const { status, text } = await post(await start(service), { decision: 'approve' });
    expect([status, calls]).toEqual([502, 1]);
    expect(text).toContain('The app took too long');
  });
});

describe('The log', () => {
  it('tells how a delivery went, without a secret', async () => {
    const lines: string[] = [];
    const { redirectUrl } = await aCustomer((nth) => (nth === 1 ? { status: 404 } : goodReply));
    const service = await sandbox({ redirectUrl, log: (line) => lines.push(line) });
    const url = await start(service, { state: 'the-secret-state-of-this-flow' });
    await post(url, { decision: 'approve' });
    await post(url, { decision: 'approve' });
    expect(lines.slice(1)).toEqual(['callback failed: The app answered 404', 'callback 200']);
    expect(lines.join()).not.toContain('the-secret-state-of-this-flow');
  });
});
