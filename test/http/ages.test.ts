import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it, test } from '@jest/globals';
import { memoryStore } from '../../lib/index.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import type { Deviation } from '../support/foreign-wallet.js';
import { type Identity, startApp, type Running } from '../support/app.js';
import { startAsking } from '../support/asked-service.js';
import { closeAfter } from '../support/close-after.js';
import { entryOf, startWalletApp, walletWorld } from '../support/wallets.js';

const shared = walletWorld();

type Told = Readonly<Record<string, unknown>>;

/** Options and routes of an app that writes down all that it is told, and all that is logged. */
function listening(options: object = {}) {
  const told: Record<string, unknown[]> = {};
  const note = (where: string, what: unknown): void => void (told[where] ??= []).push(what);
  const logger = { error: (line: string) => note('log', line), warn: (line: string) => note('log', line) };
  const onDiagnostics = (event: unknown): void => note('diagnostics', event);
  subscribe('pidgate', onDiagnostics);
  closeAfter(() => void unsubscribe('pidgate', onDiagnostics));
  return {
    told,
    setup: {
      options: {
        reveal: ['age_over_18'],
        logger,
        context: () => ({ order: 7 }),
        onVerified: (its: { result: { attributes: unknown } }) => note('onVerified', its),
        keep: (result: { attributes: { age_over_18: boolean } }) => {
          note('keep', result);
          return { adult: result.attributes.age_over_18 };
        },
        keptAs: 'Whether you are 18 or over',
        onSuccess: ({ result, context }: Told) => note('onSuccess', { result, context }),
        onError: ({ error, context }: Told) => note('onError', { error, context }),
        store: memoryStore(),
        ...options,
      },
      after: (app: Running['app'], identity: Identity) => {
        app.get(
          '/club',
          identity.require({ allow: (kept) => (kept as Told)['adult'] === true }),
          (req, res) => {
            note('identity.of', identity.of(req));
            res.json(identity.of(req)?.kept);
          },
        );
      },
    },
  };
}

/** Nothing of all that has a date of birth, by its value or by its name. */
function expectNoDate(app: Running, told: Readonly<Record<string, unknown>>): void {
  const all = JSON.stringify([told, app.events, app.stored()]);
  expect(all).not.toMatch(/1964|08-12|birth/);
  expect(Object.keys(told)).toEqual(
    expect.arrayContaining(['onVerified', 'keep', 'onSuccess', 'diagnostics']),
  );
}

/** The claims whose Disclosures are in a presentation. */
const disclosedIn = (presentation: string): string[] =>
  presentation
    .split('~')
    .slice(1, -1)
    .map((text) => String((JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]).at(-2)))
    .toSorted();

describe('an app that asks wallets for an age', () => {
  const withTrust = (sandbox: Sandbox, claims: object) => ({
    trust: { 'de-ausweis': { ...entryOf(sandbox), claims } },
  });
  const elsewhere = { age_over: ['ages_of_another_issuer'] };

  it.each<[what: string, claims: object, deviation: Deviation, shown: string[]]>([
    ['has the claim and shows nothing but it', {}, {}, ['18', 'age_equal_or_over']],
    ['has no ages and shows the date', elsewhere, {}, ['birthdate']],
    [
      'takes no notice of sets and shows both',
      {},
      { ignoresSets: true },
      ['18', 'age_equal_or_over', 'birthdate'],
    ],
  ])('learns nothing else from a wallet that %s', async (_, claims, deviation, shown) => {
    const { told, setup } = listening(withTrust(shared.sandbox(), claims));
    const app = await startWalletApp({ sandbox: shared.sandbox(), ...setup }, { access: shared.access() });
    const { browser, opened } = await app.asked('link');
    let disclosed: string[] = [];
    const look = (presentation: string): string => {
      disclosed = disclosedIn(presentation);
      return presentation;
    };
    const { body } = await opened.send(await opened.respond({ ...deviation, tamper: look }));
    expect(disclosed).toEqual(shown);
    expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect((await browser.get(`${app.url}/club`)).json()).toEqual({ adult: true });
    expect(told['onVerified']).toMatchObject([{ result: { attributes: { age_over_18: true } } }]);
    expectNoDate(app, told);
  });

  it('gets the date too where it asks for it, and of the wallet nothing but the date', async () => {
    const { told, setup } = listening({ reveal: ['age_over_18', 'birth_date', 'age_over_67'] });
    const app = await startWalletApp({ sandbox: shared.sandbox(), ...setup }, { access: shared.access() });
    const { opened, browser } = await app.asked('link');
    expect(opened.asked).toEqual(['birthdate']);
    const { body } = await opened.send(await opened.respond());
    await browser.get(body.redirect_uri ?? '');
    expect(told['onVerified']).toMatchObject([
      { result: { attributes: { age_over_18: true, birth_date: '1964-08-12', age_over_67: false } } },
    ]);
  });

  it('hears of a wallet that finds nothing what it hears of each that shares nothing', async () => {
    const { told, setup } = listening();
    const app = await startWalletApp({ sandbox: shared.sandbox(), ...setup }, { access: shared.access() });
    const { opened, browser } = await app.asked('link');
    const { body } = await opened.decline();
    expect(new URL(body.redirect_uri ?? '').searchParams.get('error')).toBe('not_shared');
    expect(told).not.toHaveProperty('onVerified');
    expect((await browser.get(`${app.url}/club`)).status).toBe(303); // to the start
  });
});

