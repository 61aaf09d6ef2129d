import express from 'express';
import session from 'express-session';
import { describe, expect, it, test } from '@jest/globals';
import {
  createSandbox,
  type CompleteOptions,
  type WalletSandbox,
} from '../../../../lib/dev/sandbox/index.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { isAtLeast } from '../../../../lib/service/is-at-least.js';
import { appSecret, identityWith, startApp } from '../../../support/app.js';
import { closeAfter } from '../../../support/close-after.js';
import { foreignWallet, worldOf } from '../../../support/foreign-wallet.js';
import { linksOn } from '../../../support/wallets.js';
import { inMode } from '../../../support/mode.js';
import { pageSaying, wordsOf } from '../timeline/pages.js';

/** A sandbox that plays the wallet, until the test is over. */
async function walletSandbox(): Promise<WalletSandbox> {
  const sandbox = await createSandbox({ role: 'wallet' });
  closeAfter(async () => await sandbox.close());
  return sandbox;
}

/** The lines of the README, as an app under test. */
function clubOf(sandbox: WalletSandbox, more: object = {}) {
  const app = express();
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  const identity = identityWith({
    ...sandbox.options,
    reveal: ['birth_date'],
    keep: ({ attributes }: { attributes: { birth_date: string } }) => ({
      adult: isAtLeast(attributes.birth_date, 18),
    }),
    logger: false,
    ...more,
  });
  app.use('/identity', identity);
  const adults = identity.require({ allow: (kept) => (kept as { adult: boolean }).adult });
  app.get('/club', adults, (_req, res) => void res.send('Welcome'));
  return app;
}

const start = '/identity/start?returnTo=/club';

