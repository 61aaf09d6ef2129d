import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { type Browser, chromium } from 'playwright-core';
import { describeInChromium } from '../e2e/running-app.js';
import { arrive, arriveAtWallet, press, share } from '../e2e/steps.js';
import { blocksOf, read } from '../house/documents.js';
import { type Tarball, pack } from '../package/tarball.js';
import { createBrowser } from '../support/browser.js';
import { chromiumPath } from '../support/chromium.js';
import { type App, endAll, runNode } from '../support/run-app.js';
import { decide } from '../support/wallet.js';
import { probe } from './probe.js';
import { run } from './workplace.js';

jest.setTimeout(300_000); // installs and builds, on a machine that may be busy

const packages = [
  'express@5.3.0',
  'express-session@1.19.0',
  'tsx@4.23.15',
  'typescript@5.9.3',
  '@types/express@5.0.6',
  '@types/express-session@1.19.0',
  '@types/node@20.19.43',
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  'react-router@7.18.4',
  '@react-router/express@7.18.4',
  '@react-router/node@7.18.4',
  '@react-router/dev@7.18.4',
  'vite@7.3.8',
  'isbot@5.2.3',
];

/** The files of docs/your-app.md, as they stand. */
const documented = Object.fromEntries(
  blocksOf('docs/your-app.md').map(({ code }) => [/^\/\/ (\S+)\n/.exec(code)?.[1] ?? '', code]),
);

/** The server of Next.js with the lines that the document gives for React Router. */
function routerServer(): string {
  const guide = read('docs/your-app.md').split('### React Router')[1] ?? '';
  const [, files = '', handler = ''] =
    /`(app\.use\(express\.static.*?)`.*?`(app\.use\(createRequest.*?)`/.exec(guide) ?? [];
  const [, build = ''] = /`build` is `(.*?)`/.exec(guide) ?? [];
  const lines = (documented['next.ts'] ?? '').split('\n').filter((line) => !/createNext|pages/.test(line));
  return lines
    .join('\n')
    .replace(
      'import express',
      () => `import { createRequestHandler } from '@react-router/express';\nimport express`,
    )
    .replace('app.use(sessions);', () => `${files};\napp.use(sessions);`)
    .replace('app.listen(', () => `const build = ${build};\n${handler};\napp.listen(`);
}

const taken = (...names: string[]): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, documented[name] ?? '']));

const home = (link: string, ...paths: string[]): string =>
  `${link}
export default function Home() {
  return <main><h1>Home</h1>${paths.map((path) => `<Link LINK="/${path}">${path}</Link> `).join('')}</main>;
}
`;
const withTypes = JSON.stringify({
  compilerOptions: {
    strict: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    skipLibCheck: true,
    types: ['node'],
    noEmit: true,
  },
  files: ['next/next.ts', 'router/router.ts'],
});
/** What the frameworks need around them. */
const files = {
  'types.json': withTypes,
  next: {
    'package.json': '{ "private": true, "type": "module" }',
    ...taken('identity.ts', 'next.ts', 'pages/club.jsx', 'app/lounge/page.jsx'),
    'pages/index.jsx': home(`import Link from 'next/link';`, 'club', 'lounge').replaceAll('LINK', 'href'),
    'app/lobby/page.jsx': home(`import Link from 'next/link';`, 'lounge', 'club').replaceAll('LINK', 'href'),
    'app/layout.jsx': 'export default ({ children }) => <html lang="en"><body>{children}</body></html>;\n',
  },
  router: {
    'package.json': JSON.stringify({
      private: true,
      type: 'module',
      dependencies: Object.fromEntries(
        ['react-router', '@react-router/node', 'isbot', 'react', 'react-dom'].map((name) => [name, '*']),
      ),
    }),
    'router.ts': routerServer(),
    ...taken('identity.ts', 'app/routes/club.jsx'),
    'vite.config.js': `import { reactRouter } from '@react-router/dev/vite';\nexport default { plugins: [reactRouter()] };\n`,
    'app/routes.js': `import { index, route } from '@react-router/dev/routes';
export default [index('routes/home.jsx'), route('club', 'routes/club.jsx')];\n`,
    'app/routes/home.jsx': home(`import { Link } from 'react-router';`, 'club').replaceAll('LINK', 'to'),
    'app/root.jsx': `import { Outlet, Scripts } from 'react-router';
export default () => <html lang="en"><body><Outlet /><Scripts /></body></html>;\n`,
  },
};

/** React has a click on the link: before, the link would load the page anew. Runs in the browser. */
const isTakenOver = (path: string): string =>
  `Object.keys(document.querySelector('a[href="${path}"]') ?? {}).some((name) => name.startsWith('__react'))`;

let folder: string;
let tarball: Tarball;

function write(name: string, content: string | object): void {
  if (typeof content === 'object') {
    for (const [inner, its] of Object.entries(content)) write(join(name, inner), its as string | object);
    return;
  }
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'pidgate-data-'));
  tarball = await pack();
  write('', { 'package.json': '{ "private": true }', ...files });
  await run(
    `npm install ${[tarball.path, ...packages].join(' ')} --prefer-offline --engine-strict=false --ignore-scripts --no-audit --no-fund`,
    folder,
  );
  const built = { NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' };
  const settings = Object.entries(built)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
  await Promise.all([
    run(`${settings} ../node_modules/.bin/next build`, join(folder, 'next')),
    run(`${settings} ../node_modules/.bin/react-router build`, join(folder, 'router')),
  ]);
  for (const framework of ['next', 'router'] as const) apps.set(framework, await dev(framework));
});
afterAll(async () => {
  await endAll();
  await tarball.remove();
  rmSync(folder, { recursive: true });
});

