import { execFile } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { accessOf } from '../support/wallets.js';
import { type Customer, type Tarball, pack, root } from './tarball.js';
import { bundled } from '../../tools/bundled.mjs';
import { entries } from '../../tools/entries.mjs';
import { carriedIn, sbomOf } from '../../tools/release/sbom.js';

let tarball: Tarball;

beforeAll(async () => {
  tarball = await pack();
});
afterAll(async () => {
  await tarball.remove();
});

const engines = entries.filter(({ isEngine }) => isEngine);

/** An app that touches every entry; the same for both ways to load a package. */
const main = `
console.log(JSON.stringify({
  names: Object.keys(pidgate).sort(),
  sdJwt: Object.keys(sdJwt),
  sandbox: Object.keys(sandbox),
  engines: { ${engines.map(({ name }) => `${name}: Object.keys(${name})`).join()} },
  testing: Object.keys(testing).sort(),
  members: ['require', 'of', 'forget', 'start'].map((name) => typeof identity[name]),
  same: error instanceof pidgate.IdentityError && error.code,
}));`;
const make = `
const { identityVerification } = pidgate;
const trust = { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) };
const identity = identityVerification({
  baseUrl: 'https://service.example', apiKey: 'k', issuer: 'de-ausweis', appUrl: 'https://shop.example', trust,
  reveal: ['given_name'],
});
let error;
try { identityVerification({ reveal: [] }) } catch (thrown) { error = thrown }
`;
const loaded = {
  names: [
    'IdentityError',
    'ask',
    'callbackReply',
    'createProveClient',
    'errorCodes',
    'identityVerification',
    'isAtLeast',
    'memoryStore',
    'parseCallback',
    'sdJwtVc',
    'signedJwt',
    'trustFromPem',
    'verifyPresentation',
    'x509HashClientId',
  ],
  sdJwt: ['verifySdJwt'],
  sandbox: ['createSandbox'],
  engines: Object.fromEntries(engines.map(({ name }) => [name, [`${name}Store`]])),
  testing: ['asVerified', 'flowStoreContract', 'testClock'],
  members: ['function', 'function', 'function', 'function'],
  same: 'config_invalid',
};

describe.each([
  ['4', { express: 'express4', '@types/express': '@types/express4' }],
  ['5', {}],
])('the packed package, in an app on Express %s', (version, replace) => {
  let customer: Customer;

  beforeAll(async () => {
    customer = await tarball.install(replace);
  });

  it('loads with require() in CommonJS', async () => {
    await customer.write(
      'app.cjs',
      `const express = require('express/package.json').version;
       if (!express.startsWith('${version}.')) throw new Error(express);
       const pidgate = require('pidgate');
       const sdJwt = require('pidgate/sd-jwt');
       const sandbox = require('pidgate/sandbox');
       ${engines.map(({ name, specifier }) => `const ${name} = require('${specifier}');`).join('\n')}
       const testing = require('pidgate/testing');
       ${make} ${main}`,
    );
    expect(JSON.parse(await customer.node('app.cjs'))).toEqual(loaded);
  });

  it('loads with import', async () => {
    await customer.write(
      'app.mjs',
      `import * as pidgate from 'pidgate';
       import * as sdJwt from 'pidgate/sd-jwt';
       import * as sandbox from 'pidgate/sandbox';
       ${engines.map(({ name, specifier }) => `import * as ${name} from '${specifier}';`).join('\n')}
       import * as testing from 'pidgate/testing';
       ${make} ${main}`,
    );
    expect(JSON.parse(await customer.node('app.mjs'))).toEqual(loaded);
  });
});

