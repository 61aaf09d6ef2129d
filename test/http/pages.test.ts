import { createHash } from 'node:crypto';
import helmet from 'helmet';
import { describe, expect, test } from '@jest/globals';
import { errorCodes, type IdentityPage } from '../../lib/index.js';
import { fromCallback, isProveErrorCode, proveErrors } from '../../lib/service/prove/errors.js';
import { resolvePages } from '../../lib/options/pages/page-options.js';
import type { TextKey } from '../../lib/options/pages/en.js';
import type { LoadedLanguage } from '../../lib/options/pages/page-options.js';
import type { OtherWay } from '../../lib/options/result-types.js';
import type { ResolvedQuestion } from '../../lib/options/questions.js';
import {
  errorPage,
  returnRedirectPage,
  startAgainPage,
  tryAgainPage,
} from '../../lib/http/pages/error-page.js';
import { type Content, html, raw } from '../../lib/internal/html.js';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { createTheme } from '../../lib/http/pages/theme.js';
import { renderPage } from '../../lib/http/pages/page.js';
import type { PageContext } from '../../lib/http/pages/page-model.js';
import { type StartPage, startPage } from '../../lib/http/pages/start-page.js';
import { attributeIds } from '../../lib/types/attributes.js';
import { startApp } from '../support/app.js';

const hostile = `"><script>alert(1)</script><img src=x onerror='alert(1)'>&`;
const escaped =
  '&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=&#39;alert(1)&#39;&gt;&amp;';
const escapedInAddress = escaped.replaceAll('&#39;', '%27');

const question: ResolvedQuestion = {
  name: 'default',
  issuer: 'de-ausweis',
  reveal: ['given_name', 'birth_date'],
  derived: {},
  purpose: undefined,
  reasons: undefined,
  keptAs: undefined,
  keep: undefined,
  keepFor: 28_800_000,
  keepForKept: undefined,
  allow: undefined,
  otherWay: undefined,
  successRedirect: '/',
  ways: ['link', 'code'],
  asksForAges: false,
};
const languagesOf = async (option: object, questions: readonly { readonly name: string }[]) =>
  await Promise.all(resolvePages(option, questions).languages.map(({ load }) => load()));
const [english, ...others] = (await languagesOf({}, [question])) as [LoadedLanguage, ...LoadedLanguage[]];
const german = others.find(({ lang }) => lang === 'de');
const site: PageContext = {
  ...english,
  name: 'Shop',
  logo: undefined,
  home: '/home',
  privacy: '/privacy',
  inEnglish: new Set(),
  addressOf: (address) => address,
  otherWayOf: () => undefined,
};
const inGerman: PageContext = { ...site, ...german };
const inAll: readonly PageContext[] = [english, ...others].map((language) => ({ ...site, ...language }));

const shown = (change: Partial<StartPage> = {}, on = site): string =>
  words(
    startPage(on, { question, action: '/identity/start', keepFor: 28_800_000, sandbox: false, ...change }),
  );
const markupOf = (page: IdentityPage, on = site): string => renderPage(page, createTheme({}), on, []);
/** What stands on a page below its title. */
const words = (page: IdentityPage): string =>
  markupOf(page)
    .replace(/^.*<\/h1>/s, '')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim();

describe('markup', () => {
  test('escapes whatever is not markup; joins lists, drops what is absent, keeps numbers and markup', () => {
    expect(html`<a href="${hostile}">${hostile}</a>`.markup).toBe(`<a href="${escaped}">${escaped}</a>`);
    const list: Content = [1, html`<b>${'<'}</b>`, [raw('<i></i>'), undefined], false];
    expect(html`<p>${list}${undefined}${false}${0}</p>`.markup).toBe('<p>1<b>&lt;</b><i></i>0</p>');
  });
});