async function dev(name: 'next' | 'router'): Promise<App> {
  const command = [join(folder, 'node_modules/pidgate/dist/dev/cli/main.mjs'), 'dev'];
  const app = await runNode([...command, `${name}.ts`], join(folder, name));
  await app.says('Your app runs against a local identity service.');
  return app;
}

const secrets = { club: '9 euros', lounge: '9 chairs' };

interface Guarded {
  readonly framework: 'next' | 'router';
  readonly page: keyof typeof secrets;
  /** The address of its data, and what a browser of the framework asks for it with. */
  readonly data: (url: string) => Promise<readonly [string, Record<string, string>]>;
}

/** Next's name for a build is in each page. */
async function buildOf(url: string): Promise<string> {
  return /"buildId":"([^"]+)"/.exec(await (await fetch(url)).text())?.[1] ?? '';
}

const guarded: readonly Guarded[] = [
  {
    framework: 'next',
    page: 'club',
    data: async (url) => [`/_next/data/${await buildOf(url)}/club.json`, { 'x-nextjs-data': '1' }],
  },
  { framework: 'next', page: 'lounge', data: () => Promise.resolve(['/lounge', { rsc: '1' }]) },
  { framework: 'router', page: 'club', data: () => Promise.resolve(['/club.data', {}]) },
];

test('the servers of the documents compile', async () => {
  await run('../node_modules/.bin/tsc -p ../types.json', join(folder, 'next'));
});

/** An app of each framework. */
const apps = new Map<string, App>();
const appOf = (framework: string): App => {
  const app = apps.get(framework);
  if (app === undefined) throw new Error(`No app of ${framework} runs.`);
  return app;
};

describe.each(guarded)('$framework, /$page', ({ framework, page, data }) => {
  const secret = secrets[page];

  /** The page, and its data as the framework and as anybody would ask for it. */
  async function seen({ url }: App, browser = createBrowser()): Promise<(readonly [number, boolean])[]> {
    const [address, headers] = await data(url);
    const pretends = { 'x-adult': 'true' };
    const asked = { accept: '*/*', ...headers, ...pretends };
    const first = await browser.get(url + address, asked);
    // Next tells a client which query it should have sent.
    const ofData = first.status === 307 ? await browser.get(url + (first.location ?? ''), asked) : first;
    const ofPage = await browser.get(`${url}/${page}`, pretends);
    const shown = [ofPage, ofData, await browser.get(url + address, pretends)];
    return shown.map(({ status, text }) => [status, text.includes(secret)]);
  }

  async function reach({ url }: App, person: 'erika' | 'minor'): Promise<ReturnType<typeof createBrowser>> {
    const browser = createBrowser();
    const { location = '' } = await browser.get(`${url}/${page}`);
    const { location: wallet = '' } = await browser.post(url + location);
    await browser.visit(await decide(wallet, 'approve', person));
    return browser;
  }

  test('neither page nor data without a cookie, and both for Erika', async () => {
    const app = appOf(framework);
    const ofNobody = await seen(app);
    expect(ofNobody[0]).toEqual([303, false]);
    for (const [, isOpen] of ofNobody) expect(isOpen).toBe(false);
    const [ofPage, ofData] = await seen(app, await reach(app, 'erika'));
    expect([ofPage, ofData]).toEqual([
      [200, true],
      [200, true],
    ]);
  });

  test('neither page nor data with the cookie of Leon, who is 17', async () => {
    const app = appOf(framework);
    const ofLeon = await seen(app, await reach(app, 'minor'));
    expect(ofLeon[0]).toEqual([403, false]);
    for (const [, isOpen] of ofLeon) expect(isOpen).toBe(false);
  });

  test('no spelling of the address shows the page to nobody or to Leon', async () => {
    const app = appOf(framework);
    expect(await probe(app.url, `/${page}`, secret)).toEqual([]);
    const leon = await reach(app, 'minor');
    const cookie = [...leon.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect(await probe(app.url, `/${page}`, secret, cookie)).toEqual([]);
  });
});

describeInChromium('a click on a link to a guarded page', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: chromiumPath() ?? '', args: ['--disable-gpu'] });
  });
  afterAll(async () => await browser.close());

  test.each([
    ['next', '/', 'club'],
    ['next', '/lobby', 'lounge'],
    ['next', '/lobby', 'club'],
    ['router', '/', 'club'],
  ] as const)('%s: from %s to the start, the wallet and back to /%s', async (framework, from, page) => {
    const { url } = appOf(framework);
    const shown = await (await browser.newContext({ locale: 'en' })).newPage();
    await shown.goto(url + from);
    await arrive(shown, 'Home');
    await shown.waitForFunction(isTakenOver(`/${page}`));
    await shown.getByRole('link', { name: page, exact: true }).click();
    await arrive(shown, /^Prove /);
    expect(shown.url()).toMatch(new RegExp(`/identity/start\\?returnTo=(/|%2F)${page}$`));
    await press(shown, 'Continue to my wallet');
    await arriveAtWallet(shown);
    await share(shown);
    await arrive(shown, new RegExp(secrets[page]));
    expect(shown.url()).toBe(`${url}/${page}`);
    await shown.context().close();
  });
});
