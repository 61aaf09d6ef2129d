import { describe, expect, it } from '@jest/globals';
import { createBrowser } from '../../../support/browser.js';
import { startApp } from '../../../support/app.js';
import { inMode } from '../../../support/mode.js';
import { openedSessions } from '../../../support/sealed.js';
import { sandbox, start } from '../open.js';
import { wordsOf } from '../timeline/pages.js';
import { agree, germanFlow, headingOf, news, openWallet, openedWallet } from '../german.js';

// What people see of the sandbox's pages.

describe('the wallet', () => {
  it('shares the card that is chosen without a step between, and the page of the PIN shows what', async () => {
    const { flow, wallet } = await openedWallet({ request: { revealed: ['birth_date'] } });
    const approve = async (person: string) => {
      await flow.browser.post(wallet, { decision: 'approve', person });
      const { text } = await flow.browser.get(wallet);
      expect(headingOf(text)).toBe('Enter your PIN');
      return text.slice(text.indexOf('Will be shared'));
    };
    expect(await approve('erika')).toContain('12 August 1964');
    expect(await approve('leap_day')).toContain('29 February 2008'); // back from the PIN, and another card
    await flow.browser.post(wallet, { decision: 'person', person: 'erika' }); // what was agreed to is no more
    expect((await flow.browser.post(wallet, { decision: 'pin', pin: '123456' })).status).toBe(400);
    expect((await flow.browser.post(wallet, { decision: 'approve', person: 'nobody' })).status).toBe(400);
    await approve('leap_day');
    await flow.browser.post(wallet, { decision: 'pin', pin: '123456' });
    expect(await flow.verdict()).toMatchObject({ attributes: { birth_date: '2008-02-29' } });
  });

  it.each(['xx-sandbox', 'de-ausweis'])(
    '%s: no Share before what is shared is shown: a person is a button, which shows the data of that person',
    async (issuer) => {
      const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
      const url = await start(service, { issuer, same_device: true, revealed: ['birth_date'] });
      const browser = createBrowser();
      const page = issuer === 'xx-sandbox' ? url : await openWallet({ page: url, browser, service } as never);
      const shown = async () => {
        const { text } = await browser.get(page);
        const forms = [...text.matchAll(/<form[^]*?<\/form>/g)].map(([form]) => form);
        const shares = forms.filter((form) => /value="(?:approve|scenario)"/.test(form));
        return {
          text: wordsOf(text),
          buttons: [...text.matchAll(/<button name="person" value="(\w+)"/g)].map(([, name]) => name),
          // What Share and a scenario would share: the person of the page, and nothing that a person can set there.
          shares: shares.map((form) => /name="person" value="(\w*)"/.exec(form)?.[1]),
          choosing: forms.filter((form) => /<select[^>]*name="person"/.test(form)),
        };
      };
      const before = await shown();
      expect(before.buttons.slice(0, 3)).toEqual(['erika', 'minor', 'french']);
      expect(before.buttons).toHaveLength(11);
      expect(before.text).toContain(
        'In the wallet is the card of Erika Mustermann The person on every German specimen card Erika Leon (17) More people',
      );
      expect(before.text).toContain('12 August 1964');
      expect([before.shares, before.choosing]).toEqual([['erika', 'erika'], []]);

      await browser.post(page, { decision: 'person', person: 'minor' });
      const after = await shown();
      expect(after.text).toContain('In the wallet is the card of Leon Mustermann 17, turns 18 tomorrow');
      expect(after.text).not.toContain('12 August 1964');
      expect(after.shares).toEqual(['minor', 'minor']);
    },
  );

  it('what is not six digits is no try, and says so; a reload counts nothing', async () => {
    const { flow, wallet } = await openedWallet();
    await flow.browser.post(wallet, { decision: 'approve' });
    const enter = async (pin: string) => {
      const { status, location } = await flow.browser.post(wallet, { decision: 'pin', pin });
      expect([status, location]).toEqual([303, new URL(wallet).pathname]);
      return (await flow.browser.get(wallet)).text;
    };
    for (const pin of ['', '12', '1234567', 'secret', '12345 ', '１２３４５６']) {
      const text = await enter(pin);
      expect(headingOf(text)).toBe('Enter your PIN');
      expect(text).toMatch(/id="wrong" role="alert">The PIN has six digits\. This did not count\./);
    }
    const wrong = await enter('000000');
    expect(headingOf(wrong)).toBe('That PIN is wrong');
    expect(wrong).toMatch(/id="wrong" role="alert">You have 2 tries left/);
    expect(wrong).toMatch(/<input(?=[^>]*\brequired)(?=[^>]*\bautofocus)(?=[^>]*\bpattern="\[0-9\]\{6\}")/);
    expect(wrong).toMatch(/aria-describedby="wrong hint"/);
    expect((await flow.browser.get(wallet)).text).toContain('You have 2 tries left');
    await enter('12');
    expect(await enter('000000')).toContain('You have one try left');
  });
});

