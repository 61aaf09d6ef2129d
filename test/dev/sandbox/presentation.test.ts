import { createHash } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  type JSONWebKeySet,
  type JWK,
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  jwtVerify,
} from 'jose';
import type { Variant } from '../../../lib/index.js';
import type { Sandbox } from '../../../lib/dev/sandbox/index.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { decide } from '../../support/wallet.js';
import { aCustomer, request, prove, sandbox } from './open.js';

const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
const now = new Date('2030-05-01T12:00:00Z');
const iat = now.getTime() / 1000;

/** Runs a verification to its end and takes the presentation apart, checking every signature. */
async function present(service: Sandbox, more: Record<string, unknown>) {
  const { redirectUrl, callbacks } = await aCustomer();
  service.redirectUrl = redirectUrl;
  const body = request(more);
  await decide((await prove(service, body)).body.redirect_url, 'approve');
  const presentation = callbacks[0]?.body.get('presentation') ?? '';
  const parts = presentation.split('~');
  const [credential = '', binding = ''] = [parts[0], parts.at(-1)];
  const jwks = (await (await fetch(`${service.url}/jwks.json`)).json()) as JSONWebKeySet;
  const issued = await jwtVerify(credential, createLocalJWKSet(jwks), {
    currentDate: now,
    algorithms: ['ES256'],
  });
  const { cnf, ...payload } = issued.payload as Record<string, unknown> & { cnf: { jwk: JWK } };
  const holder = await importJWK(cnf.jwk, 'ES256');
  const bound = await jwtVerify(binding, holder, { currentDate: now, algorithms: ['ES256'] });
  const disclosures = parts.slice(1, -1).map((text) => ({
    digest: sha256(text),
    content: JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, string, unknown],
  }));
  const claims = Object.fromEntries(disclosures.map(({ content: [, name, value] }) => [name, value]));
  const signed = presentation.slice(0, presentation.lastIndexOf('~') + 1);
  return { callbacks, body, issued, payload, cnf, bound, binding, disclosures, claims, signed, jwks };
}

describe('The presentation', () => {
  it('is signed by the issuer of the sandbox, as dc+sd-jwt', async () => {
    const service = await sandbox({ clock: () => now });
    const { issued, payload, jwks } = await present(service, {});
    expect(issued.protectedHeader).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt', kid: jwks.keys[0]?.kid });
    expect(payload).toMatchObject({
      iss: service.url,
      vct: 'urn:eudi:pid:1',
      iat,
      exp: iat + 14 * 24 * 60 * 60,
      _sd_alg: 'sha-256',
    });
    expect(payload).not.toHaveProperty('derived');
  });

  it('is bound to the state and the audience by the key of the holder', async () => {
    const { bound, binding, body, signed } = await present(await sandbox({ clock: () => now }), {});
    expect(decodeProtectedHeader(binding)).toEqual({ alg: 'ES256', typ: 'kb+jwt' });
    expect(bound.payload).toEqual({
      nonce: sha256(String(body['state'])),
      aud: 'pidgate-sandbox',
      iat,
      sd_hash: sha256(signed),
    });
  });

  it('discloses only what was asked, under digests of the credential', async () => {
    const { claims, disclosures, payload } = await present(await sandbox({ clock: () => now }), {
      revealed: ['birth_date', 'family_name'],
    });
    expect(claims).toEqual({ family_name: 'Mustermann', birthdate: '1964-08-12' });
    const digests = payload['_sd'] as string[];
    expect(digests).toHaveLength(4);
    expect(digests).toEqual(expect.arrayContaining(disclosures.map(({ digest }) => digest)));
    expect(digests).toEqual(digests.toSorted());
  });

  it('writes the birth date as DD-MM-YYYY in the base variant', async () => {
    const service = await sandbox({ clock: () => now, variant: 'base' });
    expect((await present(service, { revealed: ['birth_date'] })).claims).toEqual({
      birthdate: '12-08-1964',
    });
  });

  it.each([
    ['DE', '1'],
    ['FR', '0'],
  ])('answers the nationality %s with %s in the signed part', async (nationality, answer) => {
    const service = await sandbox({ clock: () => now });
    const { payload, claims } = await present(service, { derived: { nationality } });
    expect(payload['derived']).toEqual({ nationality: answer });
    expect(payload['derived_for']).toEqual({ nationality });
    expect(claims).toEqual({ given_name: 'Erika' });
  });

  it('uses new salts each time, and one holder key', async () => {
    const service = await sandbox({ clock: () => now });
    const [one, other] = [await present(service, {}), await present(service, {})];
    expect(one.disclosures[0]?.content[0]).not.toBe(other.disclosures[0]?.content[0]);
    expect(one.cnf).toEqual(other.cnf);
  });

  it('reaches the Redirect URL as a form with presentation and state only', async () => {
    const { callbacks, body } = await present(await sandbox({ clock: () => now }), {});
    expect(callbacks[0]?.type).toBe('application/x-www-form-urlencoded');
    expect([...(callbacks[0]?.body.keys() ?? [])]).toEqual(['presentation', 'state']);
    expect(callbacks[0]?.body.get('state')).toBe(body['state']);
  });
});

describe('The keys', () => {
  it('are published without a private part', async () => {
    const service = await sandbox();
    const response = await fetch(`${service.url}/jwks.json`);
    expect(response.headers.get('content-type')).toContain('application/json');
    const { keys } = (await response.json()) as JSONWebKeySet;
    expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
      ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
    ]);
  });

  it('are other ones in every sandbox', async () => {
    const keys = async (service: Sandbox) => await (await fetch(`${service.url}/jwks.json`)).text();
    expect(await keys(await sandbox())).not.toBe(await keys(await sandbox()));
  });
});

describe('The verifier of the kit', () => {
  const attributes = {
    family_name: 'Mustermann',
    given_name: 'Erika',
    birth_date: '1964-08-12',
    nationality: ['DE'],
  };
  const reveal = ['family_name', 'given_name', 'birth_date', 'nationality'] as const;

  async function verdict(variant: Variant, derived?: { nationality: string }) {
    const service = await sandbox({ variant });
    const { redirectUrl, callbacks } = await aCustomer();
    service.redirectUrl = redirectUrl;
    const body = request({ revealed: reveal, ...(derived && { derived }) });
    await decide((await prove(service, body)).body.redirect_url, 'approve');
    const state = String(body['state']);
    const expected = { issuer: 'xx-sandbox', state, reveal, variant, ...(derived && { derived }) };
    const presentation = callbacks[0]?.body.get('presentation') ?? '';
    return await verifyPresentation(presentation, expected, service.options.trust);
  }

  it.each([
    ['base', undefined, {}],
    ['derived', { nationality: 'FR' }, { derived: { nationality: false } }],
  ] as const)('takes the presentation in the %s variant', async (variant, derived, more) => {
    expect(await verdict(variant, derived)).toMatchObject({ valid: true, attributes, ...more });
  });
});
