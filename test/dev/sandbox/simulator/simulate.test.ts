import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { Express } from 'express';
import { dataOfPage } from '../../../../lib/dev/sandbox/simulator/data-addresses.js';
import type { SimulatedScenario } from '../../../../lib/dev/sandbox/simulator/simulate.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { isAtLeast } from '../../../../lib/service/is-at-least.js';
import { certify, pemOf } from '../../../../lib/dev/sandbox/issuers/certificates.js';
import { type Identity, type Running, startApp, startsAmong } from '../../../support/app.js';
import { closeAfter } from '../../../support/close-after.js';
import { impatience } from '../impatience.js';
import { deep } from '../../../support/deep.js';
import { sandbox } from '../open.js';

async function app(
  options: Record<string, unknown> = {},
  guarded = true,
  require: Parameters<Identity['require']>[0] = {},
): Promise<Running> {
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
      if (guarded && options['confirm'] === undefined) express.use('/club', identity.require(require));
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

async function run(
  it: Running,
  scenarios: readonly string[] = [],
  url = `${it.url}/club`,
  more: { readonly expectMinor?: 'refused' } = {},
) {
  const response = await fetch(`${it.sandbox.url}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, scenarios, ...more }),
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SimulatedScenario & { readonly problem?: string });
}

const failed = (rows: readonly SimulatedScenario[]) =>
  rows.flatMap(({ scenario, passed, did, fix }) => (passed ? [] : [{ scenario, did, fix }]));

describe('simulate', () => {
  it('a guard that lets in whom the derived result says, and nobody else, is right', async () => {
    const keep = ({ derived }: { derived: { nationality: boolean } }) => ({ german: derived.nationality });
    const allow = ({ german }: { german: boolean }) => german;
    const it = await app({ keep, allow });
    const rows = await run(it, ['derived_true', 'derived_false']);
    expect(rows.map(({ passed }) => passed)).toEqual([true, true]);
    expect(rows[1]?.did).toContain('identity_insufficient at /club; the guarded page stays closed');
  });

  deep.test(
    'finds nothing wrong with a good app, in any scenario, and notes at last that Leon gets in',
    async () => {
      const rows = await run(await app());
      expect(failed(rows)).toEqual([]);
      expect(rows.map(({ scenario }) => scenario)).toEqual([...scenarioIds, 'minor']);
      const note =
        'note: the guarded page opens for Leon, who is 17. If it is only for adults, give the question allow.';
      expect(rows.at(-1)).toMatchObject({ passed: true, did: note });
    },
    60_000,
  );

  deep.test(
    'the same with the German issuer, where the service states the answer',
    async () => {
      const rows = await run(await app({ issuer: 'de-ausweis' }));
      expect(failed(rows)).toEqual([]);
      expect(rows.filter((row) => row.leftOut).map(({ scenario }) => scenario)).toEqual([
        'revoked',
        'status_unreachable',
      ]);
    },
    60_000,
  );

  deep.test(
    'of an app that asks for the date of birth, Leon comes last: where the page must refuse him, it passes or fails',
    async () => {
      const keep = ({ attributes }: { attributes: { birth_date: string } }) => ({
        adult: isAtLeast(attributes.birth_date, 18),
      });
      const options = { reveal: ['birth_date'], keep, derived: undefined };
      const allow = (kept: unknown): boolean => (kept as { adult: boolean }).adult;
      const last = async (it: Running, more?: { expectMinor: 'refused' }) => {
        const rows = await run(it, [], undefined, more);
        expect(rows.map(({ of }) => of)).toEqual(rows.map(() => rows.length));
        return rows.at(-1);
      };
      expect(await last(await app(options), { expectMinor: 'refused' })).toMatchObject({
        passed: false,
        did: 'The guarded page opens for Leon, who is 17.',
        fix: expect.stringContaining('allow: ({ adult }) => adult. Every identity.require()'),
      });
      expect(await last(await app({ ...options, allow }), { expectMinor: 'refused' })).toMatchObject({
        scenario: 'minor',
        passed: true,
        did: 'The guarded page stays closed for Leon, who is 17.',
      });
      // An error keeps Leon out, and no rule.
      const forAdults = { atMost: '8h', for: ({ adult }: { adult: boolean }) => adult && '8h' };
      expect(await last(await app({ ...options, keepFor: forAdults }))).toMatchObject({
        scenario: 'minor',
        passed: false,
        fix: expect.stringContaining('A hook or keep threw'),
      });
    },
    120_000,
  );

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
    expect(rows.find(({ scenario }) => scenario === 'derived_true')?.did).toBe(
      'It needs a question with derived: { nationality }, which a service answers with yes or no.',
    );
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

  it('a guard whose allow refuses the person: the fix asks whether that is right', async () => {
    const it = await app({}, true, { allow: () => false });
    expect(failed(await run(it, ['approve']))).toEqual([
      {
        scenario: 'approve',
        did: 'identity_insufficient at /club; the guarded page stays closed.',
        fix: "The allow of the question or of the guard refused the sandbox's person. Is that right? If not, compare what keep returns with what allow reads (a nationality is a list: attributes.nationality.includes('DE')). If it is right, run pidgate dev with a --person whom the page admits.",
      },
    ]);
  });

  it('a page behind a log-in: the fix names the log-in, and the form says that the robot has none', async () => {
    const it = await app();
    it.app.get('/login', (_req, res) => res.send('Who are you?'));
    it.app.get('/door', (_req, res) => {
      res.redirect(303, '/login?next=/door');
    });
    expect(failed(await run(it, ['approve'], `${it.url}/door`))).toEqual([
      {
        scenario: 'approve',
        did: expect.stringContaining('the guarded page stays closed'),
        fix: 'The verification succeeded, but /door leads to /login. If that is a log-in, name a page that needs none: the robot does not log in.',
      },
    ]);
  });

  it("mistake 5: confirm: 'callback' with no binding", async () => {
    const it = await app({ confirm: 'callback', keep: undefined, successRedirect: '/' });
    const ofReturn = ['return_other_browser', 'return_code_tampered'];
    const found = failed(await run(it, ['approve', ...ofReturn]));
    expect(found.map(({ scenario }) => scenario)).toEqual(['approve', ...ofReturn]);
    for (const { fix } of found) expect(fix).toContain("confirm: 'callback'");
  });

  /** The good app, and what a framework answers beside it. */
  async function appWith(answers: Readonly<Record<string, readonly [number, string, string]>>) {
    const it = await app();
    it.app.use((req, res) => {
      const [status, type, body] = answers[req.url] ?? answers['*'] ?? [404, 'text/html', 'Nothing here'];
      res.status(status).type(type).send(body);
    });
    return it;
  }
  const page = (body: string): readonly [number, string, string] => [404, 'text/html', body];
  const ofPagesRouter = page('<script src="/_next/static/a.js"></script>{"buildId":"b-1","page":"/_error"}');
  const ofAppRouter = page('<script src="/_next/static/a.js"></script>[1,"{\\"c\\":[],\\"b\\":\\"b-1\\"}"]');
  const json = (body: object): readonly [number, string, string] => [
    200,
    'application/json',
    JSON.stringify(body),
  ];

  it.each([
    ['React Router', '/club.data', { '/club.data': [200, 'text/x-script', '[{"_1":2}]'] as const }],
    [
      "Next's pages router",
      '/_next/data/b-1/club.json',
      { '*': ofPagesRouter, '/_next/data/b-1/club.json': json({ pageProps: { prices: 9 } }) },
    ],
    [
      "Next's app router beside it",
      '/_next/data/b-1/club.json',
      { '*': ofAppRouter, '/_next/data/b-1/club.json': json({ pageProps: {} }) },
    ],
  ])('the data of a guarded page is served elsewhere: %s', async (_, address, answers) => {
    const it = await appWith(answers);
    expect(await run(it, ['approve'])).toEqual([
      expect.objectContaining({
        scenario: 'guard',
        passed: false,
        did: `${address} hands the data of /club to a browser that has not verified anything.`,
        fix: expect.stringContaining('identity.of(req)'),
      }),
    ]);
    expect(startsAmong(it.events)).toEqual([]);
  });

  it.each([
    ['a loader that redirects', { '/club.data': [202, 'text/x-script', '[]'] as const }],
    ['the fallback of a single-page app', { '*': [200, 'text/html', '<div id="app">'] as const }],
    [
      'getServerSideProps that redirects',
      {
        '*': ofPagesRouter,
        '/_next/data/b-1/club.json': json({ pageProps: { __N_REDIRECT: '/identity/start' } }),
      },
    ],
  ])('the data of a guarded page is not served elsewhere, with %s', async (_, answers) => {
    const rows = await run(await appWith(answers), ['approve']);
    expect(rows).toEqual([expect.objectContaining({ scenario: 'approve', passed: true, at: 1, of: 1 })]);
  });

  it('says that it could not look, where no page names the build of Next', async () => {
    const rows = await run(await appWith({ '*': page('<script src="/_next/static/a.js">') }), ['approve']);
    expect(rows).toEqual([
      expect.objectContaining({
        scenario: 'guard',
        passed: true,
        leftOut: true,
        did: expect.stringContaining('neither a public page nor .next/BUILD_ID names the build'),
        at: 1,
        of: 2,
      }),
      expect.objectContaining({ scenario: 'approve', passed: true, at: 2, of: 2 }),
    ]);
  });

  it.each([
    ['/club/_.data', 'text/x-script', '[]', true],
    ['/club/index.pageContext.json', 'application/json', '{"pageId":"/pages/club","data":{}}', true],
    ['/club/index.pageContext.json', 'application/json', '{"_urlRedirect":{"url":"/identity/start"}}', false],
  ])('below a page too, which a guard by app.get does not see: %s, %s %s', async (at, type, text, isOpen) => {
    const headers = new Headers({ 'content-type': type });
    const ask = (path: string) => Promise.resolve(path === at ? { status: 200, headers, text } : undefined);
    expect(await dataOfPage('/club/', ask, tmpdir())).toEqual(isOpen ? { open: at } : {});
  });

  it('reads the build of Next from the folder in which it runs', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-next-'));
    closeAfter(async () => await rm(folder, { recursive: true }));
    await mkdir(join(folder, '.next'));
    await writeFile(join(folder, '.next/BUILD_ID'), 'b-2\n');
    const headers = new Headers({ 'content-type': 'application/json' });
    const answer = (path: string) =>
      path === '/_next/data/b-2/club.json?a=1'
        ? { status: 200, headers, text: '{"pageProps":{}}' }
        : undefined;
    const ask = (path: string) => Promise.resolve(answer(path));
    expect(await dataOfPage('/club?a=1', ask, folder)).toEqual({ open: '/_next/data/b-2/club.json?a=1' });
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

  it('minor is one by its name: the page opens for Leon, or stays closed', async () => {
    const [row, ...others] = await run(await app(), ['minor']);
    expect([row?.scenario, row?.passed, others]).toEqual(['minor', true, []]);
    expect(row?.did).toContain('the guarded page opens for Leon, who is 17');
  });

  it('a page that leads to itself with a slash, as express.static does, is played there', async () => {
    const it = await app();
    it.app.get('/members', (req, res, next) =>
      req.path.endsWith('/') ? next() : res.redirect(301, '/members/'),
    );
    it.app.get('/members/', it.identity.require(), (_req, res) => void res.send('in'));
    expect(failed(await run(it, ['approve'], `${it.url}/members`))).toEqual([]);
  });
});