describe('a sandbox that plays the wallet', () => {
  it.each(['link', 'code'] as const)('complete, by %s: Erika gets in, and Leon does not', async (way) => {
    const sandbox = await walletSandbox();
    const app = clubOf(sandbox);
    const erika = await sandbox.complete(app, { start, way });
    expect([erika.error, await erika.response.text()]).toEqual([undefined, 'Welcome']);
    const leon = await sandbox.complete(app, { start, way, person: 'minor' });
    expect([leon.response.status, leon.error]).toEqual([403, 'identity_insufficient']);
  });

  it.each([
    ['invalid_signature', 'link', 'presentation_invalid'],
    ['invalid_signature', 'code', 'presentation_invalid'],
    ['wrong_key', 'link', 'presentation_invalid'],
    ['wrong_nonce', 'link', 'presentation_invalid'],
    ['wrong_audience', 'link', 'presentation_invalid'],
    ['expired', 'link', 'credential_expired'],
    ['revoked', 'link', 'credential_revoked'],
    ['status_unreachable', 'link', 'credential_status_unavailable'],
    ['missing_attribute', 'link', 'attributes_missing'],
    ['declined', 'link', 'not_shared'],
    ['declined', 'code', 'not_shared'],
  ] as const)('%s, by %s: %s', async (scenario, way, error) => {
    const sandbox = await walletSandbox();
    const visit = await sandbox.complete(clubOf(sandbox), { start, scenario, way });
    expect(visit.error).toBe(error);
  });

  it('its options have wallets and trust, and nothing of a service', async () => {
    const { options } = await walletSandbox();
    expect(Object.keys(options).toSorted()).toEqual(['appUrl', 'issuer', 'trust', 'wallets']);
  });

  it.each(['redirectUrl', 'issuer', 'url', 'variant', 'apiKey', 'wait'])(
    '%s is refused by its name',
    async (name) => {
      const options: object = { role: 'wallet', [name]: 'de-ausweis' };
      await expect(createSandbox(options)).rejects.toMatchObject({ code: 'config_invalid' });
      await expect(createSandbox(options)).rejects.toThrow(name);
    },
  );

  test('what a service alone can play is refused by its name', async () => {
    const sandbox = await walletSandbox();
    const refused = scenarioIds.filter((id) => {
      try {
        sandbox.next(id);
        return false;
      } catch (error) {
        return (error as Error).message.startsWith(`The scenario ${id} belongs to a service`);
      }
    });
    expect([scenarioIds.length, refused.length]).toEqual([44, 22]);
    const options: CompleteOptions = { scenario: 'callback_twice' };
    await expect(sandbox.complete(clubOf(sandbox), options)).rejects.toThrow('belongs to a service');
  });

  test('a service has no way', async () => {
    const sandbox = await createSandbox();
    closeAfter(async () => await sandbox.close());
    await expect(sandbox.complete(() => {}, { way: 'code' })).rejects.toThrow("role 'wallet'");
  });

  it('a page whose code is the only way links it too, for who has no other device', async () => {
    const sandbox = await walletSandbox();
    const visit = await sandbox.complete(clubOf(sandbox, { ways: ['code'] }), { start, way: 'code' });
    expect(await visit.response.text()).toBe('Welcome');
    await expect(sandbox.complete(clubOf(sandbox, { ways: ['code'] }), { start })).resolves.toMatchObject({
      error: undefined,
    });
  });

  it('a wallet of other libraries scans the code and gets in, with a PID of issuePids', async () => {
    const sandbox = await walletSandbox();
    const app = await startApp({ sandbox: sandbox as never });
    const wallet = await foreignWallet(worldOf(sandbox, sandbox.accessAnchors));
    const browser = app.browser();
    const page = await app.start(browser);
    const { code = '' } = linksOn((await browser.get(page)).text);
    expect(code).toMatch(/^openid4vp:\/\/\?client_id=x509_hash/);
    const opened = await wallet.open(code);
    expect(await opened.send(await opened.respond())).toEqual({ status: 200, body: {} });
    const back = await browser.visit((await browser.get(page)).location ?? '');
    expect(back.url).toBe(`${app.url}/`);
    expect(app.events.map(({ type }) => type)).toContain('flow.confirmed');
  });

  test.each([
    ['wallet', '18 or over'],
    ['service', 'Date of birth'],
  ] as const)('an age has the name by which the app asks for it: role %s', async (role, shared) => {
    const lines: string[] = [];
    const log = (line: string): void => void lines.push(line);
    const sandbox = role === 'wallet' ? await createSandbox({ role, log }) : await createSandbox({ log });
    closeAfter(async () => await sandbox.close());
    const options = { reveal: ['age_over_18'], keep: () => ({ adult: true }) };
    const app = await inMode(
      'development',
      async () => await startApp({ sandbox: sandbox as never, options }),
    );
    if ('redirectUrl' in sandbox) sandbox.redirectUrl = `${app.url}/identity/callback`;
    const played = await fetch(`${sandbox.url}/play`, { method: 'POST' });
    expect(wordsOf(await played.text())).toContain(
      `Erika Mustermann, born in 1964. Asked 18 or over Shared ${shared} Checked`,
    );
    const all = wordsOf(await pageSaying(sandbox, '/play', 'in this app for'));
    expect(all).toContain(`${shared}: in this app for `);
    const browser = app.browser();
    const page = await app.start(browser);
    const [, link = ''] =
      /href="(http:[^"]*\/wallet\?client_id=[^"]*)"/.exec((await browser.get(page)).text) ?? [];
    if (role === 'wallet') await fetch(link.replaceAll('&amp;', '&'));
    expect(lines).toEqual(['→ age_over_18 begins']);
  });

  describe('what a wallet of other libraries answers is in the log and the timeline', () => {
    /** An app in development, and the page of it that waits. */
    async function openClub() {
      const lines: string[] = [];
      const sandbox = await createSandbox({ role: 'wallet', log: (line) => lines.push(line) });
      closeAfter(async () => await sandbox.close());
      const keep = (): unknown => ({ adult: true });
      const app = await inMode(
        'development',
        async () => await startApp({ sandbox: sandbox as never, options: { reveal: ['age_over_18'], keep } }),
      );
      const wallet = await foreignWallet(worldOf(sandbox, sandbox.accessAnchors));
      const browser = app.browser();
      const page = await app.start(browser);
      const { code = '' } = linksOn((await browser.get(page)).text);
      return { app, browser, page, lines, sandbox, opened: async () => await wallet.open(code) };
    }

    /** The address at the end of a line of the log, and what is there. */
    async function timelineOf(sandbox: WalletSandbox, line = ''): Promise<string> {
      const [, path = ''] = /(\/timeline\/\S+)$/.exec(line) ?? [];
      return wordsOf(await pageSaying(sandbox, path, 'A wallet that is not part of the sandbox answered.'));
    }

    test('a refusal, by the check that the app tells, behind the link of its support code', async () => {
      const { app, browser, page, lines, sandbox, opened } = await openClub();
      const answer = await opened();
      await answer.send(await answer.respond({ nonce: 'of another flow' }));
      const { text } = await browser.get(page);
      const [, code = ''] = /([\w-]{9}) \(presentation_invalid\)/.exec(text) ?? [];
      const shown = await timelineOf(sandbox, `/timeline/${code}`);
      expect(shown).toContain('18 or over: refused by B07');
      expect(shown).toContain('Shared Not known here: another wallet answered.');
      expect(shown).toContain('By your app alone, which reports presentation_invalid . B07 must hold: ');
      expect(lines).toEqual([`✗ age_over_18 refused by B07  ${sandbox.url}/timeline/${code}`]);
      expect(app.events.map(({ type }) => type)).not.toContain('flow.verified');
    });

    test('the page that waits tells the developer of it too, and what it polls', async () => {
      const { browser, page, sandbox, opened } = await openClub();
      const answer = await opened();
      await answer.send(await answer.respond({ nonce: 'of another flow' }));
      const notices = [
        (await browser.get(page)).text,
        (await browser.get(page, { accept: 'application/json' })).text,
      ];
      for (const notice of notices)
        expect(notice).toContain('For the developer: B07: The nonce of the key binding JWT does not match.');
      expect(notices[0]).toMatch(
        new RegExp(`Every step and check: <a href="(${sandbox.url}/timeline/[\\w-]{9})">\\1</a>`),
      );
    });

    test('a yes, with what is stored, once the browser is back', async () => {
      const { browser, page, lines, sandbox, opened } = await openClub();
      const answer = await opened();
      await answer.send(await answer.respond());
      await browser.visit((await browser.get(page)).location ?? '');
      await pageSaying(sandbox, '/', '{&quot;adult&quot;:true}');
      expect(lines).toEqual([expect.stringMatching(/^✓ age_over_18 verified \{"adult":true\} {2}http/)]);
      const shown = await timelineOf(sandbox, lines[0]);
      expect(shown).toContain('Checked By your app alone. Stored {"adult":true}');
    });

    test('a decline, and a person who cancels on the page of the app', async () => {
      const { lines, sandbox, opened, browser, page } = await openClub();
      await (await opened()).decline();
      await pageSaying(sandbox, '/', 'declined');
      expect(lines).toEqual([expect.stringMatching(/^· age_over_18 declined {2}http/)]);
      await browser.post(page, {});
      await pageSaying(sandbox, '/', 'declined');
      expect(lines).toHaveLength(2);
    });
  });

  it('wallets that are other programs get PIDs and anchors over HTTP', async () => {
    const sandbox = await walletSandbox();
    const headers = { 'content-type': 'application/json' };
    const holder = { kty: 'EC', crv: 'P-256', x: 'AA', y: 'AA' };
    const order = { method: 'POST', headers, body: JSON.stringify({ holders: [holder], person: 'minor' }) };
    const { pids } = (await (await fetch(`${sandbox.url}/pids`, order)).json()) as { pids: string[] };
    expect(pids).toHaveLength(1);
    const anchors = await (await fetch(`${sandbox.url}/access-anchors.pem`)).text();
    expect(anchors).toBe(sandbox.accessAnchors.join(''));
    for (const body of ['{"holders":1}', '{"holders":[],"person":"nobody"}'])
      expect((await fetch(`${sandbox.url}/pids`, { ...order, body })).status).toBe(400);
  });

  it.each([
    ['', 'elsewhere'],
    ['?client_id=x&request_uri=https%3A%2F%2Fshop.example%2Frequest', 'elsewhere'],
    ['?client_id=x&request_uri=http%3A%2F%2Flocalhost%3A1%2Frequest', 'gone'],
  ])('GET /wallet%s: 409', async (query) => {
    const sandbox = await walletSandbox();
    const reply = await fetch(`${sandbox.url}/wallet${query}`);
    expect(reply.status).toBe(409);
    expect(await reply.text()).toContain('The wallet stops here');
  });
});

