import { runInNewContext } from 'node:vm';
import { describe, expect, it } from '@jest/globals';
import express from 'express';
import { createApp } from '../../bridge/app.js';
import type { Job } from '../../bridge/jobs.js';
import { memoryStore } from '../../bridge/kit.js';
import { createLog } from '../../bridge/log.js';
import { createLook } from '../../bridge/look.js';
import { script } from '../../bridge/pages/style.js';
import { de, en, fill, fr } from '../../bridge/pages/texts.js';
import { de as kitDe } from '../../lib/options/pages/de.js';
import { en as kitEn } from '../../lib/options/pages/en.js';
import { fr as kitFr } from '../../lib/options/pages/fr.js';
import { attributeIds } from '../../lib/types/attributes.js';
import { createBrowser } from '../support/browser.js';
import { gate } from '../support/callbacks.js';
import { serve } from '../support/serve.js';
import { apiKey, endOf, openPage, openScene, settingsFor, stubs } from './scene.js';
import { walletPages } from './try/wallet.js';

// The page of a person: who owns it, what passes without ending it, and in which words it speaks.

const isVerified = { kept: 'ERIKA' };

describe('F137 who loads the page first is never locked out', () => {
  it('a load whose answer is lost, and one that only looks ahead, claim nothing', async () => {
    const it = await openScene('eu');
    const page = await it.app.start(createBrowser());
    await createBrowser().get(page); // its answer, with the cookie, never arrives
    for (const headers of [{ purpose: 'prefetch' }, { 'x-moz': 'prefetch' }])
      await createBrowser().get(page, headers);
    const browser = createBrowser();
    expect((await openPage(browser, page)).status).toBe(200);
    expect((await openPage(createBrowser(), page)).status).toBe(403);
  });

  it('a load that is broken off while the verifier is slow: the same browser loads it again', async () => {
    const it = await openScene('eu');
    const [page, browser] = [await it.app.start(createBrowser()), createBrowser()];
    const first = await browser.get(page);
    expect([first.status, first.location]).toEqual([303, `${page}?again=1`]);
    it.stub.stub.mood = 'late';
    const cookie = [...browser.cookies].map((pair) => pair.join('=')).join();
    const signal = AbortSignal.timeout(100); // claimed, and nobody reads the answer
    await expect(fetch(page, { headers: { cookie }, signal })).rejects.toThrow('aborted');
    it.stub.stub.mood = 'well';
    expect((await browser.get(page)).status).toBe(200);
  });

  it('a browser without cookies ends in one step, and is told why', async () => {
    const it = await openScene('eu');
    const page = await it.app.start(createBrowser());
    const { location = '' } = await createBrowser().get(page);
    const shown = await createBrowser().get(location);
    expect([shown.status, shown.text]).toEqual([403, expect.stringContaining('keeps no cookies')]);
  });
});

it('npm run try: its wallet shows the request of the page, and not the one of the start', async () => {
  const app = express();
  const links: string[] = [];
  walletPages(app, { open: async () => await Promise.reject(new Error('not asked')) }, () => links);
  const url = await serve(app);
  const shown = async (): Promise<(string | undefined)[]> => {
    const text = await (await fetch(`${url}/wallet`)).text();
    return [...text.matchAll(/href="([^"]*)"/g)].map(([, link]) => link);
  };
  links.push('haip-vp://?of-the-start');
  expect(await shown()).toEqual([]);
  links.push('haip-vp://?given-up', 'haip-vp://?of-the-page');
  expect(await shown()).toEqual(['haip-vp://?of-the-page']);
});

