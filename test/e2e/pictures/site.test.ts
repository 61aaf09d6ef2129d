import { test } from '@jest/globals';
import type { Express } from 'express';
import session from 'express-session';
import type { Page } from 'playwright-core';
import { identityVerification } from 'pidgate';
import type { Sandbox } from 'pidgate/sandbox';
import { emptyShots, type Look, shoot } from './shots.js';
import { builtIn } from '../../../lib/options/pages/languages.js';
import { describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, share } from '../steps.js';

emptyShots('site');

const code = `${'A'.repeat(43)}.${'A'.repeat(43)}`;

const logoIn = (ink: string): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 220 48" role="img"><rect width="48" height="48" rx="10" fill="#0b6e4f"/>
<path d="M14 33l10-19 10 19z" fill="#fff"/><text x="60" y="32" font-family="sans-serif" font-size="24" font-weight="700" fill="${ink}">Nordlicht</text></svg>`;

/** Beige, in both schemes. */
const beige = {
  accent: '#0b6e4f',
  background: { light: '#efe7da', dark: '#16130f' },
  surface: { light: '#fffaf0', dark: '#231e18' },
};

/** A shop that signs its pages; its hook fails, so that a return can be tried again. */
function shop(app: Express, { options }: Sandbox): void {
  app.get('/shop-logo-:scheme.svg', (req, res) => {
    res.type('svg').send(logoIn(req.params.scheme === 'dark' ? '#fffaf0' : '#0b6e4f'));
  });
  app.get('/shop/own', (_req, res) => {
    res.send('<form method="post" action="/shop/start"><button>Own form</button></form>');
  });
  app.get('/favicon.ico', (_req, res) => void res.status(204).end());
  const look = { homeUrl: '/shop', privacyUrl: '/shop/privacy' };
  const sites = {
    '/shop': {
      ...look,
      name: 'Nordlicht',
      logo: { light: '/shop-logo-light.svg', dark: '/shop-logo-dark.svg' },
      colors: beige,
      font: 'Georgia, "DejaVu Serif", serif',
    },
    '/town': { ...look, name: 'Stadtverwaltung Musterstadt', colors: { accent: '#ffcc00' } },
  };
  const withSession = session({ secret: 'only for tests', resave: false, saveUninitialized: false });
  for (const [path, pages] of Object.entries(sites)) {
    const identity = identityVerification({
      ...options,
      path,
      pages,
      logger: false,
      reveal: ['given_name', 'family_name', 'birth_date'],
      derived: { nationality: 'DE' },
      onSuccess: () => {
        throw new Error('The shop is closed.');
      },
    });
    app.use(path, withSession, identity);
  }
}

const errors = [
  'declined',
  'timed_out',
  'credential_missing',
  'presentation_invalid',
  'attributes_missing',
  'refused',
  'identity_insufficient',
  'service_unreachable',
  'busy',
  'config_invalid',
  'state_unknown',
  'not_found',
] as const;

type Take = (name: string, look?: Look) => Promise<void>;

describeInChromium('Pictures of pages in the name of a site', () => {
  const running = runInChromium({ front: shop });

  async function openIn(lang: string): Promise<{ page: Page; take: Take }> {
    const page = await running.open({ locale: lang });
    return { page, take: async (name, look) => await shoot(page, `site-${lang}-${name}`, look, lang) };
  }

  test.each(Object.entries(builtIn))('in %s, around the wallet', async (lang, load) => {
    const texts = await load();
    const { page, take } = await openIn(lang);
    running.sandbox.redirectUrl = `${running.url}/shop/callback`;
    const service = `${new URL(running.sandbox.url).origin}/**`;
    await page.route(service, async (route) => await route.fulfill({ status: 204 }));
    await page.goto(`${running.url}/shop/own`);
    await page.getByRole('button').click();
    await arrive(page, texts.redirect_title);
    await take('to-wallet');
    await page.unroute(service);
    await page.goto(`${running.url}/shop/start`);
    await page.getByRole('button').click();
    await arriveAtWallet(page);
    await share(page);
    await arrive(page, texts.unfinished_title);
    await take('try-again');
  });

  test.each(Object.entries(builtIn))('in %s', async (lang, load) => {
    const { elsewhere_title: startAgain } = await load();
    const { page, take } = await openIn(lang);
    for (const path of ['/shop', '/town']) {
      const site = path.slice(1);
      await page.goto(`${running.url}${path}/start`);
      await take(`${site}-start`, 'both');
      await page.goto(`${running.url}${path}/return?code=${code}&reload=1`);
      await arrive(page, startAgain); // after one more step by itself
      await take(`${site}-start-again`);
      await page.goto(`${running.url}${path}/return?error=declined`);
      await take(`${site}-declined`);
      await page.goto(`${running.url}${path}/return?error=refused`);
      await take(`${site}-refused`);
    }
    for (const error of errors) {
      await page.goto(`${running.url}/shop/return?error=${error}`);
      await take(error);
    }
    await page.route(/reload=1/, async (route) => await route.fulfill({ status: 204 }));
    await page.goto(`${running.url}/shop/return?code=${code}`);
    await take('hop');
  });
});
