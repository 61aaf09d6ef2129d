import { describe, expect, it } from '@jest/globals';
import type { Sandbox, ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { createTimeline } from '../../../../lib/dev/sandbox/timeline/timeline.js';
import { agree, openedWallet } from '../german.js';
import { clubApp } from '../simulator/customer-app.js';
import { impatience } from '../impatience.js';
import { aCustomer, prove, request, sandbox, timelineOf } from '../open.js';
import { deep } from '../../../support/deep.js';

/** The pages of all flows, the newest first. */
async function pagesOf({ url }: Sandbox): Promise<string[]> {
  const home = await (await fetch(url)).text();
  const paths = [...home.matchAll(/href="(\/timeline\/[\w-]+)"/g)].map(([, path = '']) => path);
  return await Promise.all(paths.map(async (path) => await (await fetch(url + path)).text()));
}

/** The rows of the list. */
async function rowsOf({ url }: Sandbox, query = ''): Promise<string[]> {
  const home = await (await fetch(`${url}/${query}`)).text();
  const [, list = ''] = /<ol class="flows">([^]*?)<\/ol>/.exec(home) ?? [];
  return [...list.matchAll(/<li>([^]*?)<\/li>/g)].map(([, item = '']) =>
    words(item).replaceAll(' ,', ',').trim(),
  );
}

const words = (page: string): string =>
  page.replaceAll(/<style>[^]*?<\/style>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');

describe('The timeline', () => {
  it('has a page for each verification with every message in order', async () => {
    const service = await sandbox({ issuer: 'de-ausweis' });
    await service.complete(clubApp(service.options));
    const [page = ''] = await pagesOf(service);
    const steps = [...page.matchAll(/<strong>(prove|request|response|callback|return)<\/strong>/g)].map(
      ([, name]) => name,
    );
    expect(steps).toEqual(['prove', 'callback', 'return']);
    expect(words(page)).toContain('POST http://127.0.0.1');
    expect(page).toContain('class="badge good"');
  });

  const faults: [ScenarioId, string, string][] = [
    ['wrong_nonce', 'presentation_invalid', 'The likely causes and the fix: presentation_invalid'],
    ['empty_body', 'it must be 200', 'has something above the kit read and replaced it?'],
    ['service_error', 'refused it with error_internal', 'The likely causes and the fix: error_internal'],
  ];
  it.each(faults)('of a failed flow (%s) shows message, fault and fix', async (scenario, fault, fix) => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario });
    const page = words((await pagesOf(service))[0] ?? '');
    expect(page).toContain('callback');
    expect(page).toContain(fault);
    expect(page).toContain(fix);
    expect(await rowsOf(service)).toEqual([
      expect.stringMatching(new RegExp(`refused after .* \\(${scenario}\\)$`)),
    ]);
  });

  it('the list says what happened in a word, what was asked, when in local time, and how long it took', async () => {
    let now = new Date('2026-11-23T09:00:00Z').getTime();
    const service = await sandbox({ clock: () => new Date(now) });
    const app = clubApp(service.options, { clock: () => new Date(now) });
    await service.complete(app, { scenario: 'callback_lost' });
    now += 600_000;
    for (const scenario of ['approve', 'declined', 'wrong_nonce', 'prove_500', 'callback_lost'] as const) {
      await service.complete(app, { scenario });
    }
    now += 90_000;
    const time = new Intl.DateTimeFormat('en-GB', { timeStyle: 'medium' }).format(now - 90_000);
    const rows = await rowsOf(service);
    expect(rows).toEqual([
      `${time} Given name, date of birth waiting for 1 min 30 s, xx-sandbox The callback is lost. (callback_lost) Back to the wallet`,
      `${time} Given name, date of birth refused after 0 ms, xx-sandbox The service fails to start. (prove_500)`,
      `${time} Given name, date of birth refused after 0 ms, xx-sandbox The proof was made for a different flow. (wrong_nonce)`,
      `${time} Given name, date of birth declined after 0 ms, xx-sandbox The person declines. (declined)`,
      `${time} Given name, date of birth verified after 0 ms, xx-sandbox`,
    ]);
    // Whoever began again has abandoned this one, so it is folded away.
    expect(await rowsOf(service, '?show=expired')).toEqual([
      expect.stringContaining(
        ' Given name, date of birth expired after 9 min 0 s, xx-sandbox The callback is lost. (callback_lost)',
      ),
    ]);
    expect(await (await fetch(service.url)).text()).toContain('<summary>1 not finished</summary>');
    expect(await rowsOf(service, '?show=declined')).toEqual([rows[3]]);
    expect(await rowsOf(service, '?show=nonsense')).toEqual(rows);
    const home = await (await fetch(service.url)).text();
    expect(words(/<p class="filter">[^]*?<\/p>/.exec(home)?.[0] ?? '').trim()).toBe(
      'all 6 verified 1 declined 1 refused 2 expired 1 waiting 1',
    );
  });

  it('a plain decline is nothing wrong', async () => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario: 'declined' });
    const [page = ''] = await pagesOf(service);
    expect(words(page)).toContain('Given name, date of birth: declined declined after ');
    expect(page).not.toContain('class="fault"');
    expect(page).not.toContain('class="wrong"');
  });

  /** The labels of the drawing, without the lanes and the times; that of a decision has two lines. */
  const drawnIn = (page: string): string[] => {
    const [drawn = ''] = /<svg class="sequence"[^]*?<\/svg>/.exec(page) ?? [];
    const joined = drawn.replaceAll(/<\/text>\s*<text class="decision"[^>]*>/g, ' ');
    const texts = [...joined.matchAll(/<text(?: class="(\w+)")?[^>]*>([^<]*)<\/text>/g)];
    return texts.flatMap(([, look, text = '']) => (look === 'lane' || look === 'time' ? [] : text));
  };

  it('draws the messages between four lanes, with the time between them', async () => {
    let now = 0;
    const service = await sandbox({
      issuer: 'de-ausweis',
      clock: () => new Date((now += 500) + 1_790_000_000_000),
    });
    await service.complete(clubApp(service.options), { scenario: 'wrong_nonce' });
    const [page = ''] = await pagesOf(service);
    const [drawn = ''] = /<svg class="sequence"[^]*?<\/svg>/.exec(page) ?? [];
    const texts = (look: string) =>
      [...drawn.matchAll(new RegExp(`<text class="${look}"[^>]*>([^<]*)</text>`, 'g'))].map(
        ([, text]) => text,
      );
    expect(texts('lane')).toEqual(['browser', 'app', 'service', 'wallet']);
    expect(drawnIn(page)).toEqual(['prove 200', 'person agrees', 'callback refused', 'return']);
    expect(texts('time')).toHaveLength(4);
    for (const time of texts('time')) expect(time).toMatch(/^\+(?:500 ms|\d+\.[05] s)$/);
    expect(drawn).toContain('role="img" aria-label="The 4 steps between browser, app, service and wallet"');
    expect(drawn.match(/class="wrong"/g)).toHaveLength(1);
  });

  it('draws the person: the browser at the service, and the decision in the wallet', async () => {
    const { flow, wallet } = await openedWallet();
    await agree(flow, wallet);
    const [page = ''] = await pagesOf(flow.service);
    expect(drawnIn(page)).toEqual(['prove 200', 'opens page 200', 'person agrees', 'callback 200', 'return']);
    expect(words(page)).toContain('opens page browser → service');
    expect(words(page)).toContain('person agrees person → wallet');
    expect(page).not.toContain('class="wrong"');
  });

  it.each<[ScenarioId, string]>([
    ['declined', 'person declines'],
    ['wrong_pin', 'person gives up'],
    ['card_blocked', 'card blocked'],
  ])('%s: draws the decision, %s', async (scenario, label) => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario });
    const [page = ''] = await pagesOf(service);
    expect(drawnIn(page)).toEqual([
      'prove 200',
      label,
      expect.stringMatching(/^callback (?:200|refused)/),
      'return',
    ]);
    // It is within the drawing, and right of every lane and of its own loop: it crosses no line.
    const [, width = 0] = /viewBox="0 0 (\d+) /.exec(page) ?? [];
    const lanes = [...page.matchAll(/class="life" x1="(\d+)"/g)].map(([, x]) => Number(x));
    const [, loop = 0] = /<path d="M\d+ \d+h(\d+)v/.exec(page) ?? [];
    const lines = [...page.matchAll(/<text class="decision" x="(\d+)"[^>]*>([^<]*)</g)];
    expect(lines).not.toEqual([]);
    for (const [, x, text = ''] of lines) {
      expect(Number(x)).toBeGreaterThan(Math.max(...lanes) + Number(loop));
      expect(Number(x) + 6.2 * text.length).toBeLessThanOrEqual(Number(width));
    }
  });

  it('a callback that was lost is a red arrow that ends in a cross on its way', async () => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario: 'callback_lost' });
    const [page = ''] = await pagesOf(service);
    expect(drawnIn(page)).toEqual(['prove 200', 'person agrees', 'callback lost']);
    const [, path = ''] = /<g class="wrong">\s*<text[^>]*>[^<]*<\/text>\s*<path d="([^"]+)"/.exec(page) ?? [];
    const [start, end, ...cross] = [...path.matchAll(/[MLH](\d+)/g)].map(([, x]) => Number(x));
    const [app = 0, from = 0] = ['app', 'service'].map((lane) =>
      Number(new RegExp(`x="(\\d+)" y="16">${lane}<`).exec(page)?.[1]),
    );
    expect([start, end]).toEqual([from, (app + from) / 2]);
    expect(cross).toHaveLength(4);
    expect(words(page)).toContain('which does not arrive');
  });

  it('an error code is a link to what docs/errors.md says of it', async () => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario: 'wrong_nonce' });
    const [page = ''] = await pagesOf(service);
    const [, to = ''] = /<a href="(\/errors\/[^"]+)"/.exec(page) ?? [];
    expect(to).toBe('/errors/presentation_invalid');
    const text = words(await (await fetch(service.url + to)).text());
    expect(text).toContain('The presentation failed a check.');
    expect(text).toMatch(/ Fix: /);
    for (const [code, status] of [
      ['error_api_key', 200],
      ['nonsense', 404],
    ] as const) {
      expect((await fetch(`${service.url}/errors/${code}`)).status).toBe(status);
    }
  });

  it('shows a start that was refused, and why', async () => {
    const service = await sandbox();
    await prove(service, request({ revealed: ['shoe_size'] }));
    const page = words((await pagesOf(service))[0] ?? '');
    expect(page).toContain('400');
    expect(page).toContain('an unknown attribute was asked for.');
    expect(page).toContain('The likely causes and the fix: error_invalid_attribute');
    expect(await rowsOf(service)).toEqual([expect.stringMatching(/ not understood refused after \d+ ms$/)]);
  });

  deep.test(
    'F38: holds no state, key, code, presentation or attribute, whatever happens',
    async () => {
      const person = { given_name: 'Markergiven', family_name: 'Markerfamily', birth_date: '1911-11-11' };
      const { log, fetch: impatient } = impatience();
      const service = await sandbox({ apiKey: 'marker-api-key', person, log });
      const app = clubApp(service.options, { fetch: impatient });
      const { redirectUrl, callbacks } = await aCustomer(() => ({
        status: 400,
        headers: { 'content-type': 'text/html', 'x-marker': 'marker-header', location: '/?code=marker-code' },
        body: 'marker-body',
      }));
      for (const scenario of scenarioIds) await service.complete(app, { scenario });
      service.redirectUrl = redirectUrl;
      const { body } = await prove(service, request({ state: 'marker-state' }));
      await fetch(body.redirect_url, { method: 'POST', body: new URLSearchParams({ decision: 'approve' }) });
      const presentation = callbacks[0]?.body.get('presentation') ?? '';
      const pages = (await pagesOf(service)).map(words);
      expect(pages.length).toBeGreaterThanOrEqual(scenarioIds.length);
      const markers = [
        'marker-api-key',
        'marker-state',
        'marker-header',
        'marker-code',
        'marker-body',
        'Marker',
        '1911-11-11',
        presentation.slice(0, 20),
        body.redirect_url.split('/').at(-1) ?? '',
      ];
      for (const page of pages) {
        for (const marker of markers) expect([marker, page.includes(marker)]).toEqual([marker, false]);
        expect(page).not.toMatch(/[\w-]{40,}/); // nothing that could be a secret
      }
    },
    60_000,
  );

  it('follows along: the home and a flow tell when they are out of date', async () => {
    const service = await sandbox();
    const listen = async (path: string): Promise<string> => {
      const reader = (await fetch(service.url + path)).body?.getReader();
      let text = '';
      while (!text.includes('data:')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
      await reader?.cancel();
      return text;
    };
    const home = listen('/changes?seen=0');
    await prove(service, request());
    expect(await home).toBe('retry: 1000\n\ndata: changed\n\n');
    const { path, text } = await timelineOf(service);
    expect(await listen(`${path}/changes?seen=0`)).toContain('changed');
    expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="2" \/><\/noscript>/);
  });

  it('has the address of the receipt, so that an app can link to it', async () => {
    const service = await sandbox();
    const receipts: string[] = [];
    const app = clubApp(service.options, {
      onSuccess: (it: { result: { receipt: { id: string } } }) => void receipts.push(it.result.receipt.id),
    });
    await service.complete(app);
    await service.complete(app);
    expect(new Set(receipts).size).toBe(2);
    for (const receipt of receipts) {
      const page = await fetch(`${service.url}/timeline/${receipt}`);
      expect([page.status, words(await page.text())]).toEqual([
        200,
        expect.stringMatching(/return browser → app/),
      ]);
    }
  });

  it('holds so many flows and so many messages', () => {
    const timeline = createTimeline(() => new Date(0));
    const first = timeline.open('xx-sandbox', 'approve');
    for (let count = 0; count < 100; count += 1) timeline.open('xx-sandbox', 'approve');
    expect(timeline.flows).toHaveLength(100);
    expect(timeline.find(first.id)).toBeUndefined();
    for (let count = 0; count < 70; count += 1)
      first.add({ what: 'callback', from: 'service', to: 'app', line: `${count}` });
    expect(first.messages).toHaveLength(60);
    expect(first.messages[0]?.line).toBe('10');
  });
});
