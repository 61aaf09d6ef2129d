import { randomBytes } from 'node:crypto';
import { test } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { type Language, languages as appTexts } from '../../../example-app/texts/index.js';
import { englishTexts, languages as sandboxTexts } from '../../../lib/dev/sandbox/pages/texts/languages.js';
import { builtIn } from '../../../lib/options/pages/languages.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { attributeIds } from '../../../lib/types/attributes.js';
import { start } from '../../dev/sandbox/open.js';
import { refusingPort } from '../../support/refusing-port.js';
import { nightly } from '../../support/seed.js';
import { type RunningApp, type Setup, describeInChromium, runInChromium } from '../running-app.js';
import { arrive, arriveAtWallet, press, share } from '../steps.js';
import * as waiting from '../wallets/scene.js';
import { inDevelopment, sites } from './fronts.js';
import { emptyShots, shoot } from './shots.js';

// Every page, in the order in which a person meets them, in each view of shots.ts.

emptyShots('page-');

/** A page, and how one gets there from the page before. */
type Step = readonly [name: string, go: (page: Page) => Promise<unknown>];

/** The walks through an app: each has a browser of its own. */
function pictures(setup: Setup, walks: (it: RunningApp) => readonly Walk[]): void {
  describeInChromium('Pictures', () => {
    const running = runInChromium(setup);
    test.each(walks(running))(
      '$whose in $lang',
      async ({ whose, lang, steps, device }) => {
        const page = await running.open({ locale: lang, ...device });
        for (const [name, go] of await steps()) {
          await go(page);
          await shoot(page, `page-${whose}-${name}-${lang}`, lang);
        }
      },
      300_000,
    );
  });
}

interface Walk {
  readonly whose: string;
  readonly lang: string;
  readonly steps: () => readonly Step[] | Promise<readonly Step[]>;
  readonly device?: BrowserContextOptions;
}

/** Shows a page of the app, which may be a start page. */
const at =
  (it: RunningApp, path: string) =>
  async (page: Page): Promise<unknown> =>
    await page.goto(it.url + path);

/** From the start page to the first page of the service. */
async function toWallet(page: Page): Promise<void> {
  await page.locator('form button.button, form button').first().click();
  await arriveAtWallet(page);
}

function appSteps(it: RunningApp, lang: Language): Step[] {
  /** Over the start page and the wallet, back to where the question was asked. */
  const through = (path: string): Step => [
    path.slice(1),
    async (page) => {
      await toWallet(page);
      await share(page);
      await page.waitForURL(`**${path}`);
    },
  ];
  return [
    ['home', at(it, '/')],
    ['kept-nothing', at(it, '/kept')],
    ['log-in', at(it, '/door')],
    ['start-machines', at(it, '/machines')],
    through('/machines'),
    [
      'machines-reserved',
      async (page) => {
        await page.locator('button[value=hammer]').click();
        await page.getByRole('status').waitFor();
      },
    ],
    ['kept-age', at(it, '/kept')],
    ...['/membership', '/voting-card', '/door', '/erasure'].flatMap((path): Step[] => [
      [`start-${path.slice(1)}`, at(it, path)],
      through(path),
    ]),
    ['machines-member', at(it, '/machines')],
    ['forget', at(it, '/forget')],
    ['counter', at(it, '/counter')],
    ['kept', at(it, '/kept')],
    ['home-verified', at(it, '/')],
    ['other-person', at(it, '/other-person/door')],
    ['tools', at(it, '/tools')],
    ['not-found', at(it, '/no-such-page')],
    [
      'erased',
      async (page) => {
        await page.goto(`${it.url}/erasure`);
        await press(page, appTexts[lang].links.eraseAccount);
        await page.waitForURL('**/erased');
      },
    ],
  ];
}

const appLanguages = Object.keys(appTexts) as Language[];

pictures({}, (it) => [{ whose: 'app', lang: 'en', steps: () => appSteps(it, 'en') }]);
// The longest names that an ID can have, in the language with the longest words.
pictures({ person: 'long_names' }, (it) => [{ whose: 'app', lang: 'de', steps: () => appSteps(it, 'de') }]);

/** A code of the right form that nobody has made. */
const code = `${'A'.repeat(43)}.${'A'.repeat(43)}`;

/** Returns that fail are the kit's pages. */
const errors =
  'declined timed_out credential_missing credential_expired presentation_invalid attributes_missing refused identity_insufficient service_unreachable service_error busy config_invalid state_unknown not_found'.split(
    ' ',
  );

/** The page of an error, in the session that has begun the flow: it tells nobody else of a person's ID (F125). */
const failedAt =
  (it: RunningApp, base: string, error: string) =>
  async (page: Page): Promise<void> => {
    const headers = { accept: 'application/json', 'sec-fetch-site': 'same-origin' };
    const started = await page.request.post(`${it.url}${base}/start`, { headers });
    const { flowId } = (await started.json()) as { flowId: string };
    await page.goto(`${it.url}${base}/return?error=${error}&flow=${flowId}`);
  };