it('F138 over https no sibling subdomain can write the cookie, and each page has one of its own', async () => {
  const stub = await stubs.eu();
  const url = await serve(
    createApp(settingsFor(stub, 'https://shop.example/identity/callback'), {
      publicUrl: 'https://id.shop.example',
      store: memoryStore(),
      secrets: ['for this test alone, and for no other one'],
      log: createLog({ write: () => {} }),
    }),
  );
  const names = new Set<string>();
  for (const state of ['one', 'two']) {
    const started = await fetch(`${url}/prove`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify({ issuer: 'de-ausweis', revealed: ['given_name'], state }),
    });
    const { redirect_url: page } = (await started.json()) as { redirect_url: string };
    const { headers } = await createBrowser().get(page.replace('https://id.shop.example', url));
    const cookie = headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(
      /^__Host-bridge-[\w-]{8}=[\w-]{32}; Path=\/; Secure; Max-Age=600; HttpOnly; SameSite=Lax$/,
    );
    names.add(cookie.split('=')[0] ?? '');
  }
  expect(names.size).toBe(2);
});

describe.each(['eu', 'eudiplo'] as const)('%s', (verifier) => {
  it('F138 through the kit: a cookie that a sibling has written gives nobody’s identity away', async () => {
    const it = await openScene(verifier, { sameDevice: true, publicUrl: 'https://id.shop.example' });
    const attacker = await it.begin();
    const { body } = await attacker.opened.send(await attacker.opened.respond());
    const victim = createBrowser();
    for (const [name, value] of attacker.browser.cookies) {
      victim.cookies.set(name.replace('__Host-', ''), value); // browsers take this prefix from no sibling
      victim.cookies.set('bridge', value);
    }
    expect(await endOf(victim, it.here(body.redirect_uri ?? ''))).toMatchObject({ status: 403 });
    expect(await attacker.end()).toMatchObject({ status: 200 });
    expect(it.callbacks.count).toBe(0);
  });

  it('F147 same device, another browser: the page says to start again in this one', async () => {
    const it = await openScene(verifier, { sameDevice: true });
    const flow = await it.begin();
    const { body } = await flow.opened.send(await flow.opened.respond());
    const { status, text } = await openPage(createBrowser(), body.redirect_uri ?? '');
    expect([status, words(text)]).toEqual([
      403,
      expect.stringContaining('Please start again at Shop, in this browser.'),
    ]);
    expect(await flow.end(body.redirect_uri)).toEqual(isVerified);
  });

  it('F142 a poll of an open page gets a name and no page, and drives the job on', async () => {
    const it = await openScene(verifier);
    const flow = await it.begin();
    const ask = async () => {
      const { status, text, headers } = await flow.browser.get(flow.page, { 'bridge-poll': '1' });
      return [status, headers.get('bridge-page'), text];
    };
    expect(await ask()).toEqual([204, 'waiting', '']);
    await flow.opened.send(await flow.opened.respond());
    it.callbacks.mood = 503;
    expect(await ask()).toEqual([204, 'sending', '']);
    it.callbacks.mood = 'well';
    expect(await ask()).toEqual([204, 'on', '']);
    expect(await flow.end()).toEqual(isVerified);
    expect(it.callbacks.count).toBe(2);
  });
});

it('F142 whoever asks while a look at the verifier is under way shares it', async () => {
  const [asked, held] = [[] as (string | undefined)[], gate()];
  const answer = { presentation: 'a proof' };
  const look = createLook({
    async result({ responseCode }) {
      asked.push(responseCode);
      await held.opened;
      return responseCode === 'right' ? answer : undefined;
    },
  });
  const job = { id: 'one' } as Job;
  const looks = [
    ...Array.from({ length: 8 }, async () => await look(job, undefined)),
    look(job, 'right'),
    look({ ...job, id: 'other' }, 'wrong'),
  ];
  expect(asked).toEqual([undefined, 'wrong']);
  held.open();
  expect(await Promise.all(looks)).toEqual([...Array<undefined>(8).fill(undefined), answer, undefined]);
  expect(asked).toEqual([undefined, 'wrong', 'right']);
});

