import { execFileSync } from 'node:child_process';
import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import ejs from 'ejs';
import type { Express, RequestHandler } from 'express';
import type { BrowserContextOptions, Page } from 'playwright-core';
import type { IdentityPage, IdentityVerification } from '../../../lib/index.js';
import { read } from '../../house/documents.js';
import { chromiumPath } from '../../support/chromium.js';
import { closeAfter } from '../../support/close-after.js';
import type { ForeignWallet } from '../../support/foreign-wallet.js';
import { closeServer, listenOn } from '../../support/listen.js';
import { browserOn, linksOn } from '../../support/wallets.js';
import { enter } from '../keys.js';
import { emptyShots, shoot } from '../pictures/shots.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, press } from '../steps.js';
import { answer, begin, openScene, pass, phone, type Scene } from './scene.js';

// The third way, in a browser. What browser and system do between the press and the answer is stubbed, since no system here
// has a wallet; the wallet behind it is made of other people's libraries, and is told the origin that the browser sees.

const ask = 'Let my browser find my wallet';
const failed = 'Your browser returned no answer.';
const ways = ['link', 'code', 'browser'];
const kept = { keep: ({ attributes }: { attributes: unknown }) => attributes, keptAs: 'All of it' };

/** An app that allows the way, with a page that is for those who are verified. */
async function openApp(options: object = {}, before?: RequestHandler): Promise<Scene> {
  return await openScene({
    options: { ways, ...kept, ...options },
    ...(before !== undefined && { inFront: before }),
    guarded: (app: Express, identity: IdentityVerification) => {
      app.get('/me', identity.require(), (req, res) => void res.json(identity.of(req)?.kept));
    },
  });
}

/** What the browser brings, given the request and the origin that it sees. */
type Brings = (request: string, origin: string) => Promise<unknown>;

/** Puts this in the place of the window that browser and system open. */
async function stub(page: Page, brings: Brings): Promise<{ readonly asked: string[] }> {
  const asked: string[] = [];
  await page.exposeFunction('bring', async (request: string, origin: string) => {
    asked.push(origin);
    return await brings(request, origin);
  });
  await page.addInitScript(() => {
    navigator.credentials.get = async (options?: object) => {
      const { digital } = options as {
        digital: { requests: { protocol: string; data: { request: string } }[] };
      };
      const [{ protocol, data } = { protocol: '', data: { request: '' } }] = digital.requests;
      const bring = Reflect.get(globalThis, 'bring') as Brings;
      const brought = await bring(data.request, location.origin);
      if (brought === 'cancelled') throw new DOMException('The person closed it.', 'NotAllowedError');
      return { protocol, data: brought } as never;
    };
  });
  return { asked };
}

const byWallet =
  (wallet: ForeignWallet): Brings =>
  async (request, origin) => ({ response: await (await wallet.openByBrowser(request, origin)).respond() });

const button = (page: Page) => page.getByRole('button', { name: ask });

/** Whom the app knows at this browser: the page of a person, or the start. */
async function whoIs(page: Page, { url }: Scene): Promise<string> {
  await page.goto(`${url}/me`);
  return (await page.locator('body').innerText()).includes('ERIKA') ? 'Erika' : 'nobody';
}

/** How often a page is loaded from now on. */
function loadsOf(page: Page): { readonly count: () => number } {
  let loads = 0;
  page.on('load', () => (loads += 1));
  return { count: () => loads };
}

/** Serves pages at an address that is no one's but the attacker's. */
async function attackerAt(host: string): Promise<{ url: string; show: (html: string) => void }> {
  let shown = '';
  const server = createServer((_req, res) => {
    res.setHeader('content-type', 'text/html').end(shown);
  });
  const url = await listenOn(server, host);
  closeAfter(async () => await closeServer(server));
  return { url, show: (html) => (shown = html) };
}

