import { createHash } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type Browser, type Shown, createBrowser } from '../support/browser.js';
import { root } from '../support/root.js';
import { type App, endAll, runNode, runServer } from '../support/run-app.js';
import { decide } from '../support/wallet.js';

afterEach(endAll);

const cli = join(root, 'dist/dev/cli/main.mjs');

async function started(app: App): Promise<App> {
  await app.says('Your app runs against a local identity service.');
  return app;
}

/** As `npx pidgate dev examples/…`: that very file, against a sandbox of its own. */
const dev = async (name: string): Promise<App> =>
  await started(await runNode([cli, 'dev', `examples/${name}.ts`], root));

/** From a start over the wallet to where the return leads: the first address of the app that is no page of the kit. */
async function verify(browser: Browser, start: string): Promise<Shown> {
  const { location: wallet = '' } = await browser.post(start);
  return await browser.get(await decide(wallet, 'approve'));
}

/** Opens a guarded page, and verifies. */
async function reach(browser: Browser, url: string): Promise<Shown & { url: string }> {
  const { location = '' } = await browser.get(url);
  const back = await verify(browser, new URL(location, url).href);
  return await browser.visit(new URL(back.location ?? '', url).href);
}

describe('recipes by stack, as whole files', () => {
  it('htmx.ts: a part of a page leads the whole page to the start, and back', async () => {
    const { url } = await dev('htmx');
    const browser = createBrowser();
    expect((await browser.get(url)).text).toContain('hx-get="/prices"');
    const part = {
      accept: '*/*',
      'hx-request': 'true',
      'hx-current-url': `${url}/`,
      'sec-fetch-dest': 'empty',
    };
    const refused = await browser.get(`${url}/prices`, part);
    const start = refused.headers.get('hx-redirect') ?? '';
    expect([refused.status, start]).toEqual([401, '/identity/start?returnTo=%2F']);
    expect((await verify(browser, new URL(start, url).href)).location).toBe(`${url}/`);
    expect((await browser.get(`${url}/prices`, part)).text).toContain('9 euros');
  });

  it('async-log-in.ts: a result belongs to the user of the log-in, until the log-out', async () => {
    const { url } = await dev('async-log-in');
    const browser = createBrowser();
    await browser.post(`${url}/log-in`, { id: '1' });
    expect((await reach(browser, `${url}/club`)).json()).toEqual({ user: '1', name: 'Erika' });
    await browser.post(`${url}/log-in`, { id: '2' });
    expect((await browser.get(`${url}/club`)).location).toContain('/identity/start');
    await browser.post(`${url}/log-out`);
    browser.cookies.delete('log-in');
    expect((await browser.get(`${url}/club`)).location).toContain('/identity/start');
  });

  it('native-app.ts: a deep link with a code, which one app exchanges once', async () => {
    const { url } = await dev('native-app');
    const browser = createBrowser();
    const verifier = 'of the app alone';
    const challenge = createHash('sha256').update(verifier).digest('base64url');
    const page = `${url}/app/verified?challenge=${challenge}`;
    const { location = '' } = await browser.get(page);
    await verify(browser, new URL(location, url).href);
    const codeOf = async () => new URL((await browser.get(page)).location ?? '').searchParams.get('code');
    const exchange = async (body: object) => {
      const headers = { 'content-type': 'application/json' };
      const reply = await fetch(`${url}/app/exchange`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      return [reply.status, (await reply.json()) as unknown];
    };
    const code = await codeOf();
    expect(await exchange({ code, verifier })).toEqual([200, { adult: true }]);
    expect(await exchange({ code, verifier })).toEqual([400, { error: 'code_invalid' }]);
    expect(await exchange({ code: await codeOf(), verifier: 'of another' })).toEqual([
      400,
      { error: 'code_invalid' },
    ]);
    expect((await browser.get(`${url}/app/verified`)).status).toBe(400);
  });

  it('serverless.ts: the whole verification by its handler', async () => {
    // What AWS puts in front of the function: each request becomes an event, and each reply a response.
    const front = `
      import { createServer } from 'node:http';
      const { PORT } = process.env;
      delete process.env.PORT;
      const { handler } = await import('${pathToFileURL(join(root, 'examples/serverless.ts')).href}');
      createServer(async (req, res) => {
        const [rawPath = '', rawQueryString = ''] = req.url?.split('?') ?? [];
        const { cookie, ...headers } = req.headers as Record<string, string>;
        const body = Buffer.concat(await req.toArray()).toString('base64');
        const { statusCode, headers: its, cookies, body: text } = await handler({
          rawPath, rawQueryString, headers, body, isBase64Encoded: true,
          ...(cookie && { cookies: cookie.split('; ') }),
          requestContext: { http: { method: req.method ?? '' } },
        });
        res.writeHead(statusCode ?? 500, { ...its, 'set-cookie': cookies }).end(text);
      }).listen(PORT);`;
    const app = await started(await runServer(front, [cli, 'dev']));
    const club = await reach(createBrowser(), `${app.url}/club`);
    expect([club.url, club.json()]).toEqual([`${app.url}/club`, { name: 'Erika' }]);
    expect(app.said()).not.toContain('pidgate: ');
  });
});