describe('the packed package', () => {
  it('holds the code, its documents and the types that an app can reach, and nothing else', () => {
    const sources = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('dev/cli/'))
      .map((name) => name.replace(/\.ts$/, ''));
    const built = sources.flatMap((name) => [`dist/${name}.js`, `dist/${name}.js.map`]);
    const entryFiles = entries.flatMap(({ name }) =>
      ['.mjs', '.cjs', '.d.mts', '.d.cts'].map((ending) => `dist/${name}${ending}`),
    );
    const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md'))
      .map((name) => `docs/${name}`);
    const documents = ['CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'README.md', 'SECURITY.md', 'llms.txt'];
    const others = [
      'dist/dev/cli/main.mjs',
      'dist/dev/cli/preload.mjs',
      'dist/package.json',
      ...['flow.svg', 'layers.svg'].map((name) => `docs/diagrams/${name}`),
      'docs/grafana.json',
      'docs/openapi.json',
      'docs/pages/identity.ejs',
      'docs/pages/wallet-page.js',
      'docs/texts.en.json',
      ...readdirSync(join(root, 'examples')).map((name) => `examples/${name}`),
      ...readdirSync(join(root, 'lib/stores'))
        .filter((name) => name.endsWith('.sql'))
        .map((name) => `lib/stores/${name}`),
      'package.json',
      'test/faults/INDEX.md',
    ];
    const code = tarball.files.filter((name) => !name.endsWith('.d.ts'));
    expect(code).toEqual(
      [...built, ...entryFiles, ...pages, ...documents, ...others]
        .filter((name) => !/^dist\/dev\/.*\.map$/.test(name))
        .toSorted(),
    );
    const types = tarball.files.filter((name) => name.endsWith('.d.ts'));
    expect(types).toContain('dist/types/store.d.ts');
    expect(types).not.toContain('dist/http/router.d.ts'); // no entry leads there
  });

  it('has documents that link only what is in it', async () => {
    const { folder } = await tarball.install();
    const links = tarball.files
      .filter((name) => /\.(md|txt)$/.test(name))
      .flatMap((name) => {
        const text = readFileSync(join(folder, 'node_modules/pidgate', name), 'utf8');
        return [...text.replaceAll(/```.*?```/gs, '').matchAll(/\]\((?![a-z]+:)([^)#\s]+)[^)]*\)/g)].map(
          ([, to = '']) => posix.join(dirname(name), to),
        );
      });
    expect(links).not.toEqual([]);
    expect(links.filter((path) => !tarball.files.includes(path))).toEqual([]);
  });

  it('stays small', () => {
    expect(tarball.bytes.packed).toBeLessThan(1_050_000);
    expect(tarball.bytes.unpacked).toBeLessThan(3_600_000);
  });

  it('packs a source once: in the map of its file', async () => {
    const { folder } = await tarball.install();
    const read = (name: string): string => readFileSync(join(folder, 'node_modules/pidgate', name), 'utf8');
    const map = JSON.parse(read('dist/errors.js.map')) as { sourcesContent: string[] };
    expect(map.sourcesContent).toEqual([readFileSync(join(root, 'lib/errors.ts'), 'utf8')]);
    expect(tarball.files.filter((name) => /\.d\.[cm]?ts\.map$|^lib\/.*\.ts$/.test(name))).toEqual([]);
  });

  it('F111 names what it carries, with version and licence, in the file and in the list of components', async () => {
    const { folder } = await tarball.copy();
    const ours = join(folder, 'node_modules/pidgate');
    const read = (name: string): string => readFileSync(join(ours, name), 'utf8');
    // The build notes in front of each module where it is from.
    const inside = tarball.files
      .filter((name) => /\.[cm]?js$/.test(name))
      .flatMap((file) => {
        const modules = read(file).matchAll(/^\s*\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)\//gm);
        return [...new Set([...modules].map(([, name = '']) => name))].map((name) => ({ file, name }));
      });
    const versionOf = (name: string): string => {
      const text = readFileSync(join(root, 'node_modules', name, 'package.json'), 'utf8');
      return (JSON.parse(text) as { version: string }).version;
    };
    expect(inside.map(({ name }) => name).toSorted()).toEqual(Object.keys(bundled).toSorted());
    const carried = carriedIn(ours);
    expect(carried).toEqual(
      inside.map(({ file, name }) => ({ file, name, version: versionOf(name), licence: 'MIT' })),
    );
    for (const { file } of carried)
      expect(read(file)).toMatch(/^\/\* Contains[^]*?Permission is [^]*?\*\/\n/);

    const named = (packages: readonly { readonly name: string; readonly version: string }[]) =>
      packages.map(({ name, version }) => `${name}@${version}`);
    const { components, dependencies } = sbomOf(folder);
    const rows = named(
      components.filter(({ properties }) => properties.some((one) => one.name === 'cdx:npm:package:bundled')),
    );
    expect(rows).toEqual(named(carried));
    const needs = dependencies.find(({ ref }) => ref === `pidgate@${tarball.manifest.version}`);
    expect(needs?.dependsOn).toEqual(expect.arrayContaining(rows));
    // Another version without its row is found.
    for (const { file, name, version } of carried) {
      await writeFile(join(ours, file), read(file).replace(`${name}@${version}`, `${name}@99.0.0`));
    }
    expect(named(carriedIn(ours))).toEqual(carried.map(({ name }) => `${name}@99.0.0`));
    expect(named(carriedIn(ours))).not.toEqual(rows);

    const types = tarball.files.filter((path) => /\.d\.[cm]?ts$/.test(path));
    expect(types.filter((path) => /['"](jose|uqr)['"]/.test(read(path)))).toEqual([]);
  });

  it('F111 uses the zod that the app has, patched or not', async () => {
    const customer = await tarball.install({ zod: undefined });
    await customer.write('node_modules/zod/package.json', '{ "exports": { "./mini": "./mini.js" } }');
    await customer.write(
      'node_modules/zod/mini.js',
      `const zod = require(${JSON.stringify(join(root, 'node_modules/zod/mini'))});
       module.exports = { ...zod, strictObject: (shape) => (console.log('patched'), zod.strictObject(shape)) };`,
    );
    await customer.write('main.cjs', `require('pidgate');`);
    expect(await customer.node('main.cjs')).toBe('patched\n');
  });

  it('is one implementation: what require() loads is what import loads, and they know each other', async () => {
    const customer = await tarball.install();
    await customer.write(
      'both.mjs',
      `import { createRequire } from 'node:module';
       const require = createRequire(import.meta.url);
       const different = [];
       for (const door of ${JSON.stringify(entries.map(({ specifier }) => specifier))}) {
         const [one, other] = [await import(door), require(door)];
         const names = Object.keys({ ...one, ...other });
         different.push(...names.filter((name) => one[name] === undefined || one[name] !== other[name]));
       }
       const { IdentityError, memoryStore } = await import('pidgate');
       const { identityVerification } = require('pidgate');
       const attempt = (options) => { try { return identityVerification(options) } catch (error) { return error } };
       const refused = attempt({ reveal: [] }) instanceof IdentityError;
       // In production a memory store is warned of; any other store is not.
       const options = {
         baseUrl: 'https://service.example', apiKey: 'k', issuer: 'de-ausweis', reveal: ['given_name'],
         appUrl: 'https://shop.example', trust: { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) },
       };
       const warnings = [];
       process.removeAllListeners('warning').on('warning', ({ code }) => warnings.push(code));
       process.env.NODE_ENV = 'production';
       attempt({ ...options, store: { ...memoryStore() } });
       await new Promise(setImmediate);
       warnings.push('then');
       attempt({ ...options, store: memoryStore() });
       await new Promise(setImmediate);
       console.log(JSON.stringify({ different, refused, warnings }));`,
    );
    expect(JSON.parse(await customer.node('both.mjs'))).toEqual({
      different: [],
      refused: true,
      warnings: ['then', 'PIDGATE_MEMORY'],
    });
  });

  it('loads nothing of the sandbox, the program or the tests where an app loads the main entry', async () => {
    const customer = await tarball.install();
    const list = `console.log(JSON.stringify(Object.keys(require.cache).map((path) => path.split('/pidgate/dist/')[1]).filter(Boolean)));`;
    await customer.write('main.cjs', `require('pidgate'); ${list}`);
    await customer.write(
      'main.mjs',
      `import 'pidgate'; import { createRequire } from 'node:module'; const require = createRequire(import.meta.url); ${list}`,
    );
    const required = JSON.parse(await customer.node('main.cjs')) as string[];
    const imported = JSON.parse(await customer.node('main.mjs')) as string[];
    expect(required.filter((path) => path.startsWith('dev/'))).toEqual([]);
    expect(required).toContain('index.js');
    expect(required.filter((path) => path !== 'index.cjs').toSorted()).toEqual(imported.toSorted());
  });

  describe('what an app loads to ask a wallet', () => {
    /** What of it is loaded after the factory, and after each of these steps of an app with these options. */
    async function loadedBy(options: string, steps: string): Promise<string[][]> {
      const customer = await tarball.install();
      await customer.write(
        'app.mjs',
        `import { once } from 'node:events';
         import { createServer } from 'node:http';
         import { createRequire } from 'node:module';
         import express from 'express';
         import session from 'express-session';
         import { identityVerification } from 'pidgate';
         const { cache } = createRequire(import.meta.url);
         const loaded = () => Object.keys(cache).flatMap(
           (path) => /(?:(?:service.wallets|http.wallet).\\w[\\w-]*|uqr)(?=\\.js|[/\\\\])/.exec(path)?.[0] ?? [],
         ).sort();
         const app = express();
         app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
         app.post('/prove', (req, res) => res.json({ success: true, redirect_url: 'https://wallet.example/' }));
         const server = createServer(app).listen(0, 'localhost');
         await once(server, 'listening');
         const url = 'http://localhost:' + server.address().port;
         const identity = identityVerification({ appUrl: url, issuer: 'de-ausweis', reveal: ['given_name'], logger: false, ${options} });
         app.use('/identity', identity);
         const shown = [loaded()];
         const asks = async (method, path, headers = {}, body) => {
           const reply = await fetch(url + '/identity' + path, { method, headers, body, redirect: 'manual' });
           await reply.text();
           shown.push(loaded());
           return reply;
         };
         const form = { 'content-type': 'application/x-www-form-urlencoded' };
         const start = await asks('POST', '/start?form=kit', { ...form, 'sec-fetch-site': 'same-origin' });
         if (start.status !== 303) throw new Error('The start answered ' + start.status);
         const cookie = start.headers.getSetCookie()[0].split(';')[0];
         const state = new URL(start.headers.get('location')).searchParams.get('state') ?? 'A'.repeat(43);
         ${steps}
         server.close();
         server.closeAllConnections();
         console.log(JSON.stringify(shown));`,
      );
      return JSON.parse(await customer.node('app.mjs')) as string[][];
    }

    const page = "await asks('GET', '/wallet?state=' + state, { cookie, accept: 'text/html' });";
    const request = "await asks('GET', '/request?state=' + state + '.link');";
    const callback = "await asks('POST', '/callback', form, 'error=access_denied&state=' + state + '.link');";

    it('is nothing with a service', async () => {
      const trust = `{ 'de-ausweis': async () => ({ valid: false, reason: 'never' }) }`;
      const shown = await loadedBy(
        `baseUrl: url, apiKey: 'k', trust: ${trust}`,
        `${callback.replace(" + '.link'", '')} ${page} ${request}`,
      );
      expect(shown).toEqual([[], [], [], [], []]);
    });

    it.each([
      ['the page', page, ['http/wallet/page', 'uqr'], ['http/wallet/request']],
      ['the request', request, ['http/wallet/request'], ['http/wallet/page', 'uqr']],
      [
        'the answer',
        callback,
        ['service/wallets/answer'],
        ['http/wallet/page', 'http/wallet/request', 'uqr'],
      ],
    ])('with wallets, is loaded by %s, and not by the factory or a start', async (_, step, some, none) => {
      const { entry, anchors } = await accessOf();
      const trust = { 'de-ausweis': { format: 'sd-jwt-vc', keys: { x5c: { anchors } }, vct: ['urn:a'] } };
      const options = `wallets: ${JSON.stringify(entry)}, trust: ${JSON.stringify(trust)}`;
      const [byFactory, byStart, byStep = []] = await loadedBy(options, step);
      expect([byFactory, byStart]).toEqual([[], []]);
      expect(byStep).toEqual(expect.arrayContaining(some));
      expect(byStep.filter((name) => none.includes(name))).toEqual([]);
    });
  });

  it('loads the texts of a language when somebody wants a page in it, and English where they are gone', async () => {
    const customer = await tarball.install();
    await customer.write(
      'late.mjs',
      `import { once } from 'node:events';
       import { rmSync } from 'node:fs';
       import { createRequire } from 'node:module';
       import express from 'express';
       import session from 'express-session';
       import * as pidgate from 'pidgate';
       ${make}
       const { cache } = createRequire(import.meta.url);
       const loaded = () => Object.keys(cache).flatMap((path) => /pages.(..)\\.js$/.exec(path)?.[1] ?? []).join();
       const app = express();
       app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
       app.use('/identity', identity);
       const server = app.listen(0);
       await once(server, 'listening');
       const shown = [loaded()];
       console.warn = (line) => shown.push(line);
       const see = async (language) => {
         const headers = { 'accept-language': language };
         const page = await fetch('http://localhost:' + server.address().port + '/identity/start', { headers });
         shown.push(page.status + ' ' + /<html lang="(..)"/.exec(await page.text())?.[1] + ' ' + loaded());
       };
       await see('en');
       await see('fr');
       rmSync(createRequire(import.meta.url).resolve('pidgate').replace('index.cjs', 'options/pages/de.js'));
       await see('de');
       server.close();
       console.log(JSON.stringify(shown));`,
    );
    expect(JSON.parse(await customer.node('late.mjs'))).toEqual([
      'en',
      '200 en en',
      '200 fr en,fr',
      'pidgate: the texts of the language de could not be loaded: pages are in English. Start the app again.',
      '200 en en,fr',
    ]);
  });

  it('has all English texts for an app that translates them', async () => {
    const customer = await tarball.install();
    await customer.write(
      'texts.mjs',
      `import { createRequire } from 'node:module';
       import english from 'pidgate/texts.en.json' with { type: 'json' };
       const required = createRequire(import.meta.url)('pidgate/texts.en.json');
       console.log(JSON.stringify([english.cancel, required.cancel]));`,
    );
    expect(JSON.parse(await customer.node('texts.mjs'))).toEqual(['Cancel', 'Cancel']);
  });

  it('reads certificates in a bundle too, where it loads asn1 late', async () => {
    const customer = await tarball.install();
    const anchors = join(root, 'test/vectors/eudi/eu-pid-issuer-cas.pem');
    await customer.write(
      'late.cjs',
      `const { trustFromPem } = require('pidgate');
       console.log(trustFromPem(require('node:fs').readFileSync(${JSON.stringify(anchors)}, 'utf8')).anchors.length)`,
    );
    const [entry, outfile] = ['late.cjs', 'bundle.cjs'].map((name) => join(customer.folder, name)) as [
      string,
      string,
    ];
    await build({ entryPoints: [entry], outfile, bundle: true, platform: 'node', external: ['express'] });
    expect(await customer.node('bundle.cjs')).toBe('8\n');
  });

  it('has a program that runs', async () => {
    const customer = await tarball.install();
    const { stdout } = await promisify(execFile)(join(customer.folder, 'node_modules/.bin/pidgate'), [
      '--version',
    ]);
    expect(stdout).toBe(`${tarball.manifest.version}\n`);
  });

  it('has no door but those of the manifest', async () => {
    const customer = await tarball.install();
    await customer.write('inside.mjs', `await import('pidgate/dist/index.js')`);
    await expect(customer.node('inside.mjs')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(entries.filter(({ isEngine }) => !isEngine).map(({ specifier }) => specifier)).toEqual([
      'pidgate',
      'pidgate/sd-jwt',
      'pidgate/sandbox',
      'pidgate/testing',
    ]);
    expect(engines.map(({ name }) => `${name}.ts`).toSorted()).toEqual(
      readdirSync(join(root, 'lib/stores'))
        .filter((name) => /^(?!call-backend|memory|table-store).*\.ts$/.test(name))
        .toSorted(),
    );
    // Where TypeScript does not read exports.
    const { '*': versions } = tarball.manifest.typesVersions;
    expect(versions).toEqual(
      Object.fromEntries([
        ...entries.slice(1).map(({ name }) => [name, [`./dist/${name}.d.cts`]]),
        ['texts.en.json', ['./docs/texts.en.json']],
      ]),
    );
  });

  it.each([
    ['zod', ['pidgate', 'pidgate/sandbox']],
    ['body-parser', ['pidgate']],
    ['express', ['pidgate', 'pidgate/sandbox']],
    ['express-session', []],
  ])('needs %s in these entryFiles, and in no other: %j', async (name, entryFiles) => {
    const customer = await tarball.install({ [name]: undefined });
    const all = Object.keys(tarball.manifest.exports).filter((door) => door !== './package.json');
    await customer.write(
      'entryFiles.cjs',
      `const shut = [];
       for (const door of ${JSON.stringify(all.map((door) => door.replace('.', 'pidgate')))}) {
         try { require(door) } catch ({ code }) { shut.push(code === 'MODULE_NOT_FOUND' ? door : code) }
       }
       console.log(JSON.stringify(shut));`,
    );
    expect(JSON.parse(await customer.node('entryFiles.cjs'))).toEqual(entryFiles);
  });
});