describe('what the wallet offers', () => {
  it.each(['xx-sandbox', 'de-ausweis'])(
    '%s: offers scenarios in groups, the sentence first',
    async (issuer) => {
      const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
      const url = await start(service, { issuer, same_device: true });
      const flow = { page: url, browser: createBrowser(), service } as never;
      const page = issuer === 'xx-sandbox' ? url : await openWallet(flow);
      const { text } = await createBrowser().get(page);
      const groups = [...text.matchAll(/<optgroup label="([^"]+)">([^]*?)<\/optgroup>/g)];
      expect(groups.map(([, label]) => label)).toEqual([
        'The person or the wallet',
        'The proof',
        'The callback',
        'The return',
      ]);
      expect(groups[1]?.[2]).toMatch(
        /<option value="expired"\s*>The credential has expired \(expired\)<\/option>/,
      );
    },
  );

  it('of xx-sandbox lets one choose the person, as the German one does', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
    const url = await start(service, { revealed: ['birth_date'] });
    const browser = createBrowser();
    const shown = async () => (await browser.get(url)).text;
    expect(await shown()).toMatch(/value="erika" aria-current="true"/);
    const { status, location } = await browser.post(url, { decision: 'person', person: 'leap_day' });
    expect([status, location]).toEqual([303, new URL(url).pathname]);
    expect(await shown()).toContain('<dd>29 February 2008</dd>');
    expect(await shown()).toContain('You are Max Mustermann.');
    for (const person of ['nobody', '__proto__']) {
      expect((await browser.post(url, { decision: 'approve', person })).status).toBe(400);
    }
    expect(await shown()).toContain('<dd>29 February 2008</dd>');
  });

  it('of xx-sandbox shares what its page shows, whoever was chosen in another window since', async () => {
    const app = await startApp({ options: { keep: ({ attributes }: { attributes: object }) => attributes } });
    const browser = app.browser();
    const wallet = await app.start(browser);
    await browser.post(wallet, { decision: 'person', person: 'minor' });
    const { location = '' } = await browser.post(wallet, { decision: 'approve', person: 'leap_day' });
    await browser.get(location);
    expect(openedSessions(app)).toContain('2008-02-29');
  });

  it('keeps a person from code until somebody else is chosen', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/cb', person: { given_name: 'Ada' } });
    const url = await start(service);
    const browser = createBrowser();
    expect((await browser.get(url)).text).toContain('<strong>Ada Mustermann</strong>, from your code');
    await browser.post(url, { decision: 'person', person: '' });
    expect((await browser.get(url)).text).toContain('You are Ada Mustermann.');
  });

  it.each(['xx-sandbox', 'de-ausweis'])(
    '%s: says why, with the app’s name beside its host',
    async (issuer) => {
      const purposes = { en: { 'purpose.age': 'Spirits are for adults, {name} says.' } };
      const app = await inMode('development', async () => {
        const questions = { age: { reveal: ['birth_date'], purpose: 'For spirits.' } };
        const wallet = { issuer } as never;
        return await startApp({
          wallet,
          options: { pages: { name: 'Keller', texts: purposes }, reveal: undefined, questions },
        });
      });
      const browser = createBrowser();
      const shown = await browser.post(`${app.url}/identity/start/age?form=kit&lang=en`, {});
      const page = shown.location ?? '';
      const link = { page, browser, service: app.sandbox } as never;
      await browser.get(page);
      if (issuer === 'de-ausweis') await browser.post(page, { way: 'link' });
      const wallet = issuer === 'xx-sandbox' ? page : await openWallet(link);
      const text = (await browser.get(wallet)).text.replaceAll(/<[^>]+>/g, '');
      expect(text).toContain(new URL(app.url).host);
      expect(text).toContain('Keller');
      expect(text.replaceAll(/\s+/g, ' ')).toContain('Why Spirits are for adults, Keller says.');
      const german = (await browser.get(wallet, { 'accept-language': 'de' })).text.replaceAll(/<[^>]+>/g, '');
      expect(german.replaceAll(/\s+/g, ' ')).toContain('Wozu For spirits.');
    },
  );

  it('says what was chosen beforehand', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:1/cb' });
    service.next('expired');
    const { text } = await createBrowser().get(await start(service));
    expect(text).toContain('Chosen for this time: The credential has expired.');
  });

  it('a translator leaves names, codes and the PIN as they are', async () => {
    const { flow, wallet } = await openedWallet();
    await flow.browser.post(wallet, { decision: 'approve' });
    const pin = (await flow.browser.get(wallet)).text;
    expect(pin).toContain('In the sandbox it is always <span translate="no">123456</span>.');
    expect(pin).toContain('<span translate="no">pidgate sandbox</span>');
    for (const path of ['/', '/errors/presentation_invalid']) {
      const page = await (await fetch(flow.service.url + path, { headers: { accept: 'text/html' } })).text();
      expect(page.match(/<(?:code|pre)(?![^>]*translate="no")[^>]*>/g)).toBeNull();
    }
  });
});