describe.each(['production', 'staging', ''])('F74 with NODE_ENV %s', (mode) => {
  const refusal = async (options: object): Promise<string> =>
    await inMode(mode, () => {
      try {
        identityWith({ reveal: ['given_name'], secret: appSecret, ...options });
        return '';
      } catch (error) {
        return (error as Error).message;
      }
    });

  test('F74 a certificate with the mark of a sandbox, and copies of it, are refused', async () => {
    const { options } = await walletSandbox();
    const { certificate } = options.wallets;
    const real = { appUrl: 'https://shop.example', trust: {}, issuer: 'de-ausweis' };
    const copies = [
      certificate,
      certificate.replaceAll('\n', '\r\n'),
      certificate.replaceAll(/(?<!-)\n(?!-)/g, ''),
      `Subject: a shop\n${certificate}`,
    ];
    for (const copy of copies) {
      const wallets = { ...options.wallets, certificate: copy };
      for (const given of [wallets, [wallets]])
        expect(await refusal({ ...options, ...real, wallets: given })).toContain(
          'has a certificate of a sandbox',
        );
    }
  });

  test('F74 IDENTITY_SANDBOX_URL is refused', async () => {
    process.env['IDENTITY_SANDBOX_URL'] = 'http://127.0.0.1:4747';
    try {
      const service = { baseUrl: 'https://service.example', apiKey: 'k', appUrl: 'https://shop.example' };
      expect(await refusal({ ...service, issuer: 'de-ausweis' })).toContain('IDENTITY_SANDBOX_URL');
      // Nothing else of the sandbox is set: its address is the mistake, and not what is missing.
      expect(await refusal({})).toContain('IDENTITY_SANDBOX_URL');
    } finally {
      delete process.env['IDENTITY_SANDBOX_URL'];
    }
  });
});
