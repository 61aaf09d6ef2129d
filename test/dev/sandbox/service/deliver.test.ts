import { describe, expect, it } from '@jest/globals';
import type { SandboxOptions } from '../../../../lib/dev/sandbox/index.js';
import { refusingPort } from '../../../support/refusing-port.js';
import { type Reply, goodReply, reply } from '../customer.js';
import { aCustomer, post, sandbox, start } from '../open.js';
import { excerpt } from '../../../../lib/dev/sandbox/pages/problem.js';

const returnUrl = 'http://localhost:3000/identity/return?code=c';

/** Approves against a customer that answers so, and tells the pauses between the attempts. */
async function approve(answer: (nth: number) => Reply | 'reset', options: SandboxOptions = {}) {
  const waits: number[] = [];
  const lines: string[] = [];
  const { redirectUrl, callbacks } = await aCustomer(answer);
  const service = await sandbox({
    redirectUrl,
    wait: async (ms) => void waits.push(ms),
    log: (line) => lines.push(line),
    ...options,
  });
  const url = await start(service, { state: 'a-state-of-the-app' });
  const again = async () => await post(url, { decision: 'approve' });
  return { posted: await again(), waits, callbacks, again, lines };
}

const [date, later, past] = [0, 3, -3600].map((s) =>
  new Date(Date.UTC(2030, 4, 1, 12) + s * 1000).toUTCString(),
);
const busy = (headers: Record<string, string | undefined>): Reply => ({
  status: 503,
  headers: headers as Record<string, string>,
});

describe('A callback is sent again', () => {
  it.each<[string, readonly (Reply | 'reset')[], number[]]>([
    ...[500, 502, 503, 504, 429].map(
      (status) => [`${status}, twice`, [{ status }, { status }], [300, 1000]] as [string, Reply[], number[]],
    ),
    ['a broken connection', ['reset'], [300]],
    ['the seconds of Retry-After', [busy({ 'retry-after': '2' })], [2000]],
    ['the date of Retry-After', [busy({ date, 'retry-after': later })], [3000]],
    [
      'a date that has passed, an hour, and what is none',
      [busy({ date, 'retry-after': past }), busy({ 'retry-after': '3600' }), busy({ 'retry-after': 'soon' })],
      [0, 5000, 2500],
    ],
  ])('after %s', async (_what, answers, pauses) => {
    const { posted, waits, callbacks } = await approve((nth) => answers[nth - 1] ?? goodReply);
    expect(posted.location).toBe(returnUrl);
    expect(waits).toEqual(pauses);
    expect(new Set(callbacks.map(({ body }) => body.toString())).size).toBe(1);
  });

  it('soon where a date of Retry-After has no date of the reply beside it', async () => {
    const headers = { 'retry-after': String(later) };
    const { waits } = await approve(() => goodReply, {
      fetch: async () => await Promise.resolve(new Response('', { status: 503, headers })),
    });
    expect(waits).toEqual([300, 1000, 2500]);
  });

  it('four times at most', async () => {
    const { posted, waits, callbacks } = await approve(() => ({ status: 503 }));
    expect(posted.status).toBe(502);
    expect(posted.text).toContain('The app answered 503');
    expect(waits).toEqual([300, 1000, 2500]);
    expect(callbacks).toHaveLength(4);
  });
});