describeInChromium('F196 the button', () => {
  const running = runInChromium();

  test('is shown, and a press leads over the wallet to the page behind the guard', async () => {
    const scene = await openApp();
    const page = await running.open();
    const { asked } = await stub(page, byWallet(scene.wallet));
    await begin(scene, page, '/me');
    await button(page).click();
    await page.waitForURL(`${scene.url}/me`);
    expect(JSON.parse(await page.locator('body').innerText())).toEqual({
      given_name: 'ERIKA',
      birth_date: '1964-08-12',
    });
    expect([asked, running.complaints()]).toEqual([[scene.url], []]);
  });

  test('is pressed by keys alone, where the focus is seen', async () => {
    const scene = await openApp();
    const page = await running.open();
    await stub(page, byWallet(scene.wallet));
    await begin(scene, page, '/club');
    await enter(page, ask);
    await page.waitForURL(`${scene.url}/club`);
  });

  test('a wallet that says access_denied is a notice, and the page stays as it was', async () => {
    const scene = await openApp();
    const page = await running.open();
    let brings: Brings = async () => ({ error: 'access_denied' });
    await stub(page, async (...asked) => await brings(...asked));
    await begin(scene, page);
    const before = page.url();
    await button(page).click();
    await page.getByText('An answer came, but it does not count').waitFor();
    expect([page.url(), linksOn(await page.content()).code !== undefined]).toEqual([before, true]);
    brings = byWallet(scene.wallet);
    await button(page).click();
    await page.waitForURL(`${scene.url}/club`);
  });

  test.each<[string, unknown]>([
    ['was closed', 'cancelled'],
    ['brought nothing', null],
    ['brought neither an answer nor an error', { token: 'fake_test_token' }], // as Chromium does with a flag for tests
  ])(
    'a window that %s leaves the page as it was, which says so, and may be asked again',
    async (_, nothing) => {
      const scene = await openApp();
      const page = await running.open();
      let brings: Brings = async () => nothing;
      await stub(page, async (...asked) => await brings(...asked));
      await begin(scene, page);
      const { code } = linksOn(await page.content());
      const loads = loadsOf(page);
      await button(page).click();
      await page.getByRole('status').getByText(failed).waitFor();
      expect([loads.count(), linksOn(await page.content()).code]).toEqual([0, code]);
      brings = byWallet(scene.wallet);
      await button(page).click();
      await page.waitForURL(`${scene.url}/club`);
    },
  );

  test('an answer by another protocol is none', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.addInitScript(() => {
      navigator.credentials.get = async () =>
        ({ protocol: 'org-iso-mdoc', data: { response: 'x' } }) as never;
    });
    await begin(scene, page);
    await button(page).click();
    await page.getByText(failed).waitFor();
  });

  test('while the window is open nothing is loaded again, a second press asks nothing, and then the page goes on', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.clock.install();
    let close = (): void => undefined;
    const closed = new Promise<string>((resolve) => {
      close = () => {
        resolve('cancelled');
      };
    });
    const { asked } = await stub(page, async () => await closed);
    await begin(scene, page);
    await button(page).click();
    await button(page).click();
    await answer(scene, page, 'code');
    const loads = loadsOf(page);
    for (const seconds of [3, 3, 30]) await pass(page, seconds);
    expect([loads.count(), asked.length, page.url().includes('/identity/wallet')]).toEqual([0, 1, true]);
    close();
    await page.getByText(failed).waitFor();
    await page.clock.fastForward(3_000);
    await page.waitForURL(`${scene.url}/club`);
  });

  test('is not there where the browser does not know DigitalCredential, as over http', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'DigitalCredential');
    });
    await begin(scene, page);
    expect([await button(page).isVisible(), linksOn(await page.content()).link !== undefined]).toEqual([
      false,
      true,
    ]);
    expect(await page.locator('svg.qr').isVisible()).toBe(true);
  });

  test('is not there where the browser knows another protocol only, as Safari does', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.addInitScript(() => {
      const kind = Reflect.get(globalThis, 'DigitalCredential') as { userAgentAllowsProtocol: unknown };
      kind.userAgentAllowsProtocol = (protocol: string) => protocol === 'org-iso-mdoc';
    });
    await begin(scene, page);
    expect([await button(page).isVisible(), await page.locator('svg.qr').isVisible()]).toEqual([false, true]);
  });

  test('is there where the browser does not say what it knows', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.addInitScript(() => {
      const kind = Reflect.get(globalThis, 'DigitalCredential') as object;
      Reflect.deleteProperty(kind, 'userAgentAllowsProtocol');
    });
    await begin(scene, page);
    await button(page).waitFor();
  });

  test('is not there without scripts, and the page can be loaded again', async () => {
    const scene = await openApp();
    const page = await running.open({ javaScriptEnabled: false });
    await begin(scene, page);
    expect([await button(page).isVisible(), await page.locator('svg.qr').isVisible()]).toEqual([false, true]);
    await page.getByRole('link', { name: 'My wallet has answered' }).click();
    await arrive(page, 'Continue in your wallet');
  });

  test('the way browser alone: a browser that cannot ask is told so, with another way to go', async () => {
    const scene = await openApp({ ways: ['browser'], otherWay: { url: '/desk', text: 'Come to our desk' } });
    const page = await running.open();
    await page.addInitScript(() => {
      Reflect.deleteProperty(globalThis, 'DigitalCredential');
    });
    await begin(scene, page);
    await page.getByText('This browser cannot connect to a wallet.').waitFor();
    await page.getByRole('link', { name: 'Come to our desk' }).waitFor();
    const knows = await running.open();
    await begin(scene, knows);
    await button(knows).waitFor();
    expect(await knows.getByText('This browser cannot connect to a wallet.').isVisible()).toBe(false);
  });
});