describe('the start page', () => {
  test('tells what is asked, why and what is kept', () => {
    const asked = { ...question, purpose: 'To let you in.', keep: () => 1 };
    expect(shown({ question: asked })).toBe(
      'To let you in. What you will be asked to share Given name Date of birth Continue to my wallet What is stored Whether Shop ' +
        'stores what you share is not stated here. A receipt number and the time are stored until your session ends, and for ' +
        '8 hours at most. Your wallet shows the same list again. Nothing is shared until you agree there. The wallet is an app on ' +
        'your phone that holds your official ID. You need it and its PIN. It takes about two minutes. Cancel Privacy',
    );
    expect(shown({ question: asked }, inGerman)).toBe(
      'To let you in. Diese Angaben werden abgefragt Vorname Geburtsdatum Weiter zu meiner Wallet Das wird gespeichert Ob Shop ' +
        'Ihre Angaben speichert, steht hier nicht. Eine Belegnummer und der Zeitpunkt werden bis zum Ende Ihrer Sitzung ' +
        'gespeichert, aber höchstens 8 Stunden. Ihre Wallet zeigt Ihnen dieselbe Liste noch einmal. Erst wenn Sie dort zustimmen, ' +
        'wird etwas übermittelt. Die Wallet ist die App auf Ihrem Smartphone, in der Ihr amtlicher Ausweis liegt (nicht die ' +
        'AusweisApp). Sie brauchen die Wallet und deren PIN. Es dauert etwa zwei Minuten. Abbrechen Datenschutz',
    );
  });

  test('is about age where the date of birth, or an age, is all that is asked', () => {
    const titleOf = (change: Partial<ResolvedQuestion>): string =>
      startPage(site, { question: { ...question, ...change }, action: '', keepFor: 1, sandbox: false }).texts
        .title;
    expect(titleOf({ reveal: ['birth_date'] })).toBe('Prove your age');
    expect(titleOf({ reveal: ['age_over_18', 'age_over_21'] })).toBe('Prove your age');
    expect(titleOf({ reveal: ['given_name', 'age_over_18'] })).toBe('Prove who you are');
    expect(titleOf({ reveal: ['birth_date'], derived: { nationality: 'DE' } })).toBe('Prove who you are');
    expect(titleOf({ reveal: ['given_name', 'birth_date'] })).toBe('Prove who you are');
  });

  test('names all attributes, and a derived one as the question that it is', () => {
    const all: Partial<ResolvedQuestion> = {
      reveal: attributeIds,
      derived: { nationality: 'DE' },
    };
    expect(shown({ question: { ...question, ...all } })).toContain(
      `${attributeIds.map((id) => site.texts[id]).join(' ')} Whether you are a national of Germany yes or no only`,
    );
    expect(shown({ question: { ...question, ...all } }, inGerman)).toContain(
      'Staatsangehörigkeit: Deutschland nur Ja oder Nein',
    );
  });

  test.each([
    [1, '1 second'],
    [30_000, '30 seconds'],
    [60_000, '1 minute'],
    [90_000, '2 minutes'],
    [3_600_000, '1 hour'],
    [30 * 86_400_000, '30 days'],
  ])('%d ms are %s', (keepFor, text) => {
    expect(shown({ keepFor })).toContain(
      `A receipt number and the time are stored until your session ends, and for ${text} at most.`,
    );
  });

  test('says nothing of keeping where nothing enters the session', () => {
    expect(shown({ keepFor: undefined })).not.toContain('store');
  });

  test('says that the sandbox proves nothing, and that a start was refused', () => {
    expect(shown()).not.toMatch(/made-up people|not started from this page/);
    expect(shown({ sandbox: true })).toMatch(
      /^Test: made-up people, proves nothing .* Here you need no phone and no PIN of your own: a sandbox stands in for your wallet\./,
    );
    expect(shown({ refused: 'foreign' })).toMatch(
      /^The verification has not begun, because the request did not come from this page\. Please start it here\./,
    );
    expect(shown({ hints: [hostile] })).toMatch(`For the developer: ${escaped}`);
    const foreign = { question, action: '', keepFor: 1, sandbox: true, refused: 'foreign' } as const;
    expect(startPage(site, foreign).status).toBe(403);
    expect(markupOf(startPage(site, foreign))).toMatch(/<form method="post" >/);
  });

  test('escapes the purpose and the address', () => {
    const page = startPage(
      { ...site, name: hostile, home: hostile, privacy: hostile, lang: 'en' },
      {
        question: { ...question, purpose: `${hostile}{name}{else}{constructor}{__proto__}` },
        action: hostile,
        keepFor: 1,
        sandbox: false,
      },
    );
    const markup = markupOf(page);
    expect(markup).not.toMatch(/<script|<img/);
    expect(markup).toContain(`action="${escapedInAddress}"`);
    expect(markup).toContain(`<p class="lead">${escaped}${escaped}{else}{constructor}{__proto__}</p>`);
    expect(markup.split(`<a href="${escapedInAddress}">`)).toHaveLength(4);
    const logo = { light: hostile, dark: 'x' };
    const others = [{ lang: hostile, label: hostile, url: hostile }];
    const signed = renderPage(page, createTheme({}), { ...site, logo }, others);
    expect(signed).toContain(`<img src="${escaped}" alt="${escaped}" />`);
    expect(signed).toContain(`href="${escaped}" lang="${escaped}" hreflang="${escaped}">${escaped}</a>`);
    expect(signed).not.toMatch(/<script/);
  });

  test('a purpose may be written by language and question', async () => {
    const texts = { en: { purpose: 'Why, {name}?' }, de: { purpose: 'Darum.', 'purpose.age': 'Ab 18.' } };
    const [en, de] = await languagesOf({ texts }, [question, { name: 'age' }]);
    const asked = { ...question, purpose: 'In code.' };
    expect(shown({ question: asked }, { ...site, ...en })).toMatch(/^Why, Shop\? /);
    expect(shown({ question: asked }, { ...site, ...de })).toMatch(/^Darum\. /);
    expect(shown({ question: { ...asked, name: 'age' } }, { ...site, ...de })).toMatch(/^Ab 18\. /);
    expect(shown({ question: { ...asked, name: 'age' } }, { ...site, ...en })).toMatch(/^In code\. /);
  });
});

