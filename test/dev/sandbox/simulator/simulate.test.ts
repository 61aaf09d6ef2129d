import { afterEach, describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import type { SimulatedScenario } from '../../../../lib/dev/sandbox/simulator/simulate.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { type Identity, type Running, startApp } from '../../../support/app.js';
import { impatience } from '../impatience.js';
import { sandbox } from '../open.js';

const running: Running[] = [];

afterEach(async () => {
  await Promise.all(running.splice(0).map(async (it) => await it.close()));
});

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
  running.push(made);
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

  it('mistake 1: onError ignores declines', async () => {
    const it = await app({ onError: () => ({ redirectTo: '/' }) });
    expect(failed(await run(it, ['approve', 'declined']))).toEqual([
      {
        scenario: 'declined',
        did: expect.stringContaining('200 at /'),
        fix: expect.stringContaining('In onError'),
      },
    ]);
  });

  it('mistake 2: the guard is left off', async () => {
    expect(failed(await run(await app({}, false)))).toEqual([
      {
        scenario: 'guard',
        did: expect.stringContaining('/club opens'),
        fix: expect.stringContaining('identity.require()'),
      },
    ]);
  });

  it('mistake 3: appUrl is wrong', async () => {
    const it = await app({ appUrl: 'http://localhost:1' });
    expect(failed(await run(it))).toEqual([
      {
        scenario: 'start',
        did: expect.stringContaining('origin_not_allowed'),
        fix: expect.stringContaining(`Set appUrl or APP_URL to ${it.url}`),
      },
    ]);
  });

  it.each(['onVerified', 'onSuccess'])('mistake 4: the hook %s throws', async (hook) => {
    const it = await app({
      [hook]: () => {
        throw new Error('a mistake');
      },
    });
    expect(failed(await run(it, ['approve', 'declined']))).toEqual([
      {
        scenario: 'approve',
        did: expect.stringContaining('hook_failed'),
        fix: expect.stringContaining('A hook throws'),
      },
    ]);
  });

  it("mistake 5: confirm: 'callback' with no binding", async () => {
    const it = await app({ confirm: 'callback', keep: undefined, successRedirect: '/' });
    const found = failed(await run(it, ['approve', 'return_other_browser']));
    expect(found.map(({ scenario }) => scenario)).toEqual(['approve', 'return_other_browser']);
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
    ['https://shop.example/club', 'Name the address twice'],
    ['shop', 'must be an http or https URL'],
    ['http://127.0.0.1:1/club', 'Nothing answers'],
  ])('%s: %s', async (url, words) => {
    const [row] = await run(await app(), [], url);
    expect(row?.problem).toContain(words);
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
    expect(await (await fetch(`${url}/simulate`)).text()).toContain(
      '<option value="callback_twice_at_once">',
    );
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
    expect(text).toContain('All is as it should be');
    const [wrong, page] = await post({ url: 'https://shop.example/' });
    expect([wrong, page.includes('Name the address twice')]).toEqual([400, true]);
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
