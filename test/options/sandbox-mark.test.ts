import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import type { SdJwtVcTrust } from '../../lib/index.js';
import { createSandbox, type Sandbox } from '../../lib/dev/sandbox/create-sandbox.js';
import type { CertificateTrust } from '../../lib/types/trust.js';
import { createVerifiers } from '../../lib/verify/verify-presentation.js';
import { deep } from '../support/deep.js';
import { seed } from '../support/seed.js';
import { certify, pemOf } from '../support/verify/certificates.js';
import { configured, good, refusal, withEnvironment } from './settings.js';

let sandbox: Sandbox;
let published: object;
beforeAll(async () => {
  sandbox = await createSandbox();
  published = (await (await fetch(`${sandbox.url}/jwks.json`)).json()) as object;
});
afterAll(async () => {
  await sandbox.close();
});

const certificate = pemOf(certify({ subject: 'PID CA', isCa: true }));

/** Entries that a sandbox's presentations pass, or that an app would make of their parts. */
const kinds: Readonly<Record<string, () => Promise<object> | object>> = {
  'the entry of xx-sandbox': () => sandbox.options.trust['xx-sandbox'],
  'the entry of de-ausweis': () => sandbox.options.trust['de-ausweis'],
  'the wallet part of de-ausweis': () => {
    const { derivedBy: _, ...pid } = sandbox.options.trust['de-ausweis'];
    return pid;
  },
  'the statement part of de-ausweis': () => sandbox.options.trust['de-ausweis'].derivedBy as object,
  'its published keys, copied': () => elsewhere({ jwks: published }),
  'its anchors among others': () => elsewhere({ x5c: { anchors: [certificate, ...sandboxAnchors()] } }),
  'its anchors in one text': () => {
    const texts = sandboxAnchors().join('').replaceAll('\n', '\r\n');
    return elsewhere({ x5c: { anchors: [`# PID\r\n${certificate}${texts}`] } });
  },
  'its client id beside a real one': () => ({
    ...sandbox.options.trust['xx-sandbox'],
    keyBinding: { nonce: 'state-sha256', audience: ['x509_hash:another', 'pidgate-sandbox'] },
  }),
};

/** The entry of xx-sandbox with other keys, for another verifier. */
const elsewhere = (keys: object): object => ({
  ...sandbox.options.trust['xx-sandbox'],
  keys,
  keyBinding: { nonce: 'state-sha256', audience: 'x509_hash:another' },
});

function sandboxAnchors(): readonly string[] {
  return (sandbox.options.trust['de-ausweis'].keys as { x5c: CertificateTrust }).x5c.anchors ?? [];
}

const copies: Readonly<Record<string, (entry: object) => unknown>> = {
  'as it is': (entry) => entry,
  spread: (entry) => ({ ...entry }),
  'with another iss': (entry) => ({ ...entry, iss: 'https://pid.example' }),
  structuredClone: (entry) => structuredClone(entry),
  JSON: (entry) => JSON.parse(JSON.stringify(entry)) as unknown,
  frozen: (entry) => Object.freeze({ ...entry }),
  'without a prototype': (entry) => Object.assign(Object.create(null) as object, entry),
  'in another entry': (entry) => ({
    ...(sandbox.options.trust['de-ausweis'] as object),
    keys: { jwksUri: 'https://pid.example' },
    keyBinding: { nonce: 'state-sha256', audience: 'x' },
    derivedBy: entry,
  }),
};

const names = ['de-ausweis', 'my-issuer', 'XX-SANDBOX', 'xx-sandbox ', 'xx_sandbox', 'xx-sandbox'];
const modes = [
  undefined,
  '',
  'test ',
  ' development',
  ...'development test production Production prod staging Test DEVELOPMENT dev testing'.split(' '),
];