describeInChromium('F196 what this Chromium itself does', () => {
  const running = runInChromium();

  async function expectStays(
    scene: Scene,
    press: (page: Page) => Promise<unknown>,
    page?: Page,
  ): Promise<void> {
    page ??= await running.open();
    await begin(scene, page);
    await press(page);
    await page.getByText(failed).waitFor();
    running.complaints(); // what Chromium says of it
    expect(await page.locator('svg.qr').isVisible()).toBe(true);
    await answer(scene, page, 'code');
    await page.waitForURL(`${scene.url}/club`);
  }

  test('pressed, it waits for its window, and the page stays as it is', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.clock.install();
    await begin(scene, page);
    const loads = loadsOf(page);
    await button(page).click();
    await answer(scene, page, 'code');
    for (const seconds of [3, 3, 30]) await pass(page, seconds);
    expect([loads.count(), await page.getByText(failed).isVisible()]).toEqual([0, false]);
  });

  test('with a press that is too old, or that no person has made', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.addInitScript(() => {
      addEventListener('DOMContentLoaded', () => {
        document.querySelector<HTMLElement>('#browser button')?.click();
      });
    });
    await expectStays(scene, async () => await Promise.resolve(), page);
  });

  test('with a proxy whose Permissions-Policy forbids it', async () => {
    const scene = await openApp({}, (_req, res, next) => {
      const write = res.writeHead.bind(res) as (...given: unknown[]) => typeof res;
      res.writeHead = (...given: unknown[]) => {
        res.setHeader('Permissions-Policy', 'digital-credentials-get=()');
        return write(...given);
      };
      next();
    });
    await expectStays(scene, async (page) => await button(page).click());
  });

  test('in a frame of another origin there is no page', async () => {
    const scene = await openApp();
    const page = await running.open();
    await begin(scene, page);
    const elsewhere = await attackerAt('localhost');
    elsewhere.show(`<iframe src="${page.url()}"></iframe>`);
    await page.goto(elsewhere.url);
    expect(await page.frameLocator('iframe').getByText(ask).count()).toBe(0);
    expect(running.complaints().join(' ')).toMatch(/frame/i);
  });

  const version = Number(
    /(\d+)\./.exec(execFileSync(chromiumPath() ?? 'true', ['--version'], { encoding: 'utf8' }))?.[1],
  );
  const needed = 152;
  if (!(version >= needed)) {
    // No test is left out in silence, and none may be where nothing may be skipped.
    test(`Chromium ${version} has no wallet of its own to test with, which came with ${needed}: three tests are left out`, () => {
      expect(version).toBeLessThan(needed);
    });
    return;
  }

  /** What the browser's own wallet for tests does from now on. */
  async function behave(page: Page, behaviour: object): Promise<void> {
    const session = await page.context().newCDPSession(page);
    await session.send('DigitalCredentials.setVirtualWalletBehavior' as never, behaviour as never);
  }

  test('its own wallet for tests answers', async () => {
    const scene = await openApp();
    const page = await running.open();
    await begin(scene, page);
    const { request = '' } = browserOn(await page.content()) ?? {};
    const opened = await scene.wallet.openByBrowser(request, scene.url);
    const response = { response: await opened.respond() };
    await behave(page, { action: 'respond', protocol: 'openid4vp-v1-signed', response });
    await button(page).click();
    await page.waitForURL(`${scene.url}/club`);
  });

  test('its own wallet for tests declines', async () => {
    await expectStays(await openApp(), async (page) => {
      await behave(page, { action: 'decline' });
      await button(page).click();
    });
  });

  test('its own wallet for tests waits: nothing is loaded again', async () => {
    const scene = await openApp();
    const page = await running.open();
    await page.clock.install();
    await begin(scene, page);
    await behave(page, { action: 'wait' });
    await button(page).click();
    const loads = loadsOf(page);
    await answer(scene, page, 'code');
    for (const seconds of [3, 3, 30]) await pass(page, seconds);
    expect(loads.count()).toBe(0);
  });
});

