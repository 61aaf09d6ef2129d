import type { RequestListener } from 'node:http';
import { describe, expect, it, test } from '@jest/globals';
import { createAgent } from '../../../../lib/dev/sandbox/simulator/browser.js';
import type { SimulatedScenario } from '../../../../lib/dev/sandbox/simulator/simulate.js';
import type { Sandbox, ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { deep } from '../../../support/deep.js';
import { serve } from '../../../support/serve.js';
import { prove, request, sandbox } from '../open.js';

interface Listening {
  readonly origin: string;
  readonly host: string;
  /** What arrived there: the lines of the requests, each with its cookie. */
  readonly heard: string[];
}

async function listening(answer: RequestListener): Promise<Listening> {
  const heard: string[] = [];
  const origin = await serve((req, res) => {
    heard.push(`${req.method} ${req.url} ${req.headers.cookie ?? ''}`);
    answer(req, res);
  });
  return { origin, host: new URL(origin).host, heard };
}

/** Another origin, which nothing may reach. */
const elsewhere = async (): Promise<Listening> => await listening((_req, res) => res.end('Caught'));

interface BadApp {
  readonly start?: (redirectUrl: string) => string;
  readonly page?: string;
  readonly redirectUri: string;
}

/** An app without the kit: its start asks the sandbox, sets a cookie, and each page leads where the test wants. */
async function appThat(service: Sandbox, { start, page, redirectUri }: BadApp): Promise<Listening> {
  const app = await listening((req, res) => {
    const path = req.url ?? '';
    if (req.method === 'POST' && path.startsWith('/identity/callback')) {
      res.setHeader('content-type', 'application/json').end(JSON.stringify({ redirect_uri: redirectUri }));
    } else if (req.method === 'POST') {
      void prove(service, request()).then(({ body }) => {
        const location = start?.(body.redirect_url) ?? body.redirect_url;
        res.writeHead(303, { location, 'set-cookie': 'sid=SECRET' }).end();
      });
    } else if (page === undefined) res.end('Welcome');
    else res.writeHead(303, { location: page }).end();
  });
  service.redirectUrl = `${app.origin}/identity/callback`;
  return app;
}

async function simulate(service: Sandbox, url: string, scenarios: readonly string[] = ['approve']) {
  const response = await fetch(`${service.url}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ url, scenarios }),
  });
  const lines = (await response.text()).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as SimulatedScenario & { readonly problem?: string });
}

const before = [
  '//',
  '/\\',
  '///',
  '/\\/',
  '/\\\\',
  '/./\\',
  '/.//',
  '/x/..//',
  '/\t/',
  '/%09/',
  '//x@',
  '/%2F',
];
const after = ['', '/club', '/identity/start', '/identity/start?returnTo=/', '/start/x', '?x'];

/** Paths that lead to another host, where a path is read as an address. */
const pathsTo = (host: string): string[] =>
  before.flatMap((opening) => after.map((ending) => `${opening}${host}${ending}`));

test('an error in words of the app is no page of errors.md', async () => {
  const service = await sandbox();
  const app = await listening((_req, res) => {
    res.writeHead(415, { 'content-type': 'application/json' }).end('{"error":"JSON only"}');
  });
  const [told] = await simulate(service, app.origin, ['approve']);
  expect(told).toMatchObject({ fix: expect.stringContaining('a check of the media type (415) above it') });
});

describe('F82 the robot stays at the origin of the app', () => {
  deep.test('F82 whatever the path of --url looks like', async () => {
    const service = await sandbox();
    const trap = await elsewhere();
    const app = await appThat(service, { redirectUri: 'http://127.0.0.1:1/' });
    for (const path of pathsTo(trap.host)) await simulate(service, app.origin + path);
    expect(trap.heard).toEqual([]);
    expect(app.heard.length).toBeGreaterThan(pathsTo('x').length); // each was asked for at the app itself
  });

  deep.test('F82 wherever the guard, a page or the start leads', async () => {
    const service = await sandbox();
    const trap = await elsewhere();
    const led = [trap.origin, ...pathsTo(trap.host)].flatMap((path) => [
      { page: path },
      { page: `${path}?returnTo=/` },
      { start: () => path },
    ]);
    for (const bad of led) {
      const app = await appThat(service, { ...bad, redirectUri: `${trap.origin}/back` });
      await simulate(service, `${app.origin}/club`);
    }
    expect(trap.heard).toEqual([]);
  });

  const returns: ScenarioId[] = [
    'approve',
    'declined',
    'return_other_browser',
    'return_twice',
    'return_code_tampered',
    'callback_twice',
  ];
  it.each(returns)('F82 %s: a way back to another origin is told, and not taken', async (scenario) => {
    const service = await sandbox();
    const trap = await elsewhere();
    const app = await appThat(service, { redirectUri: `${trap.origin}/done?code=x` });
    const [row] = await simulate(service, app.origin, [scenario]);
    expect(row).toMatchObject({
      scenario,
      passed: false,
      fix: `The return leads to ${trap.origin}, and the robot never leaves the app's origin. Set appUrl or APP_URL to ${app.origin}.`,
    });
    const visit = await service.complete(app.origin, { scenario });
    expect(visit.error).toBe('return_to_other_origin');
    expect(new URL(visit.url).origin).toBe(app.origin);
    expect(trap.heard).toEqual([]);
  });

  it('F85 a page that leads to another origin is the last one, and what it shows is told', async () => {
    for (const leads of ['location', 'refresh']) {
      const service = await sandbox();
      const trap = await elsewhere();
      const back = await listening((req, res) => {
        if (req.method === 'POST' && req.url === '/identity/start') {
          void prove(service, request()).then(({ body }) =>
            res.writeHead(303, { location: body.redirect_url }).end(),
          );
        } else if (req.method === 'POST') {
          res
            .setHeader('content-type', 'application/json')
            .end(JSON.stringify({ redirect_uri: `${back.origin}/back` }));
        } else if (leads === 'location') res.writeHead(303, { location: `${trap.origin}/x` }).end();
        else res.end(`<meta http-equiv="refresh" content="0; url=${trap.origin}/x">`);
      });
      const visit = await service.complete(back.origin);
      expect([visit.url, visit.error, trap.heard]).toEqual([`${back.origin}/back`, undefined, []]);
      expect(visit.response.status).toBe(leads === 'location' ? 303 : 200);
    }
  });

  it('F82 the browser of a test neither', async () => {
    const service = await sandbox();
    const trap = await elsewhere();
    const app = await appThat(service, { redirectUri: 'http://127.0.0.1:1/' });
    const agent = createAgent(app.origin);
    await agent.post('/identity/start');
    expect([...agent.cookies]).toEqual([['sid', 'SECRET']]);
    const addresses = [trap.origin, `${trap.origin}/x`, `x://${trap.host}`, 'http://[', 'data:,x'];
    for (const address of addresses) {
      await expect(agent.get(address)).rejects.toMatchObject({ code: 'config_invalid' });
      await expect(agent.post(address)).rejects.toMatchObject({ code: 'config_invalid' });
    }
    for (const path of pathsTo(trap.host)) await agent.get(path);
    expect(trap.heard).toEqual([]);
    expect((await agent.get('club')).url).toBe(`${app.origin}/club`);
  });

  it.each(['http://192.0.2.1', 'https://shop.example', 'http://0.0.0.0:3000', 'http://localhost.:3000'])(
    'F82 complete: %s is not this machine',
    async (url) => {
      const service = await sandbox();
      await expect(service.complete(url)).rejects.toMatchObject({
        code: 'config_invalid',
        message: 'complete: the app must be on this machine.',
      });
    },
  );
});
