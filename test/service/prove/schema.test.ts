import { describe, expect, it } from '@jest/globals';
import type { Variant } from '../../../lib/types/attributes.js';
import {
  baseProveRequest,
  derivedProveRequest,
  parseProveRequest,
  proveBody,
  proveResponse,
} from '../../../lib/service/prove/schema.js';

const minimal = { issuer: 'de-ausweis', revealed: ['given_name'], state: 's' };

describe('the body of POST /prove', () => {
  it('has the defaults of its variant', () => {
    expect(baseProveRequest.parse(minimal)).toEqual({ ...minimal, same_device: false });
    expect(derivedProveRequest.parse(minimal)).toEqual({ ...minimal, same_device: false, derived: {} });
  });

  it('knows derived in one variant only', () => {
    const body = { ...minimal, derived: { nationality: 'DE' } };
    expect(derivedProveRequest.parse(body)).toMatchObject({ derived: { nationality: 'DE' } });
    expect(baseProveRequest.safeParse(body).success).toBe(false);
  });

  it('may ask for every attribute', () => {
    const revealed = ['family_name', 'given_name', 'birth_date', 'nationality'];
    expect(baseProveRequest.parse({ ...minimal, revealed }).revealed).toEqual(revealed);
  });
});

describe('the reply of POST /prove', () => {
  it('is a success with its address', () => {
    const reply = { success: true, redirect_url: 'https://wallet.example' };
    expect(proveResponse.parse(reply)).toEqual(reply);
    expect(proveResponse.parse({ ...reply, more: 1 })).toEqual(reply);
  });

  it('is a failure with its code', () => {
    const reply = { success: false, error: { error: 'error_account', error_description: 'Suspended.' } };
    expect(proveResponse.parse(reply)).toEqual(reply);
    expect(proveResponse.parse({ success: false, error: { error: 'error_account' } })).toEqual({
      success: false,
      error: { error: 'error_account', error_description: '' },
    });
  });

  it.each([
    {},
    null,
    'success',
    { success: true },
    { success: true, error: { error: 'e', error_description: '' } },
    { success: false, redirect_url: 'https://wallet.example' },
    { success: false, error: 'error_account' },
    { success: 1, redirect_url: 'https://wallet.example' },
  ])('is not %j', (reply) => {
    expect(proveResponse.safeParse(reply).success).toBe(false);
  });
});