describeInChromium('F194 a page of somebody else', () => {
  const running = runInChromium();

  test.each([
    ['another site', 'localhost'],
    ['the same site', '127.0.0.1'],
  ])('of %s posts a good answer into the session of a person: 403', async (_, host) => {
    const scene = await openApp();
    const page = await running.open();
    await begin(scene, page);
    const { request = '', action } = browserOn(await page.content()) ?? {};
    const opened = await scene.wallet.openByBrowser(request, scene.url); // more than any attacker has
    const response = await opened.respond();
    const elsewhere = await attackerAt(host);
    elsewhere.show(
      `<form method="post" action="${scene.url}${action}"><input name="response" value="${response}"></form>` +
        '<script>document.forms[0].submit()</script>',
    );
    const other = await page.context().newPage();
    const came = other.waitForResponse((its) => its.url().includes('/answer'));
    await other.goto(elsewhere.url);
    expect((await came).status()).toBe(403);
    await other.waitForLoadState();
    running.complaints();
    expect(await whoIs(other, scene)).toBe('nobody');
  });
});

describeInChromium('F195 relay, with two browsers', () => {
  const running = runInChromium();
  const withoutCode = { ways: ['link', 'browser'] };

  /** The attacker has begun, and what they have is sent on to somebody with a browser and a wallet of their own. */
  async function expectNobody(
    scene: Scene,
    relay: (attacker: Page, victim: Page) => Promise<unknown>,
  ): Promise<void> {
    const [attacker, victim] = [await running.open(), await running.open()];
    await begin(scene, attacker, '/me');
    await relay(attacker, victim);
    await attacker.reload();
    running.complaints();
    expect([await whoIs(attacker, scene), await whoIs(victim, scene)]).toEqual(['nobody', 'nobody']);
  }

  test('the code: there is none', async () => {
    await expectNobody(await openApp(withoutCode), async (attacker) => {
      expect([await attacker.locator('svg.qr').count(), linksOn(await attacker.content()).code]).toEqual([
        0,
        undefined,
      ]);
    });
  });

  test('the link: the browser that the wallet opens is the victim’s, and nobody gets in', async () => {
    const scene = await openApp(withoutCode);
    await expectNobody(scene, async (attacker, victim) => {
      await victim.goto(await answer(scene, attacker, 'link'));
      await arrive(victim, /./);
    });
  });

  test('the link, edited to be a code: nothing is asked by it', async () => {
    const scene = await openApp(withoutCode);
    await expectNobody(scene, async (attacker) => {
      const link = (linksOn(await attacker.content()).link ?? '').replace('.link&', '.code&');
      await expect(scene.wallet.open(link)).rejects.toThrow(/404/);
    });
  });

  test('the address of the page: the victim’s browser is not known', async () => {
    await expectNobody(await openApp(withoutCode), async (attacker, victim) => {
      await victim.goto(attacker.url());
      await arrive(victim, 'Nordlicht does not recognise this browser');
      expect(await button(victim).count()).toBe(0);
    });
  });

  test.each([
    ['a careful wallet answers nothing', undefined],
    ['what a careless one answers counts nowhere', 'whatever the origin'],
  ] as const)('the request of the browser, on a page of the attacker: %s', async (_, careless) => {
    const scene = await openApp(withoutCode);
    const elsewhere = await attackerAt('localhost');
    await expectNobody(scene, async (attacker, victim) => {
      const { request = '' } = browserOn(await attacker.content()) ?? {};
      const { asked } = await stub(victim, async (its, origin) => {
        const opened = await scene.wallet.openByBrowser(its, origin, careless).catch(() => undefined);
        return opened === undefined ? 'cancelled' : { response: await opened.respond() };
      });
      elsewhere.show(`<button>See your prize</button><p></p><script>
        document.querySelector('button').onclick = async () => {
          const digital = { requests: [{ protocol: 'openid4vp-v1-signed', data: { request: '${request}' } }] };
          const came = await navigator.credentials.get({ digital }).catch(() => ({ data: { response: 'nothing' } }));
          document.querySelector('p').textContent = came.data.response;
        };
      </script>`);
      await victim.goto(elsewhere.url);
      await press(victim, 'See your prize');
      await victim.locator('p:not(:empty)').waitFor();
      const stolen = await victim.locator('p').innerText();
      expect([asked, stolen === 'nothing']).toEqual([[elsewhere.url], careless === undefined]);
      await bringByHand(attacker, stolen);
    });
  });

  test('with the way code it is the known relay: the page warns of it', async () => {
    const scene = await openApp();
    const attacker = await running.open();
    await begin(scene, attacker, '/me');
    await attacker.getByText('Scan it only if you opened this page yourself.').waitFor();
    await answer(scene, attacker, 'code');
    await attacker.waitForURL(`${scene.url}/me`);
    expect(await whoIs(attacker, scene)).toBe('Erika');
  });

  /** The attacker posts what they got, on their own page. */
  async function bringByHand(attacker: Page, response: string): Promise<void> {
    const done = attacker.waitForEvent('load');
    await attacker.evaluate((value) => {
      const { action = '' } = document.querySelector<HTMLElement>('#browser button')?.dataset ?? {};
      const form = Object.assign(document.createElement('form'), { method: 'post', action });
      form.append(Object.assign(document.createElement('input'), { name: 'response', value }));
      document.body.append(form);
      form.submit();
    }, response);
    await done;
  }
});

