import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import type { SimulatedScenario } from '../../../../lib/dev/sandbox/simulator/simulate.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { certify, pemOf } from '../../../../lib/dev/sandbox/issuers/certificates.js';
import { type Identity, type Running, startApp } from '../../../support/app.js';
import { closeAfter } from '../../../support/close-after.js';
import { impatience } from '../impatience.js';
import { sandbox } from '../open.js';

async function app(options: Record<string, unknown> = {}, guarded = true): Promise<Running> {
  const { log, fetch: impatient } = impatience();
  const service = await sandbox({ log });
  const made = await startApp({
    sandbox: service,
    options: {
      keep: () => 'kept',
      fetch: impatient,
      derived: { nationality: 'DE' },
      ...options,
    },
    after(express: Express, identity: Identity) {
      express.get('/', (_req, res) => res.send('Welcome'));
      if (guarded && options['confirm'] === undefined) express.use('/club', identity.require());
      if (options['confirm'] === 'callback')
        express.use('/club', (_req, res) => {
          res.redirect(303, '/identity/start?returnTo=/club');
        });
      express.get('/club', (_req, res) => res.send('The club'));
    },
  });
  service.redirectUrl = `${made.url}/identity/callback`;
  return made;
}

async function run(it: Running, scenarios: readonly string[] = [], url = `${it.url}/club`) {
  const response = await fetch(`${it.sandbox.url}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, scenarios }),
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SimulatedScenario & { readonly problem?: string });
}

const failed = (rows: readonly SimulatedScenario[]) =>
  rows.flatMap(({ scenario, passed, did, fix }) => (passed ? [] : [{ scenario, did, fix }]));

describe('simulate', () => {
  it('finds nothing wrong with a good app, in any scenario', async () => {
    const rows = await run(await app());
    expect(failed(rows)).toEqual([]);
    expect(rows.map(({ scenario }) => scenario)).toEqual(scenarioIds);
  }, 60_000);

  it('the same with the German issuer, where the service states the answer', async () => {
    const rows = await run(await app({ issuer: 'de-ausweis' }));
    expect(failed(rows)).toEqual([]);
    expect(rows.filter((row) => row.leftOut).map(({ scenario }) => scenario)).toEqual([
      'revoked',
      'status_unreachable',
    ]);
  }, 60_000);

  it('the same where only the start is known, and with the German issuer', async () => {
    const it = await app({ issuer: 'de-ausweis', derived: undefined });
    const rows = await run(
      it,
      ['approve', 'declined', 'revoked', 'keys_unreachable', 'derived_true'],
      it.url,
    );
    expect(failed(rows)).toEqual([]);
    expect(rows.filter((row) => row.leftOut).map(({ scenario }) => scenario)).toEqual([
      'keys_unreachable',
      'derived_true',
    ]);
  });

  const throws = (): never => {
    throw new Error('a mistake');
  };
  it.each<[string, object, string[], [scenario: string, did: string, fix: string]]>([
    [
      'mistake 1: onError hides a failed start',
      { onError: () => ({ redirectTo: '/' }) },
      ['approve', 'prove_500'],
      ['prove_500', '200 at /', ''],
    ],
    ['mistake 2: the guard is left off', {}, [], ['guard', '/club opens', 'identity.require()']],
    [
      'mistake 3: appUrl is wrong',
      { appUrl: 'http://localhost:1' },
      [],
      ['start', 'origin_not_allowed', 'Set appUrl or APP_URL to '],
    ],
    ...['onVerified', 'onSuccess'].map((hook): [string, object, string[], [string, string, string]] => [
      `mistake 4: the hook ${hook} throws`,
      { [hook]: throws },
      ['approve', 'declined'],
      ['approve', 'hook_failed', 'A hook or keep threw'],
    ]),
  ])('%s', async (what, options, scenarios, [scenario, did, fix]) => {
    const it = await app({ ...options }, !what.includes('guard'));
    const address = scenario === 'start' ? it.url : '';
    expect(failed(await run(it, scenarios))).toEqual([
      { scenario, did: expect.stringContaining(did), fix: expect.stringContaining(fix + address) },
    ]);
  });

  it("mistake 5: confirm: 'callback' with no binding", async () => {
    const it = await app({ confirm: 'callback', keep: undefined, successRedirect: '/' });
    const ofReturn = ['return_other_browser', 'return_code_tampered'];
    const found = failed(await run(it, ['approve', ...ofReturn]));
    expect(found.map(({ scenario }) => scenario)).toEqual(['approve', ...ofReturn]);
    for (const { fix } of found) expect(fix).toContain("confirm: 'callback'");
  });

  it('an app that does not ask this sandbox gets nothing hostile', async () => {
    const other = await sandbox();
    const it = await app();
    const asked: string[] = [];
    it.app.use((req, _res, next) => {
      asked.push(req.url);
      next();
    });
    const response = await fetch(`${other.url}/simulate`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url: it.url }),
    });
    const rows = (await response.text()).trim().split('\n');
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({
      scenario: 'start',
      passed: false,
      fix: expect.stringContaining('leads elsewhere'),
    });
  });

  it.each([
    ['https://shop.example/club', 'give the address twice'],
    ['shop', 'must be an http or https URL'],
    ['http://127.0.0.1:1/club', 'Nothing responds'],
  ])('%s: %s', async (url, words) => {
    const [row] = await run(await app(), [], url);
    expect(row?.problem).toContain(words);
  });

  it('a certificate that is not trusted is not taken for silence', async () => {
    const from = Math.floor(Date.now() / 1000);
    const issuer = certify({ name: 'An authority', from });
    const certificate = certify({ name: 'localhost', from, issuer, dnsName: 'localhost' });
    const key = certificate.privateKey.export({ type: 'pkcs8', format: 'pem' });
    const server = createServer({ cert: pemOf(certificate), key }).listen(0, '127.0.0.1');
    closeAfter(() => server.close());
    await once(server, 'listening');
    const url = `https://localhost:${(server.address() as AddressInfo).port}`;
    const [row] = await run(await app(), [], `${url}/club`);
    expect(row?.problem).toContain(
      `The certificate of ${url} is not trusted (UNABLE_TO_VERIFY_LEAF_SIGNATURE)`,
    );
  });

  it('an unknown scenario is named, with what was meant', async () => {
    const [row] = await run(await app(), ['decline']);
    expect(row?.problem).toContain('Did you mean declined?');
  });
});

