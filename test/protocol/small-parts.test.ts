import { describe, expect, it } from '@jest/globals';
import {
  attributeId,
  attributeIds,
  derivedIds,
  isAttributeId,
  isDerivedId,
} from '../../lib/protocol/attributes.js';
import { mediaType } from '../../lib/safe/fetch-bounded.js';
import { sandboxIssuer } from '../../lib/protocol/issuers.js';
import { sandboxTrust } from '../../lib/protocol/sandbox.js';

describe('attributes', () => {
  it('are those of the interface', () => {
    expect(attributeIds).toEqual(['family_name', 'given_name', 'birth_date', 'nationality']);
    expect(derivedIds).toEqual(['nationality']);
    expect(attributeIds.every((id) => isAttributeId(id) && attributeId.safeParse(id).success)).toBe(true);
    expect(derivedIds.every(isDerivedId)).toBe(true);
  });

  it.each(['birthdate', 'FAMILY_NAME', 'constructor', '', null, 0, ['given_name']])('%j is none', (value) => {
    expect([isAttributeId(value), isDerivedId(value), attributeId.safeParse(value).success]).toEqual([
      false,
      false,
      false,
    ]);
  });
});

describe('mediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON;charset=utf-8', 'application/json'],
    ['application/json ; a=b; c=d', 'application/json'],
    ['application/json, text/html', 'application/json, text/html'],
    ['', ''],
    [null, ''],
    [undefined, ''],
  ])('of %j is %j', (header, type) => {
    expect(mediaType(header)).toBe(type);
  });
});

describe('the sandbox', () => {
  it('is the issuer of the test environment', () => {
    expect(sandboxIssuer).toBe('xx-sandbox');
  });

  it('is trusted at its own address and bound to the flow', () => {
    expect(sandboxTrust('http://localhost:4010/some/path')).toEqual({
      format: 'sd-jwt-vc',
      keys: { jwksUri: 'http://localhost:4010/jwks.json' },
      iss: 'http://localhost:4010',
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'pidgate-sandbox' },
    });
  });
});