describe('A reply that does not do', () => {
  const json = { 'content-type': 'application/json' };
  const wrong: [string, Reply, string[]][] = [
    ['201', reply({ redirect_uri: returnUrl }, { status: 201 }), ['The app answered 201', 'it must be 200']],
    ['204', { status: 204 }, ['The app answered 204']],
    [
      '405, the return',
      reply({ error: 'method_not_allowed' }, { status: 405 }),
      ['The app answered 405', 'it must be its callback'],
    ],
    [
      '403, the start',
      reply({ error: 'cross_site' }, { status: 403 }),
      ['The app answered 403', 'it must be its callback'],
    ],
    ['302', { status: 302, headers: { location: '/login' } }, ['answered 302', 'does not follow redirects']],
    ['400', reply({ error: 'callback_malformed' }, { status: 400 }), ['answered 400', 'callback_malformed']],
    ['401', { status: 401 }, ['answered 401', 'A CSRF check, basic authentication']],
    ['403', { status: 403 }, ['answered 403', 'A CSRF check, basic authentication']],
    ['404', { status: 404, body: 'Cannot POST' }, ['answered 404', '--callback', 'Cannot POST']],
    [
      'HTML',
      { headers: { 'content-type': 'text/html' }, body: '<b>Hi</b>' },
      ['content type text/html', 'Hi'],
    ],
    ['no content type', { body: '{}' }, ['content type (none)']],
    [
      'broken JSON',
      { headers: json, body: '{"redirect_uri"' },
      ['cannot be read as JSON', '{&quot;redirect'],
    ],
    ['JSON null', reply(null), ['has no redirect_uri']],
    ['a list', reply([returnUrl]), ['has no redirect_uri']],
    ['no redirect_uri', reply({ redirectUri: returnUrl }), ['has no redirect_uri']],
    ['redirect_uri as number', reply({ redirect_uri: 1 }), ['has no redirect_uri']],
    ['a relative redirect_uri', reply({ redirect_uri: '/return' }), ['not a full address']],
    ['a javascript: redirect_uri', reply({ redirect_uri: 'javascript:alert(1)' }), ['not a full address']],
    ['too large', { headers: json, body: ' '.repeat(65 * 1024) }, ['more than 64 kB']],
    ['not UTF-8', { headers: json, body: Buffer.from([0xff, 0xfe]) }, ['UTF-8']],
  ];
  it("405 of the app's own is not said to be a route of the kit", async () => {
    const { posted } = await approve(() => ({ status: 405, body: 'Not Allowed' }));
    expect(posted.text).toContain('The app answered 405');
    expect(posted.text).not.toContain('another route of the kit');
  });

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
    expect(text).toContain('Bad: [hidden] &amp;amp; [hidden] [hidden] wwwwwwwww</pre');
    expect(text).not.toContain('a-state-of-the-app');
    expect(text).not.toContain(echo);
    expect(text).not.toContain('eyJ');
    expect(text).not.toContain('b{}');
  });

  it('is quoted to a length', async () => {
    const { posted } = await approve(() => ({ status: 400, body: 'word '.repeat(500) }));
    expect(posted.text).toContain('word …');
    expect(posted.text.replace(/<style>[^]*<\/style>/, '').length).toBeLessThan(2_000);
  });
});

describe('A Redirect URL that does not answer', () => {
  it('refused connection: tried four times, then the page names --callback', async () => {
    const redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
    const { posted, waits } = await approve(() => goodReply, { redirectUrl });
    expect(posted.status).toBe(502);
    for (const words of ['The app could not be reached', 'ECONNREFUSED', '--callback']) {
      expect(posted.text).toContain(words);
    }
    expect(waits).toHaveLength(3);
  });

  it.each([
    [new TypeError('fetch failed'), 'no reason given by the network'],
    [new TypeError('fetch failed', { cause: { errors: [{ code: 'ENETDOWN' }] } }), 'ENETDOWN'],
    [new TypeError('fetch failed', { cause: { code: 'not a code' } }), 'no reason given by the network'],
  ])('another network fault (%s)', async (fault, words) => {
    const { posted } = await approve(() => goodReply, { fetch: async () => await Promise.reject(fault) });
    expect(posted.text).toContain(words);
  });

  it('a callback that was lost on purpose: the page leads back to the app, and offers no second loss', async () => {
    const service = await sandbox();
    const { redirectUrl, callbacks } = await aCustomer();
    service.redirectUrl = redirectUrl;
    const { text } = await post(await start(service), { decision: 'scenario', scenario: 'callback_lost' });
    const { origin, host } = new URL(redirectUrl);
    expect(text).toContain('<h1>The callback was lost</h1>');
    expect(text).toContain(`href="${origin}/">Back to ${host}</a>`);
    expect(text).not.toContain('Send the callback again');
    expect(callbacks).toEqual([]);
  });

  it('too late: one attempt, and the page says so', async () => {
    let calls = 0;
    const { posted } = await approve(() => goodReply, {
      timeout: 1,
      fetch: async () => {
        calls += 1;
        return await new Promise<never>(() => {});
      },
    });
    expect([posted.status, calls]).toEqual([502, 1]);
    expect(posted.text).toContain('The app took too long');
  });
});

describe('The log', () => {
  it('tells how a delivery went, without a secret', async () => {
    const { again, lines } = await approve((nth) => (nth === 1 ? { status: 404 } : goodReply));
    await again();
    expect(lines.slice(-2)).toEqual([
      expect.stringMatching(/^✗ given_name refused \(The app answered 404\) {2}http:.*\/timeline\/[\w-]+$/),
      expect.stringMatching(/^✓ given_name verified {2}http:.*\/timeline\/[\w-]+$/),
    ]);
    expect(lines.join()).not.toContain('a-state-of-the-app');
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
