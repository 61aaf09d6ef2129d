import { describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { iss } from '../../support/verify/issuer.js';
import { issuerServer, listToken, statusVerifier } from '../../support/verify/servers.js';
import { judgeEach, refuse, refuseEach, trustIn } from '../../support/verify/verdicts.js';

const published = issuerServer();

/** The verdict by an entry on a credential whose list is at this address; every request is answered by a good list. */
async function checkAt(uri: string, change: object = {}) {
  const fetch = async (asked: unknown) => {
    const headers = { 'content-type': 'application/statuslist+jwt' };
    return await Promise.resolve(new Response(listToken(String(asked)), { headers }));
  };
  const { judge } = statusVerifier(published, { iss, ...change }, { fetch });
  return await judge({ status_list: { idx: 0, uri } }, { payload: { iss } });
}

describe('K14 the origins of status lists', () => {
  const several = { iss: ['urn:issuer', iss, 'https://other.example/a'] };
  const origins = { status: { origins: ['https://lists.example', 'https://b.example/'] } };
  judgeEach(checkAt, {
    'K14 by default that of the configured iss': ['valid', `${iss}/lists/1`],
    'K14 and no host below it': ['K14', 'https://lists.issuer.example/1'],
    'K14 nor one that begins like it': ['K14', 'https://issuer.example.evil.example/1'],
    'K14 nor another port': ['K14', 'https://issuer.example:8443/1'],
    'K14 nor a path that names it': ['K14', 'https://evil.example/issuer.example'],
    'K14 nor this machine': ['K14', 'http://127.0.0.1/1'],
    'K14 nor this machine by its name': ['K14', 'http://localhost/1'],
    'K14 every iss that is an URL counts: the first': ['valid', `${iss}/1`, several],
    'K14 every iss that is an URL counts: the last': ['valid', 'https://other.example/1', several],
    'K14 one that is none does not count': ['K14', 'https://another.example/1', several],
    'K14 the iss of the token does not count': ['K14', `${iss}/1`, { iss: undefined }],
    'K14 status.origins': ['valid', 'https://lists.example/1', origins],
    'K14 each of status.origins': ['valid', 'https://b.example/1', origins],
    'K14 status.origins stands in place of the default': ['K14', `${iss}/1`, origins],
  });

  test('K14 by default that of the jwksUri too', async () => {
    const { judge } = statusVerifier(published, { keys: { jwksUri: published.jwksUri }, iss: undefined });
    expect(await judge()).toBe('valid');
    expect(published.requests.map(({ url }) => url)).toEqual(['/jwks.json', '/statuslists/1']);
  });

  test('K14 the refusal names the origin, and no more of the address', async () => {
    const { explain } = statusVerifier(published);
    expect(await explain({ status_list: { idx: 0, uri: 'https://lists.example:8443/a?b=c' } })).toBe(
      'K14 The status list is at https://lists.example:8443, which status.origins does not allow.',
    );
    const long = await explain({ status_list: { idx: 0, uri: `https://${'a'.repeat(5000)}.example` } });
    expect(long.length).toBeLessThan(300);
  });

  test('K14 http on this machine, where the issuer is on it too', async () => {
    const local = { origins: [published.origin] };
    const name = 'http://localhost:1';
    const { judge } = statusVerifier(published, { iss: name, status: local });
    expect(await judge(undefined, { payload: { iss: name } })).toBe('valid');
    expect(createVerifiers(trustIn({ iss: [iss, published.origin], status: local })).size).toBe(1);
  });
  const onLocalhost = { iss, status: { origins: ['http://127.0.0.1:1'] } };
  const notHttps = /\.status\.origins\[0\] must be an https origin, such as https:\/\/status\.example\.$/;
  refuse('K14 nor where the issuer is not', () => createVerifiers(trustIn(onLocalhost)), notHttps);
});

describe('K16 the option status', () => {
  const origins = (...values: string[]) => ({ origins: values });
  const wrong: [status: unknown, message: RegExp][] = [
    ['require', /\.status must be an object/],
    [null, /\.status must be an object/],
    [{ mode: 'ignore' }, /\.status\.mode must be 'ifPresent', 'require' or 'dangerouslyIgnore'/],
    [{ mode: null }, /\.status\.mode must be/],
    [{ modus: 'require' }, /Unknown option modus of .*\.status/],
    [origins(), /\.status\.origins must be a list/],
    [{ origins: 'https://a.example' }, /\.status\.origins must be a list/],
    [origins('https://a.example', 'https://b.example/a'), /\.status\.origins\[1\] must be an https origin/],
    [origins('https://a.example/?b'), /\.origins\[0\] must be an https origin/],
    [origins('http://a.example'), /\.origins\[0\] must be an https origin/],
    [origins('a.example'), /\.origins\[0\] must be an https origin/],
    [{ mode: 'dangerouslyIgnore', ...origins('a.example') }, /\.origins\[0\] must be an https origin/],
    [{ mode: 'require' }, /\.status\.origins must name where the required status lists come from/],
  ];
  const rows = wrong.map(([status, message]) => [status, status, message] as const);
  refuseEach('K16 %j', rows, (status) => createVerifiers(trustIn({ status })));

  test('K16 require with an origin, from wherever', () => {
    const status = { mode: 'require', origins: ['https://a.example'] };
    expect(createVerifiers(trustIn({ status })).size).toBe(1);
    expect(createVerifiers(trustIn({ status: { mode: 'require' }, iss: 'https://a.example' })).size).toBe(1);
  });
});