async function siteSteps(it: RunningApp, lang: string): Promise<Step[]> {
  const texts = await builtIn[lang]?.();
  if (texts === undefined) throw new Error(`The kit does not speak ${lang}.`);
  return [
    ...['/shop', '/town'].flatMap((site): Step[] => [
      [`start${site.replace('/', '-')}`, at(it, `${site}/start`)],
      [
        `start-again${site.replace('/', '-')}`,
        async (page) => {
          await page.goto(`${it.url}${site}/return?code=${code}&reload=1`);
          await arrive(page, texts.elsewhere_title); // after one more step by itself
        },
      ],
    ]),
    ...errors.map((error): Step => [`error-${error}`, failedAt(it, '/shop', error)]),
    [
      'to-wallet',
      async (page) => {
        it.sandbox.redirectUrl = `${it.url}/shop/callback`;
        await page.route(`${new URL(it.sandbox.url).origin}/**`, (route) => route.fulfill({ status: 204 }));
        await page.goto(`${it.url}/shop/own`);
        await page.getByRole('button').click();
        await arrive(page, texts.redirect_title);
      },
    ],
    [
      'try-again',
      async (page) => {
        await page.unrouteAll();
        await page.goto(`${it.url}/shop/start`);
        await toWallet(page);
        await share(page);
        await arrive(page, texts.unfinished_title);
      },
    ],
    [
      'one-moment',
      async (page) => {
        await page.route(/reload=1/, (route) => route.fulfill({ status: 204 }));
        await page.goto(`${it.url}/shop/return?code=${code}`);
      },
    ],
  ];
}

pictures({ front: sites }, (it) =>
  Object.keys(builtIn)
    .filter((lang) => nightly || lang !== 'fr') // layout.test.ts measures it by day
    .map((lang) => ({ whose: 'site', lang, steps: () => siteSteps(it, lang) })),
);

/** A language from right to left, with some of the texts. */
pictures({ front: sites }, (it) => [
  {
    whose: 'right-to-left',
    lang: 'ar',
    steps: () => [
      ['start', at(it, '/arabic/start')],
      ['start-again', at(it, `/arabic/return?code=${code}&reload=2`)],
    ],
  },
]);

pictures({ front: inDevelopment }, (it) => [
  {
    whose: 'kit',
    lang: 'en',
    steps: () => [
      ['start', at(it, '/identity/start')],
      ['start-for-developer', at(it, '/dev/start')],
      ['start-without-session', at(it, '/bare/start')],
      [
        'not-set-up',
        async (page) => {
          await press(page, 'Continue to my wallet');
          await arrive(page, 'This site is not set up correctly');
        },
      ],
      ['busy', at(it, '/limited')],
      ...['service_error', 'attributes_missing', 'refused', 'credential_expired'].map((error): Step => [
        `error-${error}-for-developer`,
        failedAt(it, '/dev', error),
      ]),
      ['session-missing', at(it, `/bare/return?code=${code}&reload=1`)],
      ['start-again-for-developer', at(it, `/dev/return?code=${code}&reload=1`)],
    ],
  },
]);

/** The German identity card. */
async function germanSteps(it: RunningApp, lang: Language): Promise<Step[]> {
  const say = sandboxTexts.find((texts) => texts.lang === lang) ?? englishTexts;
  const kit = await builtIn[lang]?.();
  const pin = async (page: Page, title: string): Promise<void> => {
    await page.getByLabel(say.pinLabel).fill('000000');
    await press(page, say.continue);
    await arrive(page, title);
  };
  return [
    [
      'ask',
      async (page) => {
        await page.goto(`${it.url}/membership`);
        await press(page, kit?.start_button ?? '');
        await arriveAtWallet(page);
        await page.getByText(say.goWrong).click();
      },
    ],
    [
      'pin',
      async (page) => {
        await share(page);
        await arrive(page, say.pinTitle);
      },
    ],
    ['pin-wrong', async (page) => await pin(page, say.pinWrong)],
    [
      'blocked',
      async (page) => {
        await pin(page, say.pinWrong);
        await pin(page, say.blockedTitle);
      },
    ],
    [
      'app-blocked',
      async (page) => {
        await press(page, say.backToApp);
        await arrive(page, (await builtIn[lang]?.())?.card_blocked_title ?? '');
      },
    ],
  ];
}

pictures({ issuer: 'de-ausweis' }, (it) =>
  appLanguages.map((lang) => ({ whose: 'german', lang, steps: () => germanSteps(it, lang) })),
);

/** A request as the kit would make it, whose page then opens. */
const asked =
  (it: RunningApp, more: Record<string, unknown> = {}) =>
  async (page: Page): Promise<void> => {
    const state = randomBytes(32).toString('base64url');
    const request = { revealed: ['given_name', 'birth_date'], state, same_device: true, ...more };
    await page.goto('about:blank'); // a page of the sandbox loads anew when a request begins
    await page.goto(await start(it.sandbox, request));
  };

