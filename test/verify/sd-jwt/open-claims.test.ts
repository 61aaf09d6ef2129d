import { describe, expect, test } from '@jest/globals';
import { digestOf, disclose, mint } from '../../support/verify/issuer.js';
import { checkOf, verify } from '../../support/verify/verdicts.js';

describe('S25 what must stand in the open', () => {
  const claims = {
    iss: 'https://issuer.example',
    nbf: 1,
    exp: 4_000_000_000,
    cnf: {},
    vct: 'urn:a',
    'vct#integrity': 'sha256-a',
    aka_vcts: [],
    status: {},
  };

  test.each(Object.entries(claims))('S25 %s in a Disclosure', async (name, value) => {
    expect(await checkOf(mint({ payload: { [name]: undefined }, sd: { [name]: value } }))).toBe('S25');
  });

  test('S25 part of them in a Disclosure', async () => {
    const jwk = disclose('jwk', {});
    expect(await checkOf(mint({ sd: {}, payload: { cnf: { _sd: [digestOf(jwk)] } }, more: [jwk] }))).toBe(
      'S25',
    );
    const other = disclose('urn:b');
    const aka = ['urn:a', { '...': digestOf(other) }];
    expect(await checkOf(mint({ sd: {}, payload: { aka_vcts: aka }, more: [other] }))).toBe('S25');
    const deep = disclose('idx', 1);
    const status = { status_list: { _sd: [digestOf(deep)] } };
    expect(await checkOf(mint({ sd: {}, payload: { status }, more: [deep] }))).toBe('S25');
  });

  test('S25 a digest of nothing that is sent does no harm there', async () => {
    const aka = ['urn:a', { '...': digestOf('a decoy') }];
    const payload = { aka_vcts: aka, status: { _sd: [digestOf('another')] } };
    expect((await verify(mint({ payload }))).claims).toMatchObject({ aka_vcts: ['urn:a'], status: {} });
  });

  test('S25 is about the top level: a claim of the same name further down may be disclosed', async () => {
    const inner = disclose('iss', 'a');
    const token = mint({ payload: { child: { _sd: [digestOf(inner)] } }, more: [inner] });
    expect((await verify(token)).claims['child']).toEqual({ iss: 'a' });
  });
});

test('S26 times that come by a Disclosure are judged all the same', async () => {
  expect(await checkOf(mint({ payload: { iat: undefined }, sd: { iat: 4_000_000_000 } }))).toBe('C07');
  expect(await checkOf(mint({ payload: { iat: undefined }, sd: { iat: 'soon' } }))).toBe('C05');
  expect(await checkOf(mint({ sd: { aud: 'someone else' } }))).toBe('C10');
});
