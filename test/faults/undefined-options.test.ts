import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import { ask, identityVerification, verifyPresentation } from '../../lib/index.js';
import { openSandbox, startApp } from '../support/app.js';
import { certify, pemOf } from '../support/verify/certificates.js';
import { keyPair } from '../support/key-pair.js';

/** An app's own rules; each name that a test reads of it is misspelled. */
const rules: Readonly<Record<string, undefined>> = {};

const { publicKey } = keyPair('ec', { namedCurve: 'P-256' });
const root = pemOf(certify({ subject: 'Root', isCa: true }));
const keys = { jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: '1' }] } };
const credential = {
  format: 'sd-jwt-vc',
  keys,
  vct: ['urn:eudi:pid:1'],
  keyBinding: { nonce: 'state-sha256', audience: 'x509_san_dns:shop.example' },
};
const result = {
  format: 'jwt',
  keys,
  iss: 'https://service.example',
  audience: 'shop',
  typ: 'result+jwt',
  binding: { claim: 'nonce', value: 'state-sha256' },
  claims: { given_name: ['given_name'] },
};
const list = { url: 'https://list.example', signers: [root], territories: ['DE'], entities: ['An office'] };
const byCertificate = (x5c: object): object => ({
  ...credential,
  keys: { x5c: { anchors: [root], ...x5c } },
});
const byList = (change: object): object => ({
  ...credential,
  keys: { x5c: { trustedList: { ...list, ...change } } },
});

/** Each restriction of a trust entry, by its place in the entry, in an entry where a misspelled name has lifted it. */
const entries: Readonly<Record<string, object>> = {
  iss: { ...credential, iss: rules['issuers'] },
  types: { ...credential, types: rules['types'] },
  algorithms: { ...credential, algorithms: rules['algorithms'] },
  profile: { ...credential, profile: rules['profile'] },
  requireExpiry: { ...credential, requireExpiry: rules['mustExpire'] },
  maxCredentialAge: { ...credential, maxCredentialAge: rules['age'] },
  status: { ...credential, status: rules['status'] },
  'status.mode': { ...credential, status: { mode: rules['mode'] } },
  'status.origins': { ...credential, status: { origins: rules['origins'] } },
  keyBinding: { ...credential, keyBinding: rules['binding'] },
  'keyBinding.maxAge': { ...credential, keyBinding: { ...credential.keyBinding, maxAge: rules['age'] } },
  'keys.x5c.leaf': byCertificate({ leaf: rules['leaf'] }),
  'keys.x5c.leaf.purposes': byCertificate({ leaf: { purposes: rules['purposes'] } }),
  'keys.x5c.leaf.policies': byCertificate({ leaf: { policies: rules['policies'] } }),
  'keys.x5c.leaf.subject': byCertificate({ leaf: { subject: rules['subject'] } }),
  'keys.x5c.leaf.subject.O': byCertificate({ leaf: { subject: { CN: 'An office', O: rules['office'] } } }),
  'keys.x5c.leaf.requireIssuerInSan': byCertificate({ leaf: { requireIssuerInSan: rules['san'] } }),
  'keys.x5c.trustedList.territories': byList({ territories: rules['countries'] }),
  'keys.x5c.trustedList.entities': byList({ entities: rules['offices'] }),
  'keys.x5c.trustedList.minSequence': byList({ minSequence: rules['first'] }),
  'keys.x5c.trustedList.maxStale': byList({ maxStale: rules['stale'] }),
};
const resultEntries: typeof entries = {
  algorithms: { ...result, algorithms: rules['algorithms'] },
  maxAge: { ...result, maxAge: rules['age'] },
};

const options = {
  baseUrl: 'https://service.example',
  apiKey: 'a-key',
  appUrl: 'https://shop.example',
  issuer: 'de-ausweis',
  reveal: ['given_name'],
  trust: { 'de-ausweis': async () => ({ valid: false, reason: 'never' }) },
};
const factory = (change: object): unknown => identityVerification({ ...options, ...change } as never);

