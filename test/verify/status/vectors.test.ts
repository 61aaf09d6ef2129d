import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { Jwk, SdJwtVcTrust } from '../../../lib/index.js';
import { issuerKeys, mint, nonceOf } from '../../support/verify/issuer.js';
import { fetchList, issuerServer, servingList, statusVerifier } from '../../support/verify/servers.js';
import { checkOf, state, trustIn, verify } from '../../support/verify/verdicts.js';

interface Case {
  readonly file: string;
  readonly bits: number;
  readonly lst: string;
  readonly entries: number;
  readonly expected: Readonly<Record<string, number>>;
}

const folder = new URL('../../vectors/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8').trim();
const cases = JSON.parse(read('token-status-list/cases.json')) as Case[];
const titled = cases.map((vector): [string, Case] => [vector.file, vector]);
const published = issuerServer();

describe('the lists of the draft', () => {
  test('there are six: two short ones, and one long one for each width', () => {
    expect(cases.map(({ bits }) => bits)).toEqual([1, 2, 1, 2, 4, 8]);
  });

  test.each(titled)(
    'T13 T15 %s decides of a credential',
    async (_, { bits, lst, entries, expected: printed }) => {
      published.answer = servingList({ list: { bits, lst } });
      const { at } = statusVerifier(published);
      for (const [idx, status] of Object.entries(printed)) {
        expect(await at(Number(idx))).toBe(status === 0 ? 'valid' : 'T15');
      }
      expect(await at(entries)).toBe('T14');
      expect(published.requests).toHaveLength(1);
    },
  );
});

describe('the tokens of the draft', () => {
  const listToken = read('token-status-list/status_list_token.jwt');
  const signer = JSON.parse(read('token-status-list/example-key.public.jwk.json')) as Jwk;
  const uri = 'https://example.com/statuslists/1';
  const [iat, exp] = [1_686_920_170, 2_291_720_170];

  /** The verdict at this second on a credential that refers to the published list. */
  async function at(seconds: number, idx: number, change: Partial<SdJwtVcTrust> = {}): Promise<string> {
    const keys = { jwks: { keys: [{ ...issuerKeys.jwk, kid: 'issuer' }, signer] } };
    const fetch = fetchList(listToken, uri, () => '');
    const presentation = mint({
      header: { kid: 'issuer' },
      payload: { iss: 'https://example.com', iat: 0, exp: undefined, status: { status_list: { idx, uri } } },
      binding: { payload: { iat: seconds, nonce: nonceOf(state) } },
    });
    const trust = trustIn({ keys, iss: 'https://example.com', ...change });
    const clock = () => new Date(seconds * 1000);
    return await checkOf(presentation, trust, {}, { clock, fetch });
  }

  test('its list token is believed, and says what its list says', async () => {
    expect(await at(iat, 0)).toBe('T15');
    expect(await at(iat, 1)).toBe('valid');
    expect(await at(iat, 15)).toBe('T15');
    expect(await at(iat, 16)).toBe('T14');
  });

  test('its list token is believed while it is valid', async () => {
    expect(await at(iat - 5, 1)).toBe('valid');
    expect(await at(iat - 6, 1)).toBe('credential_status_unavailable T08');
    expect(await at(exp + 4, 1)).toBe('valid');
    expect(await at(exp + 5, 1)).toBe('credential_status_unavailable T09');
  });

  test('its list token is not believed without its key', async () => {
    const keys = { jwks: { keys: [{ ...issuerKeys.jwk, kid: 'issuer' }] } };
    expect(await at(iat, 1, { keys })).toBe('credential_status_unavailable K12');
  });

  test('its referenced token is accepted, and refers to that list', async () => {
    const [first] = JSON.parse(read('rfc9901/cases.json')) as [{ readonly issuerJwk: Jwk }];
    const { claims } = await verify(read('token-status-list/referenced_token.sdjwt.txt'), {
      key: first.issuerJwk,
      types: ['example+sd-jwt'],
      keyBinding: 'absent',
      clock: () => new Date(iat * 1000),
    });
    expect(claims['status']).toEqual({ status_list: { idx: 0, uri } });
  });
});
