import { describe, expect, it } from '@jest/globals';
import type { Sandbox, ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { scenarioIds } from '../../../../lib/dev/sandbox/scenarios/catalogue.js';
import { createTimeline } from '../../../../lib/dev/sandbox/timeline/timeline.js';
import { maskCallback, maskUrl, part } from '../../../../lib/dev/sandbox/timeline/mask.js';
import { clubApp } from '../simulator/customer-app.js';
import { impatience } from '../impatience.js';
import { aCustomer, prove, request, sandbox } from '../open.js';

/** The pages of all flows, the newest first. */
async function pagesOf({ url }: Sandbox): Promise<string[]> {
  const home = await (await fetch(url)).text();
  const paths = [...home.matchAll(/href="(\/timeline\/[\w-]+)"/g)].map(([, path = '']) => path);
  return await Promise.all(paths.map(async (path) => await (await fetch(url + path)).text()));
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
    expect(steps).toEqual(['prove', 'request', 'response', 'callback', 'return']);
    expect(words(page)).toContain('POST http://127.0.0.1');
    expect(page).toContain('class="good"');
  });

  const faults: [ScenarioId, string, string][] = [
    ['wrong_nonce', 'presentation_invalid', 'docs/errors/presentation_invalid.md'],
    ['empty_body', 'it must be 200', 'The terminal of the app may tell more'],
    ['declined', 'declined', 'docs/errors/declined.md'],
  ];
  it.each(faults)('of a failed flow (%s) shows message, fault and mend', async (scenario, fault, mend) => {
    const service = await sandbox();
    await service.complete(clubApp(service.options), { scenario });
    const page = words((await pagesOf(service))[0] ?? '');
    expect(page).toContain('callback');
    expect(page).toContain(fault);
    expect(page).toContain(mend);
    expect(words(await (await fetch(service.url)).text())).toContain(`, ${scenario}, something went wrong`);
  });

  it('shows a start that was refused, and why', async () => {
    const service = await sandbox();
    await prove(service, request({ revealed: ['shoe_size'] }));
    const page = words((await pagesOf(service))[0] ?? '');
    expect(page).toContain('400');
    expect(page).toContain('an unknown attribute was asked for.');
    expect(page).toContain('docs/errors/error_invalid_attribute.md');
  });

  it('F38: holds no state, key, code, presentation or attribute, whatever happens', async () => {
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
  }, 60_000);

  it('gives the callback as a command, on a page of its own', async () => {
    const service = await sandbox();
    const { redirectUrl, callbacks } = await aCustomer();
    service.redirectUrl = redirectUrl;
    const { body } = await prove(service, request({ state: "a-state-with-a-'" }));
    await fetch(body.redirect_url, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ decision: 'decline' }),
    });
    const home = await (await fetch(service.url)).text();
    const path = /href="(\/timeline\/[\w-]+)"/.exec(home)?.[1] ?? '';
    expect(await (await fetch(service.url + path)).text()).toContain(`href="${path}/curl"`);
    const curl = await (await fetch(`${service.url}${path}/curl`)).text();
    const data = /--data-raw '(.*)'\n$/s.exec(curl)?.[1]?.replaceAll("'\\''", "'") ?? '';
    expect(curl.startsWith(`curl -i '${redirectUrl}'`)).toBe(true);
    expect(Object.fromEntries(new URLSearchParams(data))).toEqual(
      Object.fromEntries(callbacks[0]?.body ?? []),
    );
    expect((await fetch(`${service.url}/timeline/unknown`)).status).toBe(404);
    expect((await fetch(`${service.url}/timeline/unknown/changes`)).status).toBe(404);
    expect((await fetch(`${service.url}/timeline/unknown/curl`)).status).toBe(404);
  });

  it('follows along: the home and a flow tell when they are out of date', async () => {
    const service = await sandbox();
    const listen = async (path: string): Promise<string> => {
      const reader = (await fetch(service.url + path)).body?.getReader();
      let text = '';
      while (!text.includes('data:')) text += Buffer.from((await reader?.read())?.value ?? []).toString();
      await reader?.cancel();
      return text;
    };
    const home = listen('/changes?seen=');
    await prove(service, request());
    expect(await home).toBe('retry: 1000\n\ndata: changed\n\n');
    const path = /href="(\/timeline\/[\w-]+)"/.exec(await (await fetch(service.url)).text())?.[1] ?? '';
    expect(await listen(`${path}/changes?seen=0`)).toContain('changed');
    expect(await (await fetch(service.url + path)).text()).toMatch(
      /<noscript><meta http-equiv="refresh" content="2" \/><\/noscript>/,
    );
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

  it('refuses pages of other sites', async () => {
    const { url } = await sandbox();
    const headers = { origin: 'https://evil.example' };
    for (const path of ['/timeline/x', '/changes', '/scenarios', '/simulate']) {
      expect([path, (await fetch(url + path, { headers })).status]).toEqual([path, 403]);
    }
  });

  it('holds so many flows and so many messages', () => {
    const timeline = createTimeline(() => new Date(0));
    const first = timeline.open('xx-sandbox', 'approve');
    for (let count = 0; count < 100; count += 1) timeline.open('xx-sandbox', 'approve');
    expect(timeline.flows).toHaveLength(100);
    expect(timeline.find(first.id)).toBeUndefined();
    for (let count = 0; count < 70; count += 1)
      first.add({ what: 'callback', from: 'a', to: 'b', line: `${count}` });
    expect(first.messages).toHaveLength(60);
    expect(first.messages[0]?.line).toBe('10');
  });
});

describe('What is masked', () => {
  it('is all that is not known to be harmless', () => {
    expect(maskUrl('http://127.0.0.1:1/identity/return?code=secret&error=store_full&x=1')).toBe(
      'http://127.0.0.1:1/identity/return?code=[hidden]&error=store_full&x=[hidden]',
    );
    expect(maskUrl(`http://a.example/${'s'.repeat(30)}?error=made_up`)).toBe(
      'http://a.example/[hidden]?error=[hidden]',
    );
    expect(maskUrl('no address')).toBe('[hidden]');
    expect(
      part([
        ['Authorization', 'Bearer x'],
        ['Cookie', 'x'],
        ['Content-Type', 'a/b'],
        ['Location', '/x?y=1'],
      ]).headers,
    ).toEqual({
      authorization: 'Bearer [hidden]',
      'content-type': 'a/b',
      location: '[hidden]',
    });
    expect(maskCallback('presentation=abc&state=s')).toBe(
      'presentation=[hidden] 3 characters\nstate=[hidden]',
    );
    expect(maskCallback('')).toBe('(empty)');
  });
});