describe('GET /scenarios and the page', () => {
  it('list the catalogue', async () => {
    const { url } = await sandbox();
    const listed = (await (await fetch(`${url}/scenarios`)).json()) as Record<string, { says: string }>;
    expect(Object.keys(listed)).toEqual(scenarioIds);
    expect(listed['declined']?.says).toBe('The person declines.');
    expect(await (await fetch(`${url}/simulate`)).text()).toMatch(
      /<option value="callback_twice_at_once"\s*>/,
    );
  });

  it('P14 the scenarios are a page for browsers', async () => {
    const { url } = await sandbox();
    const page = await (
      await fetch(`${url}/scenarios`, { headers: { accept: 'text/html,*/*;q=0.8' } })
    ).text();
    const linked = [...page.matchAll(/href="\/simulate\?scenario=(\w+)"/g)].map(([, id = '']) => id);
    expect(linked.toSorted()).toEqual(scenarioIds.toSorted());
    expect(page).toContain('The person declines.');
    const form = await (await fetch(`${url}/simulate?scenario=declined`)).text();
    expect(form).toMatch(/<option value="declined" selected\s*>/);
  });

  it('P14 streams its rows with their count; the figures come last, and the stylesheet puts failures first', async () => {
    const it = await app({ onError: () => ({ redirectTo: '/' }) });
    const body = new URLSearchParams({ url: it.url });
    const response = await fetch(`${it.sandbox.url}/simulate`, { method: 'POST', body });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('<li class="failed">') || !text.includes('2 of 44'))
      text += (await reader?.read())?.value ?? '';
    expect(text).toContain('Playing …');
    expect(text).toContain('the guard is not tried');
    expect(text).not.toContain('class="summary"');
    await reader?.cancel();
    expect(text).toMatch(/<li class="failed">\s*<p class="head">\s*<strong>prove_\w+<\/strong>/);
    expect(text).toMatch(/\.results \.failed \{ order: -1; \}/);
    const next = await fetch(`${it.sandbox.url}/simulate`, {
      method: 'POST',
      body: new URLSearchParams({ url: `${it.url}/club`, scenario: 'approve' }),
    });
    const page = await next.text(); // the one that nobody read any more has ended
    expect(page).toMatch(/class="summary"><p role="status"><strong>\d+ passed\.<\/strong>/);
    expect(page).not.toContain('guard is not tried');
  });

  it('run a scenario and show what came of it', async () => {
    const it = await app();
    const post = async (form: Record<string, string>, headers: Record<string, string> = {}) => {
      const body = new URLSearchParams(form);
      const response = await fetch(`${it.sandbox.url}/simulate`, { method: 'POST', headers, body });
      return [response.status, await response.text()] as const;
    };
    const [status, text] = await post({ url: `${it.url}/club`, scenario: 'declined' });
    expect(status).toBe(200);
    expect(text).toMatch(/\d+ passed\./);
    const [wrong, page] = await post({ url: 'https://shop.example/' });
    expect([wrong, page.includes('give the address twice')]).toEqual([400, true]);
    expect((await post({ url: it.url }, { origin: 'https://evil.example' }))[0]).toBe(403);
    expect(
      (
        await fetch(`${it.sandbox.url}/simulate`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: '{"colour":1}',
        })
      ).status,
    ).toBe(400);
  });
});
