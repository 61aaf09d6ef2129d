import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { type Customer, type Tarball, pack, root } from './tarball.js';

let tarball: Tarball;

beforeAll(async () => {
  tarball = await pack();
}, 60_000);
afterAll(async () => {
  await tarball.remove();
});

/** An app that touches every entry; the same for both ways to load a package. */
const main = `
const paths = identity.stack.flatMap(({ route }) => (route ? [route.path] : []));
console.log(JSON.stringify({
  names: Object.keys(pidgate).sort(),
  sdJwt: Object.keys(sdJwt),
  sandbox: Object.keys(sandbox),
  redis: Object.keys(redis),
  postgres: Object.keys(postgres),
  testing: Object.keys(testing),
  paths,
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
    'callbackReply',
    'createProveClient',
    'errorCodes',
    'identityVerification',
    'isAtLeast',
    'memoryStore',
    'parseCallback',
    'trustFromPem',
    'verifyPresentation',
  ],
  sdJwt: ['verifySdJwt'],
  sandbox: ['createSandbox'],
  redis: ['redisStore'],
  postgres: ['postgresStore'],
  testing: ['flowStoreContract'],
  paths: ['/start', '/start/:request', '/callback', '/return', '/status'],
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
       const redis = require('pidgate/redis');
       const postgres = require('pidgate/postgres');
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
       import * as redis from 'pidgate/redis';
       import * as postgres from 'pidgate/postgres';
       import * as testing from 'pidgate/testing';
       ${make} ${main}`,
    );
    expect(JSON.parse(await customer.node('app.mjs'))).toEqual(loaded);
  });

  it('has types that a strict app compiles against, and that find what was not asked for', async () => {
    await customer.write('module.mts', consumer(false));
    await customer.write('common.cts', consumer(true));
    await customer.write(
      'wrong.mts',
      consumer(false).replace('attributes.given_name', 'attributes.birth_date'),
    );
    expect(diagnose(customer.folder, ['module.mts', 'common.cts', 'wrong.mts'])).toEqual([
      expect.stringMatching(/^wrong\.mts: Property 'birth_date' does not exist/),
    ]);
  }, 60_000);
});

describe('the packed package', () => {
  it('holds the code, its sources and its documents, and nothing else', () => {
    const sources = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => name.replace(/\.ts$/, ''));
    const built = sources.flatMap((name) =>
      ['.js', '.js.map', '.d.ts', '.d.ts.map'].map((ending) => `dist/${name}${ending}`),
    );
    const pages = readdirSync(join(root, 'docs/errors')).map((name) => `docs/errors/${name}`);
    const documents = ['CHANGELOG.md', 'LICENSE', 'README.md', 'SECURITY.md', 'package.json'];
    const lib = [...sources.map((name) => `lib/${name}.ts`), 'lib/stores/postgres.sql'];
    expect(tarball.files).toEqual([...built, ...lib, ...pages, ...documents].toSorted());
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
    await customer.write('inside.mjs', `await import('pidgate/dist/flow/seal.js')`);
    await expect(customer.node('inside.mjs')).rejects.toThrow('ERR_PACKAGE_PATH_NOT_EXPORTED');
    expect(Object.keys(tarball.manifest.exports)).toEqual([
      '.',
      './sd-jwt',
      './redis',
      './postgres',
      './sandbox',
      './testing',
      './package.json',
    ]);
  });

  it.each([
    ['jose', ['pidgate/sandbox']],
    ['zod', ['pidgate', 'pidgate/sandbox']],
    ['body-parser', ['pidgate']],
    ['express', ['pidgate', 'pidgate/sandbox']],
    ['@peculiar/asn1-x509', ['pidgate']],
    ['@peculiar/asn1-schema', ['pidgate']],
    ['express-session', []],
  ])('needs %s in these doors, and in no other: %j', async (name, doors) => {
    const customer = await tarball.install({ [name]: undefined });
    const all = Object.keys(tarball.manifest.exports).filter((door) => door !== './package.json');
    await customer.write(
      'doors.mjs',
      `const shut = [];
       for (const door of ${JSON.stringify(all.map((door) => door.replace('.', 'pidgate')))}) {
         await import(door).catch(({ code }) => { shut.push(code === 'ERR_MODULE_NOT_FOUND' ? door : code); });
       }
       console.log(JSON.stringify(shut));`,
    );
    expect(JSON.parse(await customer.node('doors.mjs'))).toEqual(doors);
  });
});

/** A customer's file, without the types of express-session. */
function consumer(commonJs: boolean): string {
  const from = (names: string, name: string): string =>
    commonJs ? `import ${names} = require('${name}');` : `import * as ${names} from '${name}';`;
  return `
${from('pidgate', 'pidgate')}
${from('sdJwt', 'pidgate/sd-jwt')}
${from('sandbox', 'pidgate/sandbox')}
${from('redis', 'pidgate/redis')}
${from('postgres', 'pidgate/postgres')}
${from('testing', 'pidgate/testing')}
${commonJs ? `import express = require('express');` : `import express from 'express';`}
const identity = pidgate.identityVerification({
  reveal: ['given_name'],
  subject: (req) => req.get('x-user'),
  context: (req) => ({ plan: String(req.query['plan']) }),
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  onSuccess: ({ req, result, context }) => {
    const name: string = result.attributes.given_name;
    const plan: string = context.plan;
    return { redirectTo: req.path + name + plan };
  },
  onError: ({ error }) => { const code: string = error.code; void code; },
});
const app = express();
app.use('/identity', identity);
app.get('/club/:room', identity.require({ maxAge: '30d' }), (req, res) => {
  const room: string = req.params.room;
  const name: string | undefined = identity.of(req)?.kept.name;
  res.json({ room, name });
});
export const verify: typeof sdJwt.verifySdJwt = sdJwt.verifySdJwt;
export const flows = (client: redis.NodeRedisClient): unknown => redis.redisStore({ client });
export const rows = async (pool: postgres.PostgresPool): Promise<void> => postgres.postgresStore({ pool }).setup();
export const contract: typeof testing.flowStoreContract = testing.flowStoreContract;
export const started: Promise<sandbox.Sandbox> = sandbox.createSandbox({ port: 0 });
`;
}

/** What a customer's compiler says, the types of every package looked at too. */
function diagnose(folder: string, files: readonly string[]): string[] {
  const program = ts.createProgram(
    files.map((file) => join(folder, file)),
    {
      module: ts.ModuleKind.NodeNext,
      moduleResolution: ts.ModuleResolutionKind.NodeNext,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      typeRoots: [join(folder, 'node_modules/@types')],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      noUnusedLocals: true,
      skipLibCheck: false,
      noEmit: true,
    },
  );
  return ts.getPreEmitDiagnostics(program).map((diagnostic) => {
    const place = diagnostic.file?.fileName.replace(`${folder}/`, '') ?? '';
    return `${place}: ${ts.flattenDiagnosticMessageText(diagnostic.messageText, '\n')}`;
  });
}