const undefinedIs = (place: string, colon = ''): object => {
  const name = /\w+$/.exec(place)?.[0] ?? '';
  const why = `${place}${colon} must not be undefined, because that would lift a restriction unnoticed`;
  return { code: 'config_invalid', message: `${why}: to leave it out, write ...(x && { ${name}: x }).` };
};

async function said(call: () => unknown): Promise<unknown> {
  return await new Promise((resolve) => resolve(call())).catch((error: unknown) => error);
}

describe('F91 a name that is misspelled one level up is told, not taken for no restriction', () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = await openSandbox();
  });

  test.each([
    ['allow', { allow: rules['isadult'] }],
    ['maxAge', { maxAge: rules['maxage'] }],
  ])('F91 %s of a guard', async (name, wanted) => {
    const { identity } = await startApp({ sandbox });
    expect(await said(() => identity.require(wanted as never))).toMatchObject(
      undefinedIs(`identity.require: ${name}`),
    );
  });

  test('F91 the options of a guard', async () => {
    const { identity } = await startApp({ sandbox });
    const message = 'The options of identity.require must be an object.';
    expect(await said(() => identity.require(rules['adults']))).toMatchObject({ message });
    expect(identity.require()).toBeInstanceOf(Function);
  });

  test('F91 subject, allow and keepFor of the factory, and allow and keepFor of a question', async () => {
    expect(await said(() => factory({ allow: rules['isadult'] }))).toMatchObject(
      undefinedIs('Option allow', ':'),
    );
    const ruled = { reveal: ['birth_date'], allow: rules['isadult'] };
    expect(await said(() => factory({ questions: { age: ruled } }))).toMatchObject(
      undefinedIs('Option questions.age.allow', ':'),
    );
    expect(await said(() => ask(ruled as never))).toMatchObject(undefinedIs('Option ask.allow', ':'));
    expect(await said(() => factory({ subject: rules['userId'] }))).toMatchObject(
      undefinedIs('Option subject', ':'),
    );
    expect(await said(() => factory({ keepFor: rules['keep'] }))).toMatchObject(
      undefinedIs('Option keepFor', ':'),
    );
    const question = { reveal: ['birth_date'], keepFor: rules['keep'] };
    expect(await said(() => factory({ questions: { age: question } }))).toMatchObject(
      undefinedIs('Option questions.age.keepFor', ':'),
    );
    expect(await said(() => ask(question as never))).toMatchObject(undefinedIs('Option ask.keepFor', ':'));
  });

  test.each([
    ...Object.entries(entries).map(([place, entry]) => ['of a credential', place, entry] as const),
    ...Object.entries(resultEntries).map(([place, entry]) => ['of a signed result', place, entry] as const),
    ...Object.entries(resultEntries).map(
      ([place, entry]) =>
        [
          'of a service beside a credential',
          `derivedBy.${place}`,
          { ...credential, derivedBy: { derived: {}, ...entry } },
        ] as const,
    ),
  ])('F91 a trust entry %s: %s', async (_what, place, entry) => {
    const trust = { 'de-ausweis': entry } as never;
    const expected =
      place === 'keyBinding'
        ? { message: "The options of trust['de-ausweis'].keyBinding must be an object." }
        : undefinedIs(`trust['de-ausweis'].${place}`);
    expect(await said(() => factory({ trust }))).toMatchObject(expected);
    const asked = { issuer: 'de-ausweis', state: 'a-state', reveal: ['given_name'] } as const;
    expect(await said(async () => await verifyPresentation('x', asked, trust))).toMatchObject(expected);
  });

  test('F91 what is not seen by a spread, or not by anybody, is not left out in silence', async () => {
    const hidden = Object.defineProperty({ ...options }, 'subject', { value: 'no function' });
    expect(await said(() => identityVerification(hidden as never))).toMatchObject({
      message: 'Option subject: must be a function.',
    });
    const inherited = Object.assign(
      Object.create(Object.assign(Object.create(null), { subject: 1 })),
      options,
    );
    expect(await said(() => identityVerification(inherited as never))).toMatchObject({
      message: 'The options must be a plain object.',
    });
  });
});