describeInChromium('F196 the page of an app’s own template', () => {
  const running = runInChromium();

  test('asks the browser by the template and the script of the documents', async () => {
    const template = read('docs/pages/identity.ejs');
    const script = read('docs/pages/wallet-page.js');
    const render = (page: IdentityPage): string => ejs.render(template, { page });
    const scene = await openApp({ pages: { name: 'Nordlicht', render } }, (req, res, next) => {
      if (req.path !== '/wallet-page.js') next();
      else res.type('js').send(script);
    });
    const page = await running.open();
    let brings: Brings = async () => 'cancelled';
    await stub(page, async (...asked) => await brings(...asked));
    await begin(scene, page, '/me');
    await button(page).click();
    await page.getByText(failed).waitFor();
    brings = byWallet(scene.wallet);
    await button(page).click();
    await page.waitForURL(`${scene.url}/me`);
    expect(await whoIs(page, scene)).toBe('Erika');
  });
});

describeInChromium('F196 how the page looks', () => {
  const running = runInChromium();
  emptyShots('page-wallet-browser');

  test.each<[string, string, BrowserContextOptions]>([
    ['computer', 'en', {}],
    ['phone', 'en', phone],
    ['computer', 'de', {}],
    ['phone', 'fr', phone],
  ])('on a %s in %s, at every width, and axe finds nothing', async (device, locale, context) => {
    for (const its of [ways, ['browser']]) {
      const texts = { de: { keptAs: 'Alles' }, fr: { keptAs: 'Tout' } };
      const scene = await openApp({ ways: its, pages: { name: 'Nordlicht', texts } });
      const page = await running.open({ ...context, locale });
      await stub(page, async () => 'cancelled');
      await begin(scene, page);
      await page.locator('#browser button').waitFor();
      await shoot(page, `page-wallet-browser-${device}-${its.length}-${locale}`, locale);
      await page.locator('#browser button').click();
      await page.locator('#failed').waitFor();
      await shoot(page, `page-wallet-browser-${device}-${its.length}-failed-${locale}`, locale);
    }
  });

  test('on a phone link and button are in sight, on a computer the whole code', async () => {
    const scene = await openApp();
    for (const locale of ['en', 'de', 'fr']) {
      const bottom = async (page: Page, selector: string): Promise<number> => {
        const { y, height } = (await page.locator(selector).boundingBox()) ?? { y: Number.NaN, height: 0 };
        return y + height;
      };
      const small = await running.open({ locale, viewport: { width: 390, height: 664 }, ...phone });
      await begin(scene, small);
      expect(await bottom(small, 'a[href^="openid4vp:"]')).toBeLessThan(664);
      expect(await bottom(small, '#browser button')).toBeLessThan(664);
      const large = await running.open({ locale, viewport: { width: 1366, height: 657 } });
      await begin(scene, large);
      expect(await bottom(large, 'svg.qr')).toBeLessThan(657);
    }
  });
});