/** What the kit knows of the service's own codes. */
const retryableOf = (code: string): boolean | undefined =>
  isProveErrorCode(code) ? fromCallback(code).retryable : undefined;

describe('the texts', () => {
  test('every code has one that says what to do, and names nothing from inside', () => {
    const codes = [
      ...Object.keys(errorCodes),
      ...Object.keys(proveErrors),
      'made_up',
      'constructor',
      '__proto__',
    ];
    for (const code of codes) {
      const failure = { status: 1, code, retryable: retryableOf(code), start: undefined };
      const { title, lead } = errorPage(site, failure).texts;
      const said = `${title}. ${lead}`;
      expect([code, said]).toEqual([code, expect.stringMatching(/^[A-Z].{20,}\.$/)]);
      expect(said).not.toMatch(/_|session|store|hook|config|flow|token|key/i);
    }
  });

  test.each(others)('all are there in $lang, with the same placeholders', (other) => {
    const holders = (text: string): string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();
    for (const [key, text] of Object.entries(english.texts)) {
      const translated = other.texts[key as keyof typeof english.texts];
      expect([key, holders(translated)]).toEqual([key, holders(text)]);
    }
  });

  test('a person is not told what only the developer can fix, nor to try again where that cannot help', () => {
    const page = errorPage(site, { status: 500, code: 'session_missing', start: '/start' });
    expect(words(page)).toBe(
      'You cannot verify your identity here at the moment, and trying again will not help. Please let Shop know. ' +
        'Back to Shop If you contact Shop, give this code: session_missing Privacy',
    );
    expect(page.links).toEqual({ home: '/home', privacy: '/privacy' });
    expect(words(errorPage(site, { status: 500, code: 'x', start: '/s', hints: [hostile] }))).toContain(
      `For the developer: ${escaped}`,
    );
  });

  test.each(['not_found', 'return_to_invalid'])(
    'a wrong address (%s) leads home: a new start would not help',
    async (code) => {
      const app = await startApp();
      const page = await app.browser().get(`${app.url}/identity/return?error=${code}`);
      expect(page.text).toMatch(/<a class="button" href="\/">Back to /);
      expect(page.text).not.toContain('"/identity/start"');
    },
  );

  test('a fault of the set-up, or of our own request, never asks a person to try again', () => {
    const ofRequest = ['attribute', 'body'].map((part) => `error_invalid_${part}`);
    const missing = ['parameter', 'state'].map((part) => `error_missing_${part}`);
    const ofAccount = ['error_account', 'error_api_key', 'error_wrong_issuer'];
    const ofSetUp = ['body_consumed', 'config_invalid', 'session_missing', 'session_unsupported'];
    for (const code of [...ofRequest, ...missing, ...ofAccount, ...ofSetUp]) {
      for (const its of inAll) {
        const retryable = retryableOf(code);
        const page = errorPage(its, { status: 500, code, retryable, start: '/start' });
        const set = errorPage(its, { status: 500, code: 'session_missing', start: '/start' });
        expect([code, page.texts.title, page.texts.lead]).toEqual([code, set.texts.title, set.texts.lead]);
        expect([code, page.texts.action, page.links.action, page.form]).toEqual([code]);
      }
    }
  });

  test('what happened to a person has a page of its own: nine kinds, nine titles', () => {
    const ofPeople = ['declined', 'timed_out', 'credential_missing', 'presentation_invalid', 'refused'];
    const codes = [
      ...ofPeople,
      'credential_expired',
      'credential_revoked',
      'service_unreachable',
      'config_invalid',
    ];
    for (const its of inAll) {
      const titles = codes.map((code) => errorPage(its, { status: 200, code, start: '/start' }).texts.title);
      expect([new Set(titles).size, titles]).toEqual([9, titles]);
    }
  });

  test.each([
    ['cross_site', 'foreign', 'start_again'],
    ['state_unknown', 'ended', 'start_again'],
    ['session_changed', 'busy', 'try_again'],
  ] as const)('%s has the page "%s", whose button says %s', (code, topic, button) => {
    for (const its of inAll) {
      const { title, action } = errorPage(its, { status: 403, code, start: '/start' }).texts;
      expect([title, action]).toEqual([its.texts[`${topic}_title`], its.texts[button]]);
    }
  });

  test('a return in the wrong browser: the warning follows the heading, and no filled button pushes on', () => {
    for (const its of inAll) {
      for (const topic of ['elsewhere', 'session_over'] as const) {
        for (const start of ['/start', undefined]) {
          const markup = markupOf(startAgainPage(its, { status: 403, topic, start }));
          const places = [
            `<h1>${its.texts[`${topic}_title`]}</h1>`,
            its.texts.elsewhere_warning,
            `<summary class="button other">${its.texts.elsewhere_other}</summary>`,
          ].map((part) => markup.indexOf(part));
          expect(places).toEqual(places.toSorted((a, b) => a - b));
          expect(places[0]).toBeGreaterThan(0);
          expect(markup).not.toContain('class="button"');
          expect(markup).toContain(
            `<a class="button other" href="${start ?? its.home}">${its.texts.elsewhere_button}</a>`,
          );
        }
      }
    }
  });

  test('"could not be reached" is said only of what was not, and where nobody could ask, what was kept', () => {
    const leadOf = (code: string): string =>
      errorPage(site, { status: 502, code, retryable: retryableOf(code), start: '/s' }).texts.lead;
    for (const code of ['service_unreachable', 'service_timeout']) {
      expect(leadOf(code)).toContain('could not be reached or did not respond');
    }
    for (const code of ['service_reply_invalid', 'error_internal']) {
      expect(leadOf(code)).toBe(
        'You did nothing wrong, and none of your data was kept. Please try again in a few minutes.',
      );
    }
    for (const code of ['keys_unavailable', 'credential_status_unavailable', 'verify_timeout']) {
      const { title, lead } = errorPage(site, { status: 503, code, start: '/s' }).texts;
      expect(title).toBe('We cannot check your ID right now');
      expect(lead).toContain('kept none of what was shared');
    }
  });

  describe('the languages claim the same of a flow', () => {
    /** What a page can claim, and how each language says it. */
    const claims: Readonly<Record<string, Readonly<Record<string, RegExp>>>> = {
      'it has ended': {
        en: /\bended\b/i,
        de: /beendet/i,
        fr: /session est terminée|mis fin|pris fin|a interrompu la/i,
      },
      'start again': {
        en: /start again/i,
        de: /neu (?:zu )?beginnen|beginn\w+ (?:\S+ ){0,6}neu\b/i,
        fr: /veuillez recommencer|recommencez/i,
      },
      'try again': {
        en: /try again|responded, but/i,
        de: /noch einmal/i,
        fr: /(?:veuillez|pouvez) réessayer/i,
      },
      'go on where one began': {
        en: /(?:continue|go on|carry on) (?:where|in the browser)/i,
        de: /machen Sie (?:\S+ ){0,4}weiter/i,
        fr: /continuer dans|poursui\w+ dans/i,
      },
      'trying again is of no use': {
        en: /will not (?:help|change)|may not help/i,
        de: /Versuch (?:mit demselben Ausweis )?(?:hilft|ändert)/i,
        fr: /sert à rien|n’y changera rien|ne suffira/i,
      },
      'nothing was shared': {
        en: /nothing was shared|shared nothing/i,
        de: /nichts übermittelt/i,
        fr: /rien n’a été transmis|rien transmis/i,
      },
      'nothing came to this browser or account': {
        en: /browser got nothing|no data was given/i,
        de: /Browser hat nichts erhalten|keine Daten/i,
        fr: /navigateur n’a rien reçu|aucune donnée/i,
      },
      'the answer was not used': {
        en: /has not used your answer/i,
        de: /Ihre Antwort nicht verwendet|keine Antwort von Ihnen verwendet/i,
        fr: /n’a pas utilisé votre réponse|n’a utilisé aucune réponse/i,
      },
      'nothing was kept': {
        en: /kept none|none of your data was kept/i,
        de: /nichts von dem gespeichert|keine Ihrer Angaben gespeichert/i,
        fr: /rien conservé|conservé aucune de vos données|aucune de vos données n’a été conservée/i,
      },
      'another way': { en: /another way/i, de: /anderen Weg|anders geht/i, fr: /autre solution/i },
      'you did nothing wrong': {
        en: /did nothing wrong/i,
        de: /liegt nicht an Ihnen/i,
        fr: /n’y êtes pour rien/i,
      },
    };
    const topics = Object.keys(english.texts).flatMap((key) =>
      key.endsWith('_text') ? [key.slice(0, -'_text'.length)] : [],
    );
    const claimsIn = ({ lang }: PageContext, said: string): string[] =>
      Object.keys(claims).filter((claim) => claims[claim]?.[lang]?.test(said));
    const claimsOf = (its: PageContext, topic: string): string[] => {
      const texts: Readonly<Record<string, string>> = its.texts;
      return claimsIn(its, `${texts[`${topic}_title`] ?? ''} ${texts[`${topic}_text`]}`);
    };

    test.each(topics)('%s', (topic) => {
      const [first, ...more] = inAll.map((its) => claimsOf(its, topic));
      for (const other of more) expect(other).toEqual(first);
    });

    test('what stands without a title says nothing of what came of it, in each language', () => {
      const alone = Object.keys(english.texts).filter((key) => !/_(?:title|text)$/.test(key)) as TextKey[];
      const facts = ['it has ended', 'trying again is of no use', 'nothing was shared', 'nothing was kept'];
      const claimed = (its: PageContext): string[] =>
        alone.flatMap((key) => {
          const made = claimsIn(its, its.texts[key]).filter((claim) => facts.includes(claim));
          return made.map((claim) => `${key}: ${claim}`);
        });
      for (const its of inAll) {
        expect([its.lang, claimed(its)]).toEqual([its.lang, []]);
      }
    });

    test('each claim is made somewhere but two: the one is false, and the other is where there is no other way', () => {
      const made = new Set(topics.flatMap((topic) => claimsOf(site, topic)));
      const unmade = ['go on where one began', 'another way'];
      expect(Object.keys(claims).filter((claim) => !made.has(claim))).toEqual(unmade);
      expect(claimsOf(site, 'elsewhere')).toEqual([
        'it has ended',
        'nothing came to this browser or account',
        'the answer was not used',
      ]);
    });

    test('only a wallet that cannot have sent anything is said to have shared nothing', () => {
      // Who cancels on the page that waits may have shared before: an answer that does not count ends nothing.
      const shared = topics.filter((topic) => claimsOf(site, topic).includes('nothing was shared'));
      expect(shared).toEqual(['not_shared', 'card_blocked', 'credential_missing']);
    });

    test('the German wallet is told from AusweisApp, once a start page', () => {
      for (const sandbox of [true, false]) {
        expect(shown({ sandbox }, inGerman).match(/nicht die AusweisApp/g)).toHaveLength(1);
      }
      expect(Object.values(inGerman.texts).join(' ')).not.toContain('Ausweis-App');
    });
  });

  test('a language that is written from right to left says so, and English in it says that it is English', async () => {
    const own = { ar: { start_title_age: 'أثبت عمرك', cancel: 'إلغاء' } };
    const arabic = (await languagesOf({ texts: own }, [question])).find(({ lang }) => lang === 'ar');
    const its: PageContext = { ...site, ...arabic, inEnglish: new Set() };
    const markup = markupOf(
      startPage(its, { question, action: '', keepFor: 8 * 3_600_000, sandbox: true, hints: ['your cookie'] }),
      its,
    );
    expect(markup).toContain('<html lang="ar" dir="rtl">');
    expect(markup).toContain('<bdi lang="en" dir="ltr">Continue to my wallet</bdi></button>');
    expect(markup).toMatch(
      /<bdi lang="en" dir="ltr">Whether Shop stores[^<]*until your session ends, and for 8 hours at most\.<\/bdi>/,
    );
    expect(markup).toContain('>إلغاء</a>');
    expect(markup).toMatch(/<div class="note" lang="en" dir="ltr">\s*<p>For the developer: your cookie/);
    for (const each of inAll) {
      expect(
        markupOf(startAgainPage(each, { status: 403, topic: 'elsewhere', start: '/s' }), each),
      ).not.toMatch(/dir="|<bdi/);
    }
  });

  test('F144 a no does not say where it was said: it may be Cancel on a page of the service', () => {
    for (const its of inAll) {
      const { title } = errorPage(its, { status: 403, code: 'declined', start: '/start' }).texts;
      expect(title).not.toMatch(/wallet|app|portefeuille/i);
    }
  });

  test.each([
    'credential_expired',
    'credential_revoked',
    'card_blocked',
    'attribute_invalid',
    'refused',
    'identity_insufficient',
  ])('%s leads to a new start with another ID alone, by a link that is not the button', (code) => {
    for (const its of inAll) {
      const page = errorPage(its, { status: 422, code, start: '/start' });
      expect(page.links).toEqual({ home: '/home', anotherId: '/start', privacy: '/privacy' });
      const markup = markupOf(page);
      expect(markup).toContain(`<p class="away"><a href="/start">${its.texts.another_id}</a></p>`);
      expect(markup.match(/class="button[^>]*>[^<]*/g)).toEqual([
        `class="button" href="/home">${page.texts.home}`,
      ]);
      const { links } = errorPage(its, { status: 422, code, start: undefined });
      expect(links).toEqual({ home: '/home', privacy: '/privacy' });
    }
  });

  test('a refusal says how long it counts only where no link leads to another ID', () => {
    const refused = { status: 403, code: 'identity_insufficient', keptFor: 28_800_000 };
    for (const its of inAll) {
      expect(errorPage(its, { ...refused, start: '/start' }).texts.more).toEqual([]);
      const [said, ...more] = errorPage(its, { ...refused, start: undefined }).texts.more;
      expect([said, more]).toEqual([expect.stringMatching(/\s8\s(?:hours|Stunden|heures)\s/), []]);
      expect(said).not.toMatch(/again|neu|refaire/);
    }
  });

  test('where a new start with the same ID cannot help, the other way is the button; elsewhere it is the second one', () => {
    const otherWayOf = (): OtherWay => ({ url: '/counter' });
    for (const its of inAll.map((each) => ({ ...each, otherWayOf }))) {
      const words = its.texts.other_way_button;
      for (const code of ['credential_expired', 'credential_revoked', 'card_blocked', 'attribute_invalid']) {
        const page = errorPage(its, { status: 422, code, start: '/start' });
        expect(markupOf(page)).toContain(`<a class="button" href="/counter">${words}</a>`);
        const others = { home: '/home', anotherId: '/start', privacy: '/privacy' };
        expect(page.links).toEqual({ action: '/counter', ...others });
      }
      const forged = errorPage(its, { status: 422, code: 'presentation_invalid', start: '/start' });
      expect(markupOf(forged)).toMatch(
        new RegExp(
          `<a class="button" href="/start">[^<]+</a></p>\\s*<p><a class="button other" href="/counter">${words}<`,
        ),
      );
    }
  });

  test('the line for support has a code that can be read out, no time that moves and no long id', () => {
    const flow = 'F'.repeat(43);
    const said = supportCodeOf(flow);
    expect(said).toMatch(/^[0-9A-HJKMNP-TV-Z]{4}-[0-9A-HJKMNP-TV-Z]{4}$/);
    for (const its of inAll) {
      const label = its.texts.support.replace('{name}', 'Shop').replace('{code}', '');
      const failed = errorPage(its, { status: 500, code: 'timed_out', start: '/start', flow });
      expect(failed.texts.support).toBe(`${label}${said} (timed_out)`);
      const again = tryAgainPage(its, { status: 500, code: 'hook_failed', flow });
      expect(again.texts.support).toBe(`${label}${said} (hook_failed)`);
      const busy = errorPage(its, { status: 429, code: 'busy', start: '/start', wait: 60_000 });
      expect(busy.texts.support).toBe(`${label}busy`);
      expect(markupOf(failed)).toContain(`<strong>${said}</strong> (<code>timed_out</code>)</span`);
    }
  });

  test('no translator changes the name of the site; what is said to a developer is marked as English', () => {
    for (const its of inAll) {
      const hinted = errorPage(its, { status: 500, code: 'x', start: '/s', hints: ['trust proxy'] });
      expect(markupOf(hinted)).toMatch(/<div class="site" translate="no">\s*<a href="\/home">Shop<\/a>/);
      expect(markupOf(hinted)).toMatch(
        /<div class="note" lang="en" dir="ltr">\s*<p>For the developer: trust proxy<\/p>/,
      );
      const tested = startPage(its, { question, action: '', keepFor: 1, sandbox: true });
      expect(markupOf(tested)).not.toContain('class="note" lang');
    }
  });

  test('every page has a way on and a way home, without a script', () => {
    const topics = ['elsewhere', 'session_over', 'broken', 'used', 'changed'] as const;
    const allOn = (its: PageContext): IdentityPage[] => [
      ...[...Object.keys(errorCodes), 'made_up'].map((code) =>
        errorPage(its, { status: 1, code, start: '/s' }),
      ),
      errorPage(its, { status: 404, code: 'busy', start: undefined }),
      ...topics.map((topic) => startAgainPage(its, { status: 403, topic, start: '/identity/start' })),
      startAgainPage(its, { status: 403, topic: 'elsewhere', start: undefined }),
      tryAgainPage(its, { status: 500, code: 'hook_failed' }),
      returnRedirectPage(its, '/on'),
    ];
    for (const page of inAll.flatMap(allOn)) {
      const markup = markupOf(page);
      expect(markup).toContain('<a href="/home">Shop</a>');
      const isWarning = page.texts.elsewhere !== undefined; // no button stands out there
      expect(/<a class="button" href="[^"]*">/.test(markup)).toBe(!isWarning);
      const { texts } = inAll.find(({ lang }) => lang === page.lang) ?? site;
      const home = [texts.cancel, texts.home.replace('{name}', 'Shop')].join('|');
      expect(markup).toMatch(new RegExp(`<a (?:class="button" )?href="/home">(?:${home})</a>`));
      expect(markup).toContain(`<a href="/privacy">${texts.privacy}</a>`);
      expect(markup).toContain(`<html lang="${page.lang}">`);
    }
    expect(
      markupOf(startAgainPage(site, { status: 403, topic: 'elsewhere', start: '/identity/start' })),
    ).toContain('<a class="button other" href="/identity/start">Start again here</a>');
    expect(markupOf(tryAgainPage(site, { status: 500, code: 'hook_failed' }))).toContain(
      '<a class="button" href="">Try again</a>',
    );
    const hinted = words(
      startAgainPage(inGerman, { status: 403, topic: 'elsewhere', start: '/s', hints: ['your cookie'] }),
    );
    expect(hinted).toMatch(
      /^Hat Ihnen .* Dieser Vorgang .* Hier neu beginnen Zurück zu Shop For the developer: your cookie/,
    );
    expect(markupOf(returnRedirectPage(site, hostile))).toContain(
      `<a class="button" href="${escapedInAddress}">`,
    );
  });
});

describe('a page as it is sent', () => {
  const addresses = ['/start', '/start?returnTo=//x', '/return', '/return?error=refused'];

  test('F10 allows its own stylesheet and nothing else, and cannot be framed', async () => {
    const app = await startApp();
    for (const address of addresses) {
      const { text, headers } = await app.browser().get(`${app.url}/identity${address}`);
      const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? '';
      const digest = createHash('sha256').update(style).digest('base64');
      expect(headers.get('content-security-policy')).toBe(
        `default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; frame-ancestors 'none'`,
      );
      expect(style).toContain(':focus-visible');
      expect(text).toMatch(/^<!doctype html>\n<html lang="en">/);
      expect(text.match(/<style/g)).toHaveLength(1);
      expect(text).toMatch(/<a (?:class="button" )?href="\/">(?:Cancel|Back to 127\.0\.0\.1:\d+)<\/a>/);
      expect(text).not.toMatch(/<script|<link|<iframe|<img|\son\w+=|\sstyle=|url\(|@import|@font-face/);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(headers.get('x-frame-options')).toBe('DENY');
    }
  });

  test("replaces helmet's policy, and one that only reports", async () => {
    const app = await startApp({
      before: (its) => {
        its.use(helmet());
        its.use(helmet.contentSecurityPolicy({ reportOnly: true }));
      },
      after: (its) => its.get('/else', (_req, res) => void res.send('of the app')),
    });
    for (const address of addresses) {
      const { headers } = await app.browser().get(`${app.url}/identity${address}`);
      expect(headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/);
      expect(headers.get('content-security-policy')).not.toContain('form-action');
      expect(headers.get('content-security-policy-report-only')).toBeNull();
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('referrer-policy')).toBe(address === '/start' ? 'same-origin' : 'no-referrer');
    }
    const other = await app.browser().get(`${app.url}/else`);
    expect(other.headers.get('content-security-policy')).toContain("form-action 'self'"); // the app's own stay
  });
});
