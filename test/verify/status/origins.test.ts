import { describe, expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { issuerKeys } from '../../support/verify/issuer.js';
import { json } from '../keys/jwks-server.js';
import { listToken, reasonOf, serving, statusServer, verifierOf } from './status-server.js';
import { trustIn } from '../trust/trusting.js';
import { thrown } from '../../support/verify/verdicts.js';

const published = statusServer();
const noIss = { iss: undefined } as unknown as Partial<SdJwtVcTrust>;
const notAllowed = 'presentation_invalid K14';

/** A verifier whose every request is answered by a good list, and the addresses that it asked for. */
function anywhere(change: Partial<SdJwtVcTrust>) {
  const asked: string[] = [];
  const fetch = async (uri: unknown) => {
    asked.push(String(uri));
    const headers = { 'content-type': 'application/statuslist+jwt' };
    return await Promise.resolve(new Response(listToken(String(uri)), { headers }));
  };
  const { verdict } = verifierOf(published, { iss: 'https://issuer.example', ...change }, { fetch });
  const from = async (uri: string) => {
    const found = await verdict(
      { status_list: { idx: 0, uri } },
      { payload: { iss: 'https://issuer.example' } },
    );
    return found.valid ? 'valid' : `${found.code ?? ''} ${found.check ?? ''}`;
  };
  return { asked, from };
}

describe('K14 the origins of status lists', () => {
  test('K14 by default that of the configured iss, and no other', async () => {
    const { asked, from } = anywhere({});
    expect(await from('https://issuer.example/lists/1')).toBe('valid');
    for (const uri of [
      'https://lists.issuer.example/1',
      'https://issuer.example.evil.example/1',
      'https://issuer.example:8443/1',
      'https://evil.example/issuer.example',
      'http://127.0.0.1/1',
      'http://localhost/1',
    ]) {
      expect(await from(uri)).toBe(notAllowed);
    }
    expect(asked).toEqual(['https://issuer.example/lists/1']);
  });

  test('K14 every iss that is an URL counts, and one that is none does not', async () => {
    const { from } = anywhere({ iss: ['urn:issuer', 'https://issuer.example', 'https://other.example/a'] });
    expect(await from('https://issuer.example/1')).toBe('valid');
    expect(await from('https://other.example/1')).toBe('valid');
    expect(await from('https://another.example/1')).toBe(notAllowed);
  });

  test('K14 the iss of the token does not count', async () => {
    const { from } = anywhere({ ...noIss });
    expect(await from('https://issuer.example/1')).toBe(notAllowed);
  });

  test('K14 by default that of the jwksUri too', async () => {
    published.answer = (res, req) => {
      const answer = req.url === '/jwks.json' ? json({ keys: [issuerKeys.jwk] }) : serving();
      answer(res, req);
    };
    const keys = { jwksUri: `${published.origin}/jwks.json` };
    const { judge } = verifierOf(published, { keys, ...noIss });
    expect(await judge()).toBe('valid');
    expect(published.requests.map(({ url }) => url)).toEqual(['/jwks.json', '/statuslists/1']);
  });

  test('K14 status.origins stands in place of the default', async () => {
    const { from } = anywhere({ status: { origins: ['https://lists.example', 'https://b.example/'] } });
    expect(await from('https://lists.example/1')).toBe('valid');
    expect(await from('https://b.example/1')).toBe('valid');
    expect(await from('https://issuer.example/1')).toBe(notAllowed);
  });

  test('K14 the refusal names the origin, and no more of the address', async () => {
    const { verdict } = verifierOf(published);
    const refused = await verdict({ status_list: { idx: 0, uri: 'https://lists.example:8443/a?b=c' } });
    expect(reasonOf(refused)).toBe(
      'The status list is at https://lists.example:8443, which status.origins does not allow.',
    );
    const long = await verdict({ status_list: { idx: 0, uri: `https://${'a'.repeat(5000)}.example` } });
    expect(reasonOf(long).length).toBeLessThan(300);
  });

  test('K14 http on this machine, where the issuer is on it too', async () => {
    const local = { origins: [published.origin] };
    expect(
      await verifierOf(published, { iss: 'http://localhost:1', status: local }).judge(undefined, {
        payload: { iss: 'http://localhost:1' },
      }),
    ).toBe('valid');
    const both = ['https://issuer.example', published.origin];
    expect(createVerifiers(trustIn({ iss: both, status: local })).size).toBe(1);
    const trust = trustIn({ iss: 'https://issuer.example', status: local });
    expect(await thrown(() => createVerifiers(trust))).toMatchObject({
      code: 'config_invalid',
      message:
        "trust['de-ausweis'].status.origins[0] must be an https origin, such as https://status.example.",
    });
  });
});

describe('K16 the option status', () => {
  const wrong: [status: unknown, message: RegExp][] = [
    ['require', /\.status must be an object/],
    [null, /\.status must be an object/],
    [{ mode: 'ignore' }, /\.status\.mode must be ifPresent, require, dangerouslyIgnore/],
    [{ mode: null }, /\.status\.mode must be/],
    [{ modus: 'require' }, /Unknown option modus of .*\.status/],
    [{ origins: [] }, /\.status\.origins must be a list/],
    [{ origins: 'https://a.example' }, /\.status\.origins must be a list/],
    [
      { origins: ['https://a.example', 'https://b.example/lists'] },
      /\.status\.origins\[1\] must be an https origin/,
    ],
    [{ origins: ['https://a.example/?b'] }, /\.origins\[0\] must be an https origin/],
    [{ origins: ['http://a.example'] }, /\.origins\[0\] must be an https origin/],
    [{ origins: ['a.example'] }, /\.origins\[0\] must be an https origin/],
    [{ mode: 'dangerouslyIgnore', origins: ['a.example'] }, /\.origins\[0\] must be an https origin/],
    [{ mode: 'require' }, /\.status\.origins must name where the required status lists come from/],
  ];

  test.each(wrong)('K16 %j', async (status, message) => {
    const error = await thrown(() => createVerifiers(trustIn({ status } as Partial<SdJwtVcTrust>)));
    expect(error).toMatchObject({ code: 'config_invalid', message: expect.stringMatching(message) });
  });

  test('K16 require with an origin, from wherever', () => {
    const status = { mode: 'require', origins: ['https://a.example'] } as const;
    expect(createVerifiers(trustIn({ status })).size).toBe(1);
    expect(createVerifiers(trustIn({ status: { mode: 'require' }, iss: 'https://a.example' })).size).toBe(1);
  });
});