describe("F74 trust that bears the sandbox's mark stays in development", () => {
  const cases = fc.record({
    kind: fc.constantFrom(...Object.keys(kinds)),
    copy: fc.constantFrom(...Object.keys(copies)),
    name: fc.constantFrom(...names),
    mode: fc.constantFrom(...modes),
    allowSandbox: fc.constantFrom(undefined, false, true),
    isAsked: fc.boolean(),
  });

  /** What the factory says of this entry under this name; undefined if it starts, and counts it as a sandbox's. */
  async function judged(one: typeof cases extends fc.Arbitrary<infer T> ? T : never) {
    const { kind, copy, name, mode, allowSandbox, isAsked } = one;
    const entry = copies[copy]?.((await kinds[kind]?.()) ?? {});
    const trust = { 'fr-wallet': good.trust['de-ausweis'], [name]: entry };
    const asked = { baseUrl: sandbox.url, issuer: isAsked ? name : 'fr-wallet', trust, allowSandbox };
    return withEnvironment(mode === undefined ? {} : { NODE_ENV: mode }, () => {
      const isDevelopment = mode === 'development' || mode === 'test';
      if (!isDevelopment && !(name === 'xx-sandbox' && allowSandbox === true)) return refusal(asked);
      const { sandboxIssuers } = configured(asked);
      return [...sandboxIssuers].toSorted().join();
    });
  }

  deep.test(
    'F74 every kind of entry, however copied, under every name and spelling of NODE_ENV',
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (one) => {
          const isDevelopment = one.mode === 'development' || one.mode === 'test';
          const isAllowed = isDevelopment || (one.name === 'xx-sandbox' && one.allowSandbox === true);
          const brought = one.isAsked
            ? ''
            : '. The entry comes with ...sandbox.options: leave these out of any other NODE_ENV';
          const own = `Option trust.${one.name} trusts a sandbox, which proves nothing: it needs NODE_ENV=development or test${brought}.`;
          const sandboxs =
            'The issuer xx-sandbox proves nothing: it needs NODE_ENV=development or test, or allowSandbox: true.';
          const refused = one.name === 'xx-sandbox' ? sandboxs : own;
          const started = [...new Set([one.name, 'xx-sandbox'])].toSorted().join();
          expect(await judged(one)).toBe(isAllowed ? started : refused);
        }),
        { seed, numRuns: 1_500 },
      );
    },
  );

  test('F74 every kind and copy at least once, in production', async () => {
    for (const kind of Object.keys(kinds)) {
      for (const copy of Object.keys(copies)) {
        const one = { kind, copy, name: 'de-ausweis', mode: 'production', allowSandbox: true, isAsked: true };
        expect(await judged(one)).toMatch(/^Option trust\.de-ausweis trusts a sandbox/);
      }
    }
  });

  test('F74 what a real issuer has is no mark', () => {
    const real: SdJwtVcTrust = {
      format: 'sd-jwt-vc',
      keys: { x5c: { anchors: [certificate, `${certificate}${certificate}`] } },
      iss: 'https://pidgate-sandbox.example',
      vct: ['urn:eudi:pid:de:1'],
      keyBinding: {
        nonce: 'state-sha256',
        audience: ['x509_san_dns:pidgate-sandbox.example', 'x509_hash:a'],
      },
    };
    withEnvironment({ NODE_ENV: 'production' }, () => {
      const { sandboxIssuers } = configured({ trust: { 'de-ausweis': real } });
      expect([...sandboxIssuers]).toEqual(['xx-sandbox']);
    });
    expect([...createVerifiers({ 'de-ausweis': real }).keys()]).toEqual(['de-ausweis']);
  });

  test('F53 the entry decides whether a result is a sandbox’s, and the name only of the test environment', () => {
    const entry = sandbox.options.trust['xx-sandbox'];
    const verifier = good.trust['de-ausweis'];
    withEnvironment({ NODE_ENV: 'test' }, () => {
      const issuersOf = (trust: object, issuer = 'de-ausweis') => [
        ...configured({ baseUrl: 'http://127.0.0.1:1', issuer, trust }).sandboxIssuers,
      ];
      expect(issuersOf({ 'de-ausweis': entry })).toEqual(['xx-sandbox', 'de-ausweis']);
      expect(issuersOf({ 'de-ausweis': verifier, 'xx-sandbox': entry })).toEqual(['xx-sandbox']);
      expect(issuersOf({ 'xx-sandbox': verifier }, 'xx-sandbox')).toEqual(['xx-sandbox']);
    });
  });
});