describe('parseProveRequest', () => {
  const judge = (body: unknown, variant: Variant = 'derived', issuers?: readonly string[]) =>
    parseProveRequest(body, variant, issuers);

  it('fills in the defaults', () => {
    expect(judge(minimal)).toEqual({ ok: true, request: { ...minimal, same_device: false, derived: {} } });
    expect(judge(minimal, 'base')).toEqual({ ok: true, request: { ...minimal, same_device: false } });
  });

  it.each<[string, unknown, string]>([
    ['error_invalid_body', undefined, 'The body must be a JSON object.'],
    ['error_invalid_body', null, 'The body must be a JSON object.'],
    ['error_invalid_body', 'text', 'The body must be a JSON object.'],
    ['error_invalid_body', [minimal], 'The body must be a JSON object.'],
    ['error_missing_parameter', {}, 'issuer is missing.'],
    ['error_missing_parameter', { ...minimal, issuer: undefined }, 'issuer is missing.'],
    ['error_missing_parameter', { issuer: 'de-ausweis', state: 's' }, 'revealed is missing.'],
    ['error_missing_state', { issuer: 'de-ausweis', revealed: ['given_name'] }, 'state is missing.'],
    ['error_missing_state', { ...minimal, state: '' }, 'state is missing.'],
    ['error_wrong_issuer', { ...minimal, issuer: '' }, 'issuer is not one of the supported issuers.'],
    ['error_wrong_issuer', { ...minimal, issuer: null }, 'issuer is not one of the supported issuers.'],
    ['error_wrong_issuer', { ...minimal, issuer: 5 }, 'issuer is not one of the supported issuers.'],
    [
      'error_invalid_body',
      { ...minimal, revealed: [] },
      'revealed must be a list of at least one attribute id.',
    ],
    [
      'error_invalid_body',
      { ...minimal, revealed: null },
      'revealed must be a list of at least one attribute id.',
    ],
    [
      'error_invalid_body',
      { ...minimal, revealed: 'given_name' },
      'revealed must be a list of at least one attribute id.',
    ],
    [
      'error_invalid_attribute',
      { ...minimal, revealed: ['given_name', 'portrait'] },
      'revealed may hold family_name, given_name, birth_date, nationality.',
    ],
    [
      'error_invalid_attribute',
      { ...minimal, revealed: ['constructor'] },
      'revealed may hold family_name, given_name, birth_date, nationality.',
    ],
    [
      'error_invalid_attribute',
      { ...minimal, revealed: [null] },
      'revealed may hold family_name, given_name, birth_date, nationality.',
    ],
    ['error_invalid_attribute', { ...minimal, derived: { age: '18' } }, 'derived may hold nationality.'],
    ['error_invalid_body', { ...minimal, derived: { nationality: 5 } }, 'derived is not valid.'],
    ['error_invalid_body', { ...minimal, derived: { nationality: '' } }, 'derived is not valid.'],
    ['error_invalid_body', { ...minimal, derived: null }, 'derived is not valid.'],
    ['error_invalid_body', { ...minimal, derived: ['nationality'] }, 'derived is not valid.'],
    ['error_invalid_body', { ...minimal, derived: 'nationality' }, 'derived is not valid.'],
    ['error_invalid_body', { ...minimal, state: 5 }, 'state is not valid.'],
    ['error_invalid_body', { ...minimal, state: null }, 'state is not valid.'],
    ['error_invalid_body', { ...minimal, same_device: 'true' }, 'same_device is not valid.'],
    ['error_invalid_body', { ...minimal, sameDevice: true }, 'The body has an unknown field.'],
  ])('%s for %j', (code, body, description) => {
    expect(judge(body)).toEqual({ ok: false, code, description });
  });

  it('refuses derived in the base variant, empty or not', () => {
    const refusal = {
      ok: false,
      code: 'error_invalid_body',
      description: 'derived is not part of the base variant.',
    };
    expect(judge({ ...minimal, derived: {} }, 'base')).toEqual(refusal);
    expect(judge({ ...minimal, derived: { nationality: 'DE' } }, 'base')).toEqual(refusal);
  });

  it('closes the union of issuers where they are known', () => {
    expect(judge(minimal, 'derived', ['xx-sandbox'])).toMatchObject({
      ok: false,
      code: 'error_wrong_issuer',
    });
    expect(judge(minimal, 'derived', ['xx-sandbox', 'de-ausweis'])).toMatchObject({ ok: true });
    expect(judge({ ...minimal, issuer: 'zz-future' })).toMatchObject({ ok: true });
  });

  it('asks in the order missing, issuer, attributes, the rest', () => {
    const order: string[] = [];
    let body: Record<string, unknown> = { revealed: ['portrait'], same_device: 'no' };
    for (const better of [
      { issuer: 5 },
      { state: 's' },
      { issuer: 'de-ausweis' },
      { revealed: ['given_name'] },
      { same_device: false },
    ]) {
      const judged = judge(body);
      order.push(judged.ok ? 'ok' : judged.code);
      body = { ...body, ...better };
    }
    expect(order).toEqual([
      'error_missing_parameter',
      'error_missing_state',
      'error_wrong_issuer',
      'error_invalid_attribute',
      'error_invalid_body',
    ]);
    expect(judge(body)).toMatchObject({ ok: true });
  });

  it('takes own fields only', () => {
    const smuggled: unknown = JSON.parse(
      '{"__proto__":{"issuer":"de-ausweis","revealed":["given_name"],"state":"s"}}',
    );
    expect(judge(smuggled)).toMatchObject({ code: 'error_missing_parameter' });
    const beside: unknown = JSON.parse(
      `{"__proto__":{"same_device":true},${JSON.stringify(minimal).slice(1)}`,
    );
    expect(judge(beside)).toMatchObject({ ok: false, description: 'The body has an unknown field.' });
  });

  it('never repeats a value in its words', () => {
    const marker = 'MARKER';
    for (const wrong of [
      { issuer: { marker } },
      { issuer: marker },
      { revealed: [marker] },
      { state: [marker] },
      { same_device: marker },
      { derived: { [marker]: marker } },
      { [marker]: marker },
    ]) {
      expect(JSON.stringify(judge({ ...minimal, ...wrong }, 'derived', ['de-ausweis']))).not.toContain(
        marker,
      );
    }
  });
});

describe('proveBody', () => {
  it('is what the variant knows', () => {
    const request = { issuer: 'de-ausweis', revealed: ['given_name'], state: 's' } as const;
    expect(JSON.parse(proveBody(request, 'derived'))).toEqual({
      ...minimal,
      same_device: false,
      derived: {},
    });
    expect(JSON.parse(proveBody({ ...request, same_device: true }, 'base'))).toEqual({
      ...minimal,
      same_device: true,
    });
    expect(proveBody({ ...request, derived: { nationality: 'DE' } }, 'base')).not.toContain('derived');
  });

  it('passes its own checks, in both variants', () => {
    const request = { issuer: 'de-ausweis', revealed: ['given_name'], state: 's' } as const;
    expect(parseProveRequest(JSON.parse(proveBody(request, 'base')), 'base').ok).toBe(true);
    expect(parseProveRequest(JSON.parse(proveBody(request, 'derived')), 'derived').ok).toBe(true);
  });
});