/** Runs the script of a page, one question for each reply; says how often it has loaded the page anew. */
async function play(replies: readonly ({ status: number; page?: string } | 'no network')[]): Promise<number> {
  const left = replies.values();
  let [next, reloads]: [() => Promise<void>, number] = [async () => {}, 0];
  runInNewContext(script, {
    Date,
    document: { querySelector: () => null, body: { dataset: { page: 'waiting' } } },
    location: { href: 'the page', reload: () => (reloads += 1) },
    setTimeout: (ask: () => Promise<void>) => (next = ask),
    fetch: async (_url: string, { headers }: { headers: Record<string, string> }) => {
      expect(headers).toEqual({ 'Bridge-Poll': '1' });
      const reply = left.next().value;
      if (reply === undefined || reply === 'no network') throw new Error('no network');
      return await Promise.resolve({
        status: reply.status,
        headers: new Headers(reply.page === undefined ? {} : { 'bridge-page': reply.page }),
      });
    },
  });
  for (const _ of replies) await next();
  return reloads;
}

describe('F139 the script of an open page', () => {
  it.each([429, 500, 502, 503, 504, 404, 403, 200, 0])(
    'passes over a %d of whoever is in between',
    async (status) => {
      expect(
        await play([{ status: 204, page: 'waiting' }, { status }, { status: 204, page: 'waiting' }]),
      ).toBe(0);
    },
  );

  it('passes over a network that is away, and goes on when the bridge says that another page is due', async () => {
    expect(await play(['no network', { status: 204, page: 'waiting' }])).toBe(0);
    for (const page of ['on', 'sending', 'over', 'refused', 'elsewhere'])
      expect(await play([{ status: 204, page }])).toBe(1);
  });

  it('a store that is away for a moment: the open page is not told to load anew', async () => {
    const it = await openScene('eu');
    const flow = await it.begin();
    it.storeMood.isAway = true;
    const poll = await flow.browser.get(flow.page, { 'bridge-poll': '1' });
    expect([poll.status, poll.headers.get('bridge-page')]).toEqual([503, null]);
    const loaded = await flow.browser.get(flow.page);
    expect([loaded.status, loaded.text]).toEqual([503, expect.stringContaining('http-equiv="refresh"')]);
    it.storeMood.isAway = false;
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual(isVerified);
  });
});

describe('F148 the page speaks the language of the browser', () => {
  const inLanguages = [
    [
      'de-DE,de;q=0.9,en;q=0.5',
      'de',
      'Shop bittet Sie, sich auszuweisen',
      'Vorname',
      'wenn Sie selbst bei Shop begonnen haben',
    ],
    [
      'fr-CA',
      'fr',
      'Shop vous demande de prouver votre identité',
      'Prénom',
      'si vous avez commencé vous-même sur Shop',
    ],
    ['ja', 'en', 'Shop asks for your identity', 'Given name', 'Scan only if you began at Shop yourself'],
  ] as const;

  it.each(inLanguages)('%s: %s', async (accept, lang, title, asked, warning) => {
    const it = await openScene('eu');
    const flow = await it.begin();
    const { text, headers } = await flow.browser.get(flow.page, { 'accept-language': accept });
    expect([headers.get('content-language'), /<html lang="(..)">/.exec(text)?.[1]]).toEqual([lang, lang]);
    expect(/<h1>(.*)<\/h1>/.exec(text)?.[1]).toBe(title);
    const said = words(text);
    expect(said).toContain(asked);
    expect(said.indexOf(warning)).toBeGreaterThan(-1);
    expect(text.indexOf(warning)).toBeLessThan(text.indexOf('<svg'));
  });

  it('in the words of pidgate’s own pages, and no text is empty or names what nobody fills in', () => {
    for (const [its, kits] of [
      [en, kitEn],
      [de, kitDe],
      [fr, kitFr],
    ] as const) {
      for (const id of attributeIds) expect(its[id]).toBe(kits[id]);
      expect(its.asked).toBe(kits.start_asked);
      for (const text of Object.values(its).flat() as string[]) {
        expect(text).not.toBe('');
        expect(fill(text, { app: '', minutes: '', time: '' })).not.toContain('{');
      }
    }
    expect(JSON.stringify(fr)).not.toMatch(/ [:;!?»]|« /); // there a line could break
  });
});

/** What a page says, without its markup. */
const words = (markup: string): string =>
  markup
    .replaceAll(/<(style|script)>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ');