describe('an app that asks a service for an age', () => {
  test('sends what the interface knows: the date of birth, once', async () => {
    const reveal = ['age_over_18', 'given_name', 'age_over_21', 'birth_date'];
    const app = await startAsking({ options: { reveal } });
    await app.start(app.browser());
    const { revealed } = JSON.parse(app.service.seen.at(-1)?.body ?? '') as { revealed: unknown };
    expect(revealed).toEqual(['birth_date', 'given_name']);
  });

  test('gets the answer, and no date', async () => {
    const { told, setup } = listening();
    const app = await startApp(setup);
    const browser = await app.released();
    expect((await browser.get(`${app.url}/club`)).json()).toEqual({ adult: true });
    expect(told['keep']).toMatchObject([{ attributes: { age_over_18: true } }]);
    expectNoDate(app, told);
    const home = await (await fetch(app.sandbox.url)).text();
    const [, timeline = ''] = /href="(\/timeline\/[\w-]+)"/.exec(home) ?? [];
    const flow = await (await fetch(`${app.sandbox.url}${timeline}`)).text();
    expect(flow).toContain('/identity/callback');
    expect(flow).not.toMatch(/1964|08-12/);
  });

  test('keeps a minor out', async () => {
    const { told, setup } = listening();
    const app = await startApp({ ...setup, wallet: { person: 'minor' } });
    const browser = await app.released();
    expect((await browser.get(`${app.url}/club`)).status).toBe(403);
    expect(told['keep']).toMatchObject([{ attributes: { age_over_18: false } }]);
  });
});

describe('the start page', () => {
  const languages = ['en', 'de', 'fr'] as const;
  const listOf = async (app: Running, lang: string): Promise<string[]> => {
    const { text } = await app.browser().get(`${app.url}/identity/start`, { 'accept-language': lang });
    const list = /<section>.*?<\/section>/s.exec(text)?.[0] ?? '';
    return [...list.matchAll(/<li>(.*?)<\/li>/gs)].map(([, item = '']) =>
      item.replaceAll(/<[^>]+>/g, '').replaceAll(/\s+/g, ' '),
    );
  };
  const pages = { name: 'The Club' };

  test('says what a wallet shows, in each language', async () => {
    const options = { reveal: ['given_name', 'age_over_18'], pages };
    const app = await startWalletApp({ sandbox: shared.sandbox(), options }, { access: shared.access() });
    const lists = await Promise.all(languages.map(async (lang) => await listOf(app, lang)));
    expect(lists).toEqual([
      [
        'Given name',
        'Whether you are 18 or over If your wallet cannot share only this, it shares your date of birth, and The Club does not keep it.',
      ],
      [
        'Vorname',
        'Ob Sie 18 Jahre oder älter sind Kann Ihre Wallet das nicht ohne Geburtsdatum bestätigen, übermittelt sie Ihr Geburtsdatum. The Club speichert es nicht.',
      ],
      [
        'Prénom',
        'Avoir 18 ans ou plus Si votre application d’identité ne peut pas répondre par oui ou non, elle transmet votre date de naissance, et The Club ne la conserve pas.',
      ],
    ]);
    const { shown } = await app.begin();
    expect(shown.text).toContain('Whether you are 18 or over');
  });

  test('says what a service has the wallet show, in each language', async () => {
    const app = await startApp({ options: { reveal: ['age_over_21'], pages } });
    const lists = await Promise.all(languages.map(async (lang) => await listOf(app, lang)));
    expect(lists).toEqual([
      [
        'Whether you are 21 or over Your wallet shares your date of birth. Of it, The Club keeps only whether you are 21 or over.',
      ],
      [
        'Ob Sie 21 Jahre oder älter sind Ihre Wallet übermittelt Ihr Geburtsdatum. The Club speichert davon nur, ob Sie 21 Jahre oder älter sind.',
      ],
      [
        'Avoir 21 ans ou plus Votre application d’identité transmet votre date de naissance. The Club n’en conserve que la réponse : 21 ans ou plus, oui ou non.',
      ],
    ]);
    expect((await app.browser().get(`${app.url}/identity/start`)).text).toContain('<h1>Prove your age</h1>');
  });

  test('says what a wallet shows whose issuer writes no ages', async () => {
    const trust = { 'de-ausweis': { ...entryOf(shared.sandbox()), claims: { age_over: false } } };
    const options = { reveal: ['age_over_18'], pages, trust };
    const app = await startWalletApp({ sandbox: shared.sandbox(), options }, { access: shared.access() });
    expect(await listOf(app, 'en')).toEqual([
      'Whether you are 18 or over Your wallet shares your date of birth. Of it, The Club keeps only whether you are 18 or over.',
    ]);
  });

  test('lists the date of birth alone where it is asked for too', async () => {
    const app = await startApp({ options: { reveal: ['age_over_18', 'birth_date'], pages } });
    expect(await listOf(app, 'en')).toEqual(['Date of birth']);
  });
});
