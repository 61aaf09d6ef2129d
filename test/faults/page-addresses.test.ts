import { afterEach, describe, expect, test } from '@jest/globals';
import type { IdentityPage } from '../../lib/index.js';
import { failed, started } from '../service/service.js';
import { type Asked, startAsking } from '../support/asked-service.js';
import { decide } from '../support/wallet.js';
import { startApp } from '../support/app.js';

const attack = `/x'onfocus='alert(1)'?a='%22"<b>&c='#'`;
const sent = `returnTo=${encodeURIComponent(attack).replaceAll("'", '%27')}`;

/** All addresses of a page, as the app's own template gets them. */
function addressesOf({ form, links }: IdentityPage): string[] {
  return [form?.action, links.action, links.home, links.privacy].filter((it) => it !== undefined);
}

describe('F71 no address of a page has an apostrophe', () => {
  const pages: IdentityPage[] = [];
  afterEach(() => void (pages.length = 0));
  const render = (page: IdentityPage): string => {
    pages.push(page);
    return 'a page';
  };
  const options = { pages: { render, homeUrl: "/o'neill", privacyUrl: "https://o'neill.example/o'neill?'" } };

  const fromElsewhere = { 'sec-fetch-site': 'none' };
  const start = `/identity/start?${sent}`;
  const post = async (app: Asked, path: string, form = {}, headers = {}): Promise<unknown> =>
    await app.browser().post(`${app.url}${path}`, form, headers);
  type Visit = readonly [
    what: string,
    pages: IdentityPage['name'][],
    visit: (app: Asked) => Promise<unknown>,
  ];
  const visits: readonly Visit[] = [
    ['the start', ['start'], async (app) => await app.browser().get(`${app.url}${start}`)],
    ['a start from another site', ['start'], async (app) => await post(app, start, {}, fromElsewhere)],
    [
      'a start in a route of the app',
      ['start'],
      async (app) => await post(app, `/own/o'neill?'&${sent}`, {}, fromElsewhere),
    ],
    [
      'a start that failed',
      ['error'],
      async (app) => {
        app.service.answers(failed(500, 'error_internal'));
        await post(app, `${start}&form=kit`);
      },
    ],
    [
      "a start by a form of the app's own, on its way to the wallet",
      [], // the kit's own page, always
      async (app) => {
        app.service.answers(started("https://wallet.example/o'neill?a='"));
        await post(app, '/identity/start', { returnTo: attack });
      },
    ],
  ];

  test.each(visits)('F71 %s', async (_name, names, visit) => {
    const after = (its: Asked['app'], identity: Asked['identity']): void => {
      its.post('/own/:name', async (req, res) => await identity.start(req, res));
    };
    const app = await startAsking({ options, after });
    await visit(app);
    expect(pages.map((page) => page.name)).toEqual(names);
    expect(pages.flatMap(addressesOf).filter((address) => /['"<>]/.test(address))).toEqual([]);
  });

  test('F71 the path comes back as it was sent', async () => {
    const app = await startApp({ options });
    const browser = app.browser();
    await browser.get(`${app.url}/identity/start?returnTo=/o'neill`);
    const [page] = pages;
    expect(page?.form?.action).toBe('/identity/start?returnTo=%2Fo%27neill&form=kit');
    const { location = '' } = await browser.post(`${app.url}${page?.form?.action}`, {});
    expect((await browser.get(await decide(location, 'approve'))).location).toBe(`${app.url}/o'neill`);
  });
});