describe('no page waits for ever', () => {
  const lifetime = 9 * 60_000;
  const button = /<button class="main" name="way" value="back">Back to (?:127|localhost:1)/;
  const back = /<a class="button main" href="http:\/\/127\.0\.0\.1:\d+\/">Back to 127/;

  it('a request that has expired says so, on the page and in the wallet, with a way back', async () => {
    let now = Date.now();
    const flow = await germanFlow({ clock: () => new Date(now) });
    const waiting = await flow.browser.get(flow.page);
    expect(waiting.text).toMatch(/Valid until \d\d:\d\d\./);
    expect(waiting.text).toContain('<noscript><meta http-equiv="refresh"'); // then it ends without a script too
    const wallet = await openWallet(flow);
    now += lifetime;
    for (const [address, way, where] of [[flow.page, button, 'start again on the website.']] as const) {
      const { status, text } = await flow.browser.get(address);
      expect([status, headingOf(text)]).toEqual([410, 'This request has expired']);
      expect(text).toMatch(way);
      expect(text).toContain(where);
      expect(text).not.toContain('http-equiv="refresh"');
    }
    now -= lifetime;
    await flow.browser.post(wallet, { decision: 'approve' });
    for (const pin of ['1', '2', '3'])
      await flow.browser.post(wallet, { decision: 'pin', pin: pin.repeat(6) });
    expect((await flow.browser.get(wallet)).text).toContain('value="blocked">Back to the website<');
    now += lifetime;
    const late = await flow.browser.post(wallet, { decision: 'approve' });
    expect(headingOf(late.text)).toBe('This request has expired');
  });

  it('so do the pages with a form, by themselves, and they say until when they count', async () => {
    let now = Date.now();
    const options = { clock: () => new Date(now) };
    const service = await sandbox({ ...options, redirectUrl: 'http://localhost:1/cb' });
    const held = await germanFlow(options);
    const ask = await openWallet(held);
    const pin = await openWallet(held);
    await held.browser.post(pin, { decision: 'approve' });
    const { browser } = held;
    for (const page of [await start(service), ask, pin]) {
      const { text } = await browser.get(page);
      expect(text).toMatch(/Valid until \d\d:\d\d\./);
      expect(text).toContain('<noscript><meta http-equiv="refresh" content="540" />'); // nothing typed is lost
      const [, follow = ''] = /data-follow="([^"]+)"/.exec(text) ?? [];
      now += lifetime;
      expect((await browser.get(page)).text).toMatch(button);
      const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      expect(await news(await fetch(new URL(follow, page), { headers: { cookie } }))).toContain('changed');
      now -= lifetime;
    }
  });

  it.each(['the page of the service', 'the wallet'])(
    '%s tells the app that it has expired',
    async (where) => {
      let now = Date.now();
      const flow = await germanFlow({ clock: () => new Date(now) });
      const wallet = await openWallet(flow);
      now += lifetime;
      for (let times = 0; times < 2; times += 1) {
        const { status, location } = await flow.browser.post(where === 'the wallet' ? wallet : flow.page, {
          way: 'back',
        });
        expect([status, location]).toEqual([303, 'http://localhost:3000/identity/return?code=c']);
      }
      expect(flow.callbacks.map(({ body }) => body.get('error'))).toEqual(['wallet_timeout']);
    },
  );

  it('long after that, a page still leads back', async () => {
    let now = Date.now();
    const flow = await germanFlow({ clock: () => new Date(now) });
    const wallet = await openWallet(flow);
    now += 3 * lifetime;
    for (const way of [{ decision: 'decline' }, {}]) {
      expect((await flow.browser.post(wallet, way)).text).toMatch(button);
    }
    for (const path of ['/wallet/unknown']) {
      const { status, text } = await flow.browser.get(flow.service.url + path);
      expect([status, headingOf(text)]).toEqual([404, 'This request has expired']);
      expect(text).toMatch(back);
    }
  });

  it('after the answer every page leads back to the app, and none sends people elsewhere', async () => {
    const { flow, wallet } = await openedWallet();
    await agree(flow, wallet);
    const done = await flow.browser.get(wallet);
    expect(done.text).toMatch(/<button[^>]*value="again">Continue to the website</);
    const { location } = await flow.browser.post(wallet, { decision: 'again' });
    expect(location).toContain('/identity/return');
  });
});

describe('a scenario that must be refused', () => {
  it.each(['both_fields', 'empty_body', 'malformed_state'])(
    '%s: a 400 is as it should be',
    async (scenario) => {
      const app = await startApp();
      const browser = app.browser();
      const page = await app.start(browser);
      const played = await browser.post(page, { decision: 'scenario', scenario });
      expect([played.status, headingOf(played.text)]).toEqual([200, 'As it should be']);
      expect(played.text).toContain('The app refused this callback with 400. The verification still waits.');
      const right = await browser.post(page, { decision: 'right' });
      expect([right.status, right.location]).toEqual([
        303,
        expect.stringContaining('/identity/return?code='),
      ]);
    },
  );
});
