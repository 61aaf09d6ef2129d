import { describe, expect, it } from '@jest/globals';
import type { Variant } from '../../../lib/index.js';
import { parseProveRequest } from '../../../lib/service/prove/schema.js';

const minimal = { issuer: 'de-ausweis', revealed: ['given_name'], state: 's' };

const noObject = 'The body must be a JSON object.';
const wrongIssuer = 'issuer is not one of the supported issuers.';
const wrongList = 'revealed must be a list of at least one attribute id.';
const wrongIds = 'revealed may hold family_name, given_name, birth_date, nationality.';
const wrongDerived = 'derived is not valid.';

describe('parseProveRequest', () => {
  const judge = (body: unknown, variant: Variant = 'derived', issuers?: readonly string[]) =>
    parseProveRequest(body, variant, issuers);

  it('fills in the defaults', () => {
    expect(judge(minimal)).toEqual({ ok: true, request: { ...minimal, same_device: false, derived: {} } });
    expect(judge(minimal, 'base')).toEqual({ ok: true, request: { ...minimal, same_device: false } });
  });

  it.each<[string, unknown, string]>([
    ['error_invalid_body', undefined, noObject],
    ['error_invalid_body', null, noObject],
    ['error_invalid_body', 'text', noObject],
    ['error_invalid_body', [minimal], noObject],
    ['error_missing_parameter', {}, 'issuer is missing.'],
    ['error_missing_parameter', { ...minimal, issuer: undefined }, 'issuer is missing.'],
    ['error_missing_parameter', { issuer: 'de-ausweis', state: 's' }, 'revealed is missing.'],
    ['error_missing_state', { issuer: 'de-ausweis', revealed: ['given_name'] }, 'state is missing.'],
    ['error_missing_state', { ...minimal, state: '' }, 'state is missing.'],
    ['error_wrong_issuer', { ...minimal, issuer: '' }, wrongIssuer],
    ['error_wrong_issuer', { ...minimal, issuer: null }, wrongIssuer],
    ['error_wrong_issuer', { ...minimal, issuer: 5 }, wrongIssuer],
    ['error_invalid_body', { ...minimal, revealed: [] }, wrongList],
    ['error_invalid_body', { ...minimal, revealed: null }, wrongList],
    ['error_invalid_body', { ...minimal, revealed: 'given_name' }, wrongList],
    ['error_invalid_attribute', { ...minimal, revealed: ['given_name', 'portrait'] }, wrongIds],
    ['error_invalid_attribute', { ...minimal, revealed: ['constructor'] }, wrongIds],
    ['error_invalid_attribute', { ...minimal, revealed: [null] }, wrongIds],
    ['error_invalid_attribute', { ...minimal, derived: { age: '18' } }, 'derived may hold nationality.'],
    ['error_invalid_body', { ...minimal, derived: { nationality: 5 } }, wrongDerived],
    ['error_invalid_body', { ...minimal, derived: { nationality: '' } }, wrongDerived],
    ['error_invalid_body', { ...minimal, derived: null }, wrongDerived],
    ['error_invalid_body', { ...minimal, derived: ['nationality'] }, wrongDerived],
    ['error_invalid_body', { ...minimal, derived: 'nationality' }, wrongDerived],
    ['error_invalid_body', { ...minimal, state: 5 }, 'state is not valid.'],
    ['error_invalid_body', { ...minimal, state: null }, 'state is not valid.'],
    ['error_invalid_body', { ...minimal, same_device: 'true' }, 'same_device is not valid.'],
    ['error_invalid_body', { ...minimal, sameDevice: true }, 'The body has an unknown field.'],
  ])('%s for %j', (code, body, description) => {
    expect(judge(body)).toEqual({ ok: false, code, description });
  });

  it('refuses derived in the base variant, empty or not', () => {
    const description = 'derived is not part of the base variant.';
    const refusal = { ok: false, code: 'error_invalid_body', description };
    expect(judge({ ...minimal, derived: {} }, 'base')).toEqual(refusal);
    expect(judge({ ...minimal, derived: { nationality: 'DE' } }, 'base')).toEqual(refusal);
  });

  it('closes the union of issuers where they are known', () => {
    expect(judge(minimal, 'derived', ['xx-sandbox'])).toMatchObject({ code: 'error_wrong_issuer' });
    expect(judge(minimal, 'derived', ['xx-sandbox', 'de-ausweis'])).toMatchObject({ ok: true });
    expect(judge({ ...minimal, issuer: 'zz-future' })).toMatchObject({ ok: true });
  });

  it('asks in the order missing, issuer, attributes, the rest', () => {
    let body: object = { revealed: ['portrait'], same_device: 'no' };
    for (const [code, better] of [
      ['error_missing_parameter', { issuer: 5 }],
      ['error_missing_state', { state: 's' }],
      ['error_wrong_issuer', { issuer: 'de-ausweis' }],
      ['error_invalid_attribute', { revealed: ['given_name'] }],
      ['error_invalid_body', { same_device: false }],
    ] as const) {
      expect(judge(body)).toMatchObject({ code });
      body = { ...body, ...better };
    }
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
      const judged = judge({ ...minimal, ...wrong }, 'derived', ['de-ausweis']);
      expect(JSON.stringify(judged)).not.toContain(marker);
    }
  });
});