pictures({ mode: 'development' }, (it) => [
  {
    whose: 'sandbox',
    lang: 'en',
    steps: () => [
      ['home', (page) => page.goto(it.sandbox.url)],
      [
        'wallet',
        async (page) => {
          await page.goto(`${it.sandbox.url}/try/leon`);
          await press(page, 'Continue to my wallet');
          await arrive(page, 'Drehmoment asks for this information');
        },
      ],
      ['wallet-scenarios', (page) => page.getByText('Make something go wrong').click()],
      [
        'timeline',
        async (page) => {
          await page.getByLabel('What should happen?').selectOption('wrong_nonce');
          await press(page, 'Run this scenario');
          await arrive(page, 'Your proof was not accepted');
          await page.goto(it.sandbox.url);
          await page.locator('.flows a').first().click();
          for (const part of ['#checks-passed', '#checks-unmet', '[id^=sent-]']) {
            await page.locator(`${part} summary`).first().click();
          }
        },
      ],
      ['error-code', (page) => page.locator('.fault a').first().click()],
      [
        'played',
        async (page) => {
          await page.goto(it.sandbox.url);
          await press(page, 'Play all three');
          await page.getByText('no government signed this card').waitFor();
        },
      ],
      [
        'home-after',
        async (page) => {
          await page.goto(it.sandbox.url);
          await page.locator('#robot summary').click();
          await page.locator('#settings summary').click();
        },
      ],
      [
        'wallet-derived',
        async (page) => {
          await asked(it, { revealed: attributeIds, derived: { nationality: 'FR' } })(page);
        },
      ],
      ['gone', (page) => page.goto(`${it.sandbox.url}/wallet/no-such-request`)],
      [
        'unreachable',
        async (page) => {
          it.sandbox.redirectUrl = `http://127.0.0.1:${await refusingPort()}/identity/callback`;
          await asked(it)(page);
          await share(page);
          await arrive(page, 'The app could not be reached');
        },
      ],
      [
        'home-no-redirect-url',
        async (page) => {
          it.sandbox.redirectUrl = undefined;
          await page.goto(it.sandbox.url);
        },
      ],
      ['wallet-no-redirect-url', asked(it)],
    ],
  },
]);

/** The page that waits for a wallet, in each state, and those that follow. */
async function waitingSteps(lang: string): Promise<Step[]> {
  const store = memoryStore();
  const texts = lang === 'ar' ? { ar: { wallet_title: 'تابع في محفظتك', wallet_open: 'افتح محفظتي' } } : {};
  const options = { store, pages: { name: 'Nordlicht', privacyUrl: '/privacy', texts } };
  const scene = await waiting.openScene({ options });
  // What another process says, whose certificate is another one by now.
  const renewed = await waiting.openScene({
    origins: [scene.url],
    session: { store: scene.sessions },
    options,
  });
  const begin = async (page: Page): Promise<void> => await waiting.begin(scene, page);
  return [
    [
      'waiting',
      async (page) => {
        await page.clock.install();
        await begin(page);
      },
    ],
    ['unfolded', (page) => page.locator('summary').click()],
    [
      'notice',
      async (page) => {
        await waiting.decline(scene, page);
        await page.locator('#notice').waitFor();
      },
    ],
    [
      'soon',
      async (page) => {
        await waiting.pass(page, 9 * 60);
        await page.locator('#soon').waitFor();
      },
    ],
    [
      'away',
      async (page) => {
        scene.trouble = (_req, res) => void res.sendStatus(503);
        await waiting.pass(page, 61);
        await page.locator('#away').waitFor();
      },
    ],
    [
      'answered',
      async (page) => {
        scene.trouble = undefined;
        await begin(page);
        await waiting.answer(scene, page, 'link');
        await page.locator('summary').waitFor({ state: 'detached' });
      },
    ],
    [
      'gone',
      async (page) => {
        await begin(page);
        await page.goto(page.url().replace(scene.url, renewed.url));
      },
    ],
    [
      'unrecognised',
      async (page) => {
        await page.context().clearCookies();
        await page.reload();
      },
    ],
    [
      'cancelled',
      async (page) => {
        await begin(page);
        await page.locator('form button').click();
        await page.waitForURL('**/identity/return?*');
      },
    ],
  ];
}

pictures({}, () =>
  [...Object.keys(builtIn), 'ar']
    .flatMap((lang): Walk[] => {
      const steps = async (): Promise<Step[]> => await waitingSteps(lang);
      return [
        { whose: 'wallet-computer', lang, steps },
        { whose: 'wallet-phone', lang, steps, device: waiting.phone },
      ];
    })
    .filter(({ lang, device }) => nightly || lang === 'en' || (lang !== 'fr' && device === undefined)),
);
