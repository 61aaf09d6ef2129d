import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { identityVerification, sdJwtVc, signedJwt } from '../../lib/index.js';
import { certify, pemOf } from '../../lib/dev/sandbox/issuers/certificates.js';
import { certify as certifyAny, pemOf as pemOfAny } from '../support/verify/certificates.js';
import { newKeyPair } from '../support/verify/issuer.js';
import { accessOf, type TestAccess } from '../support/wallets.js';

let access: TestAccess;
let folder: string;

beforeAll(async () => {
  access = await accessOf();
  folder = mkdtempSync(join(tmpdir(), 'pidgate-access-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

const keys = { jwks: { keys: [] as never[] } };
const p256 = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
const jwk = p256.publicKey.export({ format: 'jwk' });
const entry = {
  iss: 'https://pid.example',
  vct: ['urn:eudi:pid:de:1'],
  keys: { jwks: { keys: [{ ...jwk, kid: 'a' }] } },
};
const trust = { 'de-ausweis': sdJwtVc(entry as never) };

/** Makes a factory that asks wallets, with a change. */
function make(change: Record<string, unknown> = {}, variables: Record<string, string> = {}): string {
  const names = ['IDENTITY_BASE_URL', 'IDENTITY_API_KEY', 'IDENTITY_ISSUER', 'APP_URL', 'NODE_ENV'];
  const all = [...names, 'IDENTITY_ACCESS_CERTIFICATE', 'IDENTITY_ACCESS_KEY', 'IDENTITY_REGISTRATION'];
  const before = Object.fromEntries(all.map((name) => [name, process.env[name]]));
  for (const name of all) if (name !== 'NODE_ENV') Reflect.deleteProperty(process.env, name);
  Object.assign(process.env, variables);
  try {
    identityVerification({
      wallets: access.entry,
      issuer: 'de-ausweis',
      trust,
      reveal: ['given_name'],
      appUrl: 'https://shop.example',
      ...change,
    } as never);
    return 'made';
  } catch (error) {
    return (error as Error).message;
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}

describe('F178 the option wallets', () => {
  it('takes PEM, a KeyObject and a function, a root in the chain, and a list', async () => {
    const second = await accessOf();
    const { certificate, key } = access.entry;
    expect(make()).toBe('made');
    expect(make({ wallets: { certificate, key } })).toBe('made');
    expect(make({ wallets: { certificate: certificate + access.anchors.join(''), key } })).toBe('made');
    expect(make({ wallets: { certificate, key: () => Buffer.alloc(64) } })).toBe('made');
    const { registration } = access.entry;
    expect(make({ wallets: { certificate, key, registration: `${registration}\n` } })).toBe('made');
    expect(make({ wallets: [second.entry, access.entry], ways: ['link'] })).toBe('made');
    expect(make({ wallets: { certificate, key, scheme: 'haip-vp' }, appUrl: 'http://localhost:3000' })).toBe(
      'made',
    );
  });

  it.each([
    [
      'not PEM',
      () => ({ certificate: 'access.pem' }),
      "Option wallets.certificate: must be the text of certificates in PEM, neither DER nor a file's name",
    ],
    [
      'no text',
      () => ({ certificate: 1 }),
      'Option wallets.certificate: must be the text of certificates in PEM, the leaf first.',
    ],
    [
      'cut off',
      () => ({ certificate: access.entry.certificate.slice(0, 200) }),
      'Option wallets.certificate: must be certificates in PEM and nothing else.',
    ],
    [
      'a root alone',
      () => ({ certificate: access.anchors[0] }),
      'Option wallets.certificate: is self-signed, and wallets refuse that',
    ],
    [
      'out of order',
      () => ({ certificate: access.entry.certificate + strangerPem() }),
      'Option wallets.certificate: is out of order: its certificate 2 has not issued certificate 1.',
    ],
    [
      'a key of another',
      () => ({ key: p256.privateKey.export({ type: 'pkcs8', format: 'pem' }) }),
      'Option wallets.key: does not belong to the certificate.',
    ],
    [
      'a public key',
      () => ({ key: p256.publicKey }),
      'Option wallets.key: must be a private key in PEM, a KeyObject, or a function that signs.',
    ],
    [
      'no key',
      () => ({ key: 'key' }),
      'Option wallets.key: must be a private key in PEM, a KeyObject, or a function that signs.',
    ],
    [
      'an encrypted key',
      () => ({
        key: p256.privateKey.export({ type: 'pkcs8', format: 'pem', cipher: 'aes-256-cbc', passphrase: 'x' }),
      }),
      'Option wallets.key: is encrypted: decrypt it',
    ],
    [
      'a registration that is none',
      () => ({ registration: 'a.b' }),
      'Option wallets.registration: must be a compact JWT',
    ],
    [
      'another scheme',
      () => ({ scheme: 'eudi-openid4vp' }),
      "Option wallets.scheme: must be 'openid4vp' or 'haip-vp'.",
    ],
    ['a name that is none', () => ({ cert: 'x' }), 'Unknown option cert of wallets.'],
  ])('refuses %s', (_, change, message) => {
    expect(make({ wallets: { ...access.entry, ...change() } })).toContain(message);
  });

  it('refuses a certificate that is not P-256', () => {
    const ca = certifyAny({ subject: 'CA', isCa: true });
    const other = certifyAny({ subject: 'Shop', issuer: ca, keys: newKeyPair('ES384') });
    expect(make({ wallets: { ...access.entry, certificate: pemOfAny(other) } })).toBe(
      'Option wallets.certificate: has a key that is not P-256, the one kind that every wallet knows.',
    );
  });

  it.each([
    [
      'expired',
      new Date(Date.now() - 3 * 86_400_000),
      'Option wallets: has no certificate that is valid now: it expired on ',
    ],
    [
      'not yet valid',
      new Date(Date.now() + 86_400_000),
      'Option wallets: has no certificate that is valid now: it is not valid before ',
    ],
  ])('refuses one that is %s, and takes it beside a good one', async (_, date, message) => {
    const other = await accessOf(date);
    expect(make({ wallets: other.entry })).toContain(message);
    expect(make({ wallets: [access.entry, other.entry] })).toBe('made');
  });

  it('refuses one certificate twice, and five of them', () => {
    expect(make({ wallets: [access.entry, access.entry] })).toBe(
      'Option wallets: has the same certificate twice.',
    );
    expect(make({ wallets: Array.from({ length: 5 }, () => access.entry) })).toContain(
      'must be at most 4 entries',
    );
    expect(make({ wallets: [] })).toContain('Option wallets');
  });

  it.each([
    [
      'http',
      { appUrl: 'http://shop.example' },
      'must be an https origin (http on loopback outside production)',
    ],
    [
      'one http of two',
      { appUrl: ['http://localhost:3000', 'http://shop.example'] },
      'must be an https origin',
    ],
    [
      'sameDevice',
      { sameDevice: true },
      'Option sameDevice: is a hint for a service; wallets are asked by ways.',
    ],
    ['variant', { variant: 'base' }, 'Option variant: is of a service, and wallets have none.'],
    [
      'derived',
      { derived: { nationality: 'DE' } },
      'Option derived: a wallet shares what it holds and judges none of it',
    ],
    ['ways that are none', { ways: ['qr'] }, "Option ways[0]: must be 'link', 'code' or 'browser'."],
    ['no ways', { ways: [] }, 'Option ways: must be a list of ways.'],
    [
      'no callback',
      { routes: { callback: false } },
      'Option routes.callback: must be a path: wallets post their answers there.',
    ],
    ['no answer', { ways: ['browser'], routes: { answer: false } }, 'Option routes.answer: must be a path'],
    [
      'an answer that nobody brings',
      { routes: { answer: '/brought' } },
      "Option routes.answer: is a route of apps whose ways have 'browser'.",
    ],
    [
      'an answer at the path of another route',
      { ways: ['link', 'browser'], routes: { answer: '/callback' } },
      'Option routes: two routes have the same address.',
    ],
    ['no page', { routes: { wallet: false } }, 'Option routes.wallet: must be a path such as /wallet'],
    [
      'two routes of one path',
      { routes: { wallet: '/request' } },
      'Option routes: two routes have the same address.',
    ],
    [
      'baseUrl',
      { baseUrl: 'https://service.example' },
      'Remove the option baseUrl to ask wallets, or the option wallets to ask the service.',
    ],
    [
      'apiKey',
      { apiKey: 'k' },
      'Remove the option apiKey to ask wallets, or the option wallets to ask the service.',
    ],
    [
      'a verifier function',
      { trust: { 'de-ausweis': () => undefined } },
      'Option trust.de-ausweis: must be made by sdJwtVc',
    ],
    [
      'a signed JWT',
      {
        trust: {
          'de-ausweis': signedJwt({
            keys,
            iss: 'x',
            audience: 'x',
            typ: 'x',
            binding: { claim: 'n', value: 'state' },
            claims: {},
          }),
        },
      },
      'Option trust.de-ausweis: must be made by sdJwtVc',
    ],
    [
      'derivedBy',
      { trust: { 'de-ausweis': { ...trust['de-ausweis'], derivedBy: {} } } },
      'Option trust.de-ausweis.derivedBy: is of a service',
    ],
    [
      'a nonce',
      { trust: { 'de-ausweis': { ...trust['de-ausweis'], keyBinding: { nonce: 'state-sha256' } } } },
      'Option trust.de-ausweis.keyBinding.nonce: must go',
    ],
    [
      'an audience',
      { trust: { 'de-ausweis': { ...trust['de-ausweis'], keyBinding: { audience: 'x' } } } },
      'Option trust.de-ausweis.keyBinding.audience: must go',
    ],
    [
      'xx-sandbox',
      { issuer: 'xx-sandbox', trust: { 'xx-sandbox': trust['de-ausweis'] } },
      'Option trust.xx-sandbox: is the test environment of a service',
    ],
    ['no trust', { trust: {} }, 'Option trust has no entry for the issuer de-ausweis'],
  ])('refuses beside it: %s', (_, change, message) => {
    expect(make(change)).toContain(message);
  });

  it.each([
    ['a verifier function', () => undefined],
    ['a signed JWT', { format: 'jwt' }],
    ['derivedBy', { ...trust['de-ausweis'], derivedBy: {} }],
    ['an audience of its own', { ...trust['de-ausweis'], keyBinding: { audience: 'x' } }],
  ])('refuses beside the way browser what cannot check an audience: %s', (_, entry) => {
    const ways = ['link', 'browser'];
    expect(make({ ways })).toBe('made');
    expect(make({ ways, trust: { 'de-ausweis': entry } })).toContain('Option trust.de-ausweis');
  });

  it('takes the way browser of one question alone, with its route', () => {
    const questions = { member: { reveal: ['given_name'], ways: ['browser'] } };
    expect(make({ questions, routes: { answer: '/brought' } })).toBe('made');
  });

  it('takes maxAge and tolerance of a keyBinding', () => {
    const bound = { ...trust['de-ausweis'], keyBinding: { maxAge: 60, tolerance: 30 } };
    expect(make({ trust: { 'de-ausweis': bound } })).toBe('made');
    expect(make({ trust: { 'de-ausweis': { ...bound, keyBinding: { maxAge: undefined } } } })).toContain(
      'maxAge',
    );
  });

  it('allows http on this machine outside production alone', () => {
    const appUrl = ['http://localhost:3000', 'http://127.0.0.1:3000'];
    expect(make({ appUrl })).toBe('made');
    expect(make({ appUrl }, { NODE_ENV: 'staging' })).toBe('made');
    expect(make({ appUrl }, { NODE_ENV: 'production' })).toContain('must be an https origin');
  });
});

describe('F178 what belongs to a service alone, and to wallets alone', () => {
  const service = {
    wallets: undefined,
    baseUrl: 'https://service.example',
    apiKey: 'k',
    trust: { 'de-ausweis': () => undefined },
  };

  it.each([
    [
      'ways',
      { ways: ['link'] },
      'Option ways: is for apps that ask wallets themselves; of a service, set sameDevice.',
    ],
    [
      'routes.wallet',
      { routes: { wallet: '/w' } },
      'Option routes.wallet: is a route of apps that ask wallets themselves.',
    ],
    [
      'routes.answer',
      { routes: { answer: '/a' } },
      'Option routes.answer: is a route of apps that ask wallets themselves.',
    ],
    ['no keyBinding', { trust }, 'keyBinding'],
  ])('an app that asks a service is told of %s', (_, change, message) => {
    expect(make(service)).toBe('made');
    expect(make({ ...service, ...change })).toContain(message);
  });

  it('an entry for the wallets of production stands beside what the sandbox is asked', () => {
    const both = { ...trust, 'xx-other': () => undefined };
    expect(make({ ...service, issuer: 'xx-other', trust: both })).toBe('made');
  });

  it('one that says neither is told of both ways', () => {
    const message = make({ wallets: undefined });
    expect(message).toContain('Options baseUrl and apiKey are missing');
    expect(message).toContain('To ask wallets without a service, set the option wallets.');
  });
});

describe('F178 the variables', () => {
  const none = { wallets: undefined };
  const text = () => ({
    IDENTITY_ACCESS_CERTIFICATE: access.entry.certificate,
    IDENTITY_ACCESS_KEY: access.entry.key,
    IDENTITY_REGISTRATION: access.entry.registration,
  });

  it('are texts, with \\n for the end of a line, or the names of files', () => {
    expect(make(none, text())).toBe('made');
    const oneLine = Object.entries(text()).map(([name, value]) => [
      name,
      value.replaceAll('\n', String.raw`\n`),
    ]);
    expect(make(none, Object.fromEntries(oneLine))).toBe('made');
    const files = Object.entries(text()).map(([name, value]) => {
      const file = join(folder, name);
      writeFileSync(file, `${value}\n`);
      return [name, file];
    });
    expect(make(none, Object.fromEntries(files))).toBe('made');
  });

  it('give way to a member in code', () => {
    const { certificate } = access.entry;
    expect(
      make({ wallets: { certificate } }, { ...text(), IDENTITY_ACCESS_CERTIFICATE: 'no certificate' }),
    ).toBe('made');
    expect(make({ wallets: { certificate } }, {})).toBe(
      'Option wallets.key: is missing: set it, or the environment variable IDENTITY_ACCESS_KEY.',
    );
  });

  it('are named in what is wrong, and never quoted', () => {
    const secret = '-----BEGIN PRIVATE KEY-----\nSECRETSECRET\n-----END PRIVATE KEY-----';
    const message = make(none, { ...text(), IDENTITY_ACCESS_KEY: secret });
    expect(message).toBe(
      'IDENTITY_ACCESS_KEY must be a private key in PEM, a KeyObject, or a function that signs.',
    );
    expect(make(none, { ...text(), IDENTITY_ACCESS_CERTIFICATE: '/secret/place.pem' })).toBe(
      'IDENTITY_ACCESS_CERTIFICATE is neither the text itself nor the name of a file that can be read (ENOENT).',
    );
  });

  it('of both ways together are an error that says which to remove', () => {
    const message = make(none, { ...text(), IDENTITY_BASE_URL: 'https://service.example' });
    expect(message).toContain(
      'Remove IDENTITY_BASE_URL to ask wallets, or IDENTITY_ACCESS_CERTIFICATE, IDENTITY_ACCESS_KEY, and IDENTITY_REGISTRATION to ask the service.',
    );
  });

  it('are nothing for the entries of a list, which say all themselves', () => {
    const { certificate, key } = access.entry;
    const entries = [{ certificate, key }, { certificate }];
    expect(make({ wallets: entries }, text())).toContain('Option wallets[1].key: is missing');
  });
});

const strangerPem = (): string => pemOf(certify({ name: 'Stranger', from: 0 }));
