import { readFileSync } from 'node:fs';
import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import type { Jwk, SdJwtVcTrust } from '../../../lib/index.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';
import { deep } from '../../support/deep.js';
import { refusingPort } from '../../support/refusing-port.js';
import {
  iss,
  issuerKeys,
  type Mint,
  mint,
  newKeyPair,
  nonceOf,
  now,
  nowSeconds,
  signJws,
} from '../../support/verify/issuer.js';
import {
  type Answer,
  fetchList,
  goodHeader,
  goodPayload,
  issuerServer,
  type ListMint,
  listToken,
  packed,
  servingKeys,
  servingList,
  servingStatus,
  servingText,
  statusVerifier,
} from '../../support/verify/servers.js';
import {
  checkOf,
  inFull,
  judgeEach,
  judgeValues,
  type Members,
  refuse,
  refuseEach,
  state,
  trustIn,
  verify,
} from '../../support/verify/verdicts.js';

describe('status', () => {
  const published = issuerServer();
  const mode = (of: string) => ({ status: { mode: of } });
  const ignore = mode('dangerouslyIgnore');
  const requests = () => published.requests.length;

  /** The verdict on a credential, and how often the list was asked for. */
  const checkAsking = async (
    trust: object,
    ...input: Parameters<ReturnType<typeof statusVerifier>['judge']>
  ) => `${await statusVerifier(published, trust).judge(...input)}, ${requests()} requests`;

  describe('T01 nothing is fetched for a credential that fails another check', () => {
    const none = (check: string) => `${check}, 0 requests`;
    const forged = { wallet: newKeyPair(), payload: { nonce: nonceOf(state) } };
    judgeEach((token: Mint, flow?: object) => checkAsking({}, undefined, token, flow), {
      'T01 it is fetched for one that passes them all': ['valid, 1 requests', {}],
      'T01 K02': [none('K02'), { issuer: newKeyPair() }],
      'T01 B06': [none('B06'), { binding: forged }],
      'T01 B07': [none('B07'), { binding: {} }],
      'T01 B02': [none('B02'), { binding: 'absent' }],
      'T01 C04': [none('C04'), { payload: { exp: nowSeconds - 60 } }],
      'T01 C01': [none('C01'), { payload: { vct: undefined } }],
      'T01 C02': [none('C02'), { payload: { vct: 'urn:other' } }],
      'T01 C09': [none('C09'), { payload: { iss: 'https://other.example' } }],
      'T01 C13 missing': [none('attributes_missing C13'), { sd: { given_name: 'Erika' } }],
      'T01 C13': [none('attribute_invalid C13'), { sd: { given_name: 7, birthdate: '1964-08-12' } }],
      'T01 C15': [none('attributes_missing C15'), {}, { derived: { nationality: 'DE' } }],
      'T01 S17': [none('S17'), { more: ['WyJhIiwiYiIsImMiXQ'] }],
    });
  });

  describe('T02 T03 T15 a credential without a status, with one that is in no list, and with a revoked one', () => {
    const without = (trust: object) => checkAsking(trust, null, { payload: { status: undefined } });
    judgeValues('T02 %j needs none', [{}, mode('ifPresent'), ignore], 'valid, 0 requests', without);
    judgeEach(checkAsking, {
      'T02 require wants one': ['T02, 0 requests', mode('require'), null, { payload: { status: undefined } }],
      'T02 require accepts one with a status': ['valid, 1 requests', mode('require')],
    });

    test.each([
      ['valid'],
      [null],
      [7],
      [[]],
      [{}],
      [{ status_list: 'a' }],
      [{ status_list: [] }],
      [{ other: {} }],
    ])('T03 %j', async (status) => {
      expect(await checkAsking({}, status)).toBe('T03, 0 requests');
      expect(await checkAsking(mode('require'), status)).toBe('T03, 0 requests');
      expect(await checkAsking(ignore, status)).toBe('valid, 0 requests');
    });

    test('T03 another mechanism beside the list does not matter', async () => {
      const status = { status_list: { idx: 0, uri: published.uri }, identifier_list: {} };
      expect(await checkAsking({}, status)).toBe('valid, 1 requests');
    });

    test('T03 verifySdJwt judges the token alone and hands out its status', async () => {
      for (const status of [{ status_list: { idx: 1, uri: published.uri } }, 'valid']) {
        expect((await verify(mint({ payload: { status } }))).claims['status']).toEqual(status);
      }
      expect(requests()).toBe(0);
    });

    const revoked = (trust: object) => {
      published.answer = servingList({ list: { lst: packed(1) } });
      return checkAsking(trust);
    };
    judgeValues('T15 %j refuses a revoked one', [{}, mode('require')], 'T15, 1 requests', revoked);
    judgeValues('T15 %j accepts one, and asks nobody', [ignore], 'valid, 0 requests', revoked);
  });

  describe('T04 the place of a status', () => {
    const uris = [undefined, null, 7, '', '/statuslists/1', 'issuer.example', 'data:,a', 'ftp://a.example'];
    judgeValues('T04 the idx %j', [-1, 0.5, '0', null, undefined, [0], true], 'T04', (idx) =>
      statusVerifier(published).at(idx),
    );
    judgeValues('T04 the uri %j', uris, 'T04', (uri) => statusVerifier(published).from(uri));

    test('T04 http, but on this machine, and user information', async () => {
      const { from } = statusVerifier(published, { status: { origins: ['https://lists.example'] } });
      expect(await from('http://lists.example/1')).toBe('T04');
      expect(await from('https://a:b@lists.example/1')).toBe('T04');
      expect(requests()).toBe(0);
    });
  });

  describe('T15 what the list says', () => {
    const byte = async (status: number) => {
      published.answer = servingList({ list: { bits: 8, lst: packed(status) } });
      return inFull(await statusVerifier(published).verdict());
    };
    judgeEach(byte, {
      'T15 VALID': ['valid', 0],
      'T15 the status 1': ['T15 The credential was revoked: its status is INVALID.', 1],
      'T15 the status 2': ['T15 The credential is suspended: its status is SUSPENDED.', 2],
      'T15 the status 3': ['T15 The credential has a status other than VALID.', 3],
      'T15 the status 255': ['T15 The credential has a status other than VALID.', 255],
    });
  });

  test('T13 the least significant bit comes first', async () => {
    published.answer = servingList({ list: { bits: 1, lst: packed(0b1011_1001, 0b1010_0011) } });
    const { at } = statusVerifier(published);
    const read: number[] = [];
    for (let idx = 0; idx < 16; idx += 1) read.push((await at(idx)) === 'valid' ? 0 : 1);
    expect(read).toEqual([1, 0, 0, 1, 1, 1, 0, 1, 1, 1, 0, 0, 0, 1, 0, 1]);
  });

  describe('T14 a place beyond the end of the list', () => {
    test.each([
      [1, 15],
      [2, 7],
      [4, 3],
      [8, 1],
    ])('T14 of %d bits', async (bits, last) => {
      published.answer = servingList({ list: { bits } });
      const { at } = statusVerifier(published);
      expect(await at(last)).toBe('valid');
      expect(await at(last + 1)).toBe('T14');
      expect(await at(Number.MAX_SAFE_INTEGER)).toBe('T14');
    });
  });

  test('T19 the result says nothing of the status', async () => {
    expect(await statusVerifier(published).verdict()).toEqual({
      valid: true,
      attributes: { given_name: 'Erika', birth_date: '1964-08-12' },
      derived: {},
    });
  });
});

describe('vectors', () => {
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

    deep.test.each(titled)(
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
        payload: {
          iss: 'https://example.com',
          iat: 0,
          exp: undefined,
          status: { status_list: { idx, uri } },
        },
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
});

describe('token', () => {
  // What holds for any JWS (its envelope, header, signature and times) is in jose/every-jws.test.ts.

  const published = issuerServer();
  const short = (verdict: string) => verdict.replace('credential_status_unavailable ', '');

  /** The verdict on a good credential whose list is this one: the check alone where its code is credential_status_unavailable. */
  const check = async (change: ListMint, trust: object = {}) => {
    published.answer = servingList(change);
    return short(await statusVerifier(published, trust).judge());
  };
  const checkPayload = (payload: Members) => check({ payload });
  const checkList = (list: Members) => check({ list });
  const checkBytes = (bytes: Buffer) => checkList({ lst: bytes.toString('base64url') });

  /** The good payload as text, one member of it in JSON that stringify would not write. */
  const spelled = (name: string, json: string) =>
    `${JSON.stringify({ ...goodPayload(published.uri), [name]: undefined }).slice(0, -1)},"${name}":${json}}`;

  describe('T06 type, algorithm and signature', () => {
    judgeEach(check, { 'T06 a good list token': ['valid', {}] });

    const signer = newKeyPair('ES384');
    const keys = {
      jwks: {
        keys: [
          { ...issuerKeys.jwk, kid: 'a' },
          { ...signer.jwk, kid: 'b' },
        ],
      },
    };
    const byKid = async (kid: unknown, algorithms = ['ES256', 'ES384']) => {
      published.answer = servingList({ signer, header: { kid } });
      return short(
        await statusVerifier(published, { keys, algorithms }).judge(undefined, { header: { kid: 'a' } }),
      );
    };
    judgeEach(byKid, {
      "T06 the entry's keys count for the list too": ['valid', 'b'],
      "T06 the entry's algorithms count for the list too": ['T06', 'b', ['ES256']],
      'T06 the kid of another key': ['H02', 'a'],
      'T06 an unknown kid': ['K12', 'c'],
      'T06 no kid': ['K12', undefined],
    });

    test('T06 the refusal says that it is about the list', async () => {
      published.answer = servingList({ signer: newKeyPair() });
      expect(await statusVerifier(published).explain()).toBe(
        "credential_status_unavailable T06 The credential's status list cannot be used: it is not signed by its issuer.",
      );
    });
  });

  test('T07 sub must be the very address', async () => {
    const { uri } = published;
    for (const sub of [
      undefined,
      null,
      '',
      [uri],
      `${uri}/`,
      uri.toUpperCase(),
      'https://issuer.example/1',
    ]) {
      expect(await checkPayload({ sub })).toBe('T07');
    }
  });

  describe('T08 T09 T20 T10 when it is valid, and how long it may be kept', () => {
    judgeEach(checkPayload, {
      'T08 iat is required': ['T08', { iat: undefined }],
      'T08 iat is not of the future, but for the tolerance': ['valid', { iat: nowSeconds + 5 }],
      'T08 iat is not of the future': ['T08', { iat: nowSeconds + 6 }],
      'T20 nbf must not be in the future, but for the tolerance': ['valid', { nbf: nowSeconds + 5 }],
      'T20 nbf must not be in the future': ['T20', { nbf: nowSeconds + 6 }],
      'T09 exp need not be there': ['valid', { exp: undefined }],
      'T09 exp must not be past, but for the tolerance': ['valid', { exp: nowSeconds - 4 }],
      'T09 exp must not be past': ['T09', { exp: nowSeconds - 5 }],
      'T10 ttl is any positive number': ['valid', { ttl: 43_200 }],
      'T10 ttl is part of a second': ['valid', { ttl: 0.5 }],
    });
    judgeValues('T10 ttl is %s', ['0', '-1', '"60"', 'null', '1e999', '[60]'], 'T10', (json) =>
      check({ payload: spelled('ttl', json) }),
    );

    const explain = (payload: Members) => {
      published.answer = servingList({ payload });
      return statusVerifier(published).explain();
    };
    judgeEach(explain, {
      'T08 it says by how much': [/: it was issued 90 seconds in the future\.$/, { iat: nowSeconds + 90 }],
      'T09 it says by how much': [/: it expired 90 seconds ago\.$/, { exp: nowSeconds - 90 }],
    });
  });

  describe('T11 T12 how many bits, and the compressed list', () => {
    judgeValues('T11 bits is %j', [undefined, null, 0, 3, 16, -1, 1.5, '1', [1]], 'T11', (bits) =>
      checkList({ bits }),
    );
    judgeValues('T11 bits is %d', [1, 2, 4, 8], 'valid', (bits) => checkList({ bits }));
    judgeValues('T11 the status_list is %j', [undefined, null, 'a', []], 'T11', (status_list) =>
      checkPayload({ status_list }),
    );
    judgeValues('T12 lst is %j', [undefined, null, 7, ['a']], 'T12', (lst) => checkList({ lst }));

    const bytes = Buffer.alloc(1000, 0);
    const limit = 16 * 1024 * 1024;
    judgeEach(checkBytes, {
      'T12 it is a ZLIB stream': ['valid', deflateSync(bytes)],
      'T12 it is a ZLIB stream of any level': ['valid', deflateSync(bytes, { level: 9 })],
      'T12 it is a ZLIB stream, whole': ['T12', deflateSync(bytes).subarray(0, -1)],
      'T12 it is no raw stream': ['T12', deflateRawSync(bytes)],
      'T12 it is no GZIP stream': ['T12', gzipSync(bytes)],
      'T12 it is compressed': ['T12', bytes],
      'T12 as much as may be inflated': ['valid', deflateSync(Buffer.alloc(limit))],
      'T12 a bomb is not inflated beyond the limit': ['T12', deflateSync(Buffer.alloc(limit + 1))],
    });
    const spellings = ['', 'eNpjYAA AAAIAAQ', `${deflateSync(bytes).toString('base64')}=`];
    judgeValues('T12 it is canonical base64url, unlike %p: P02', spellings, 'P02', (lst) =>
      checkList({ lst }),
    );
    judgeEach(check, {
      'T12 nothing is inflated that is not signed': ['T06', { signer: newKeyPair(), list: { lst: 'AAAA' } }],
    });
  });
});

describe('origins', () => {
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
      expect(createVerifiers(trustIn({ status: { mode: 'require' }, iss: 'https://a.example' })).size).toBe(
        1,
      );
    });
  });
});

describe('server', () => {
  const published = issuerServer();
  const unavailable = (check: string) => `credential_status_unavailable ${check}`;
  const unusable = (check: string, why: string) =>
    `${unavailable(check)} The credential's status list cannot be used: ${why}`;
  const explain = async (answer: Answer = published.answer) => {
    published.answer = answer;
    return await statusVerifier(published).explain();
  };
  /** A good list in a reply with this type or status. */
  const good =
    (headers: Record<string, string> = {}, code = 200): Answer =>
    (res, req) =>
      servingText(listToken(published.uri), headers, code)(res, req);
  const type = { 'content-type': 'application/statuslist+jwt' };

  afterEach(() => {
    jest.useRealTimers();
  });

  /** No deadline passes but where the test lets it, however busy the machine is. */
  const stopTime = () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'setImmediate', 'queueMicrotask', 'Date', 'performance'] });
  };

  describe('T05 the request and its reply', () => {
    test('T05 a GET that accepts a list token', async () => {
      expect(await explain()).toBe('valid');
      expect(published.requests[0]).toMatchObject({ method: 'GET', url: '/statuslists/1' });
      expect(published.requests[0]?.headers['accept']).toBe('application/statuslist+jwt');
    });

    const redirects = [300, 301, 302, 303, 307, 308, 399];
    judgeValues(
      'T05 the redirect %d is not followed',
      redirects,
      unusable('T05', 'its server redirects, which is not followed. 1 request'),
      async (code) => {
        const said = await explain((res, req) => {
          if (req.url === '/elsewhere') good()(res, req);
          else res.writeHead(code, { location: '/elsewhere' }).end();
        });
        return `${said} ${published.requests.length} request`;
      },
    );
    test.each([400, 404, 500, 503])('T05 the status %d', async (code) => {
      expect(await explain(good({}, code))).toBe(
        unusable('T05', `its server answered with the status ${code}.`),
      );
    });
    judgeValues('T05 any 2xx: %d', [203, 299], 'valid', (code) => explain(good({}, code)));

    const types = ['application/jwt', 'application/statuslist+cwt', 'text/html', 'statuslist+jwt', ''];
    const wrongType = unusable('T05', 'the reply is not application/statuslist+jwt.');
    judgeValues('T05 the type %p', types, wrongType, (name) => explain(good({ 'content-type': name })));
    judgeEach(explain, {
      'T05 no type': [wrongType, (res) => res.end(listToken(published.uri))],
      'T05 with parameters': ['valid', good({ 'content-type': 'Application/StatusList+JWT; charset=utf-8' })],
      'T05 no text': [
        / T05 .*: the reply is not UTF-8\.$/,
        (res) => res.writeHead(200, type).end(Buffer.of(255)),
      ],
    });

    deep.test('T05 the largest reply, and one that is too large', async () => {
      stopTime();
      const padded = (spaces: number) =>
        signJws(goodHeader(), JSON.stringify(goodPayload(published.uri)) + ' '.repeat(spaces), issuerKeys);
      const fits = Math.floor((4 * 1024 * 1024 - padded(0).length) / 4) * 3;
      expect(await explain(servingText(padded(fits)))).toBe('valid');
      expect(await explain(servingText(padded(fits + 3)))).toBe(unusable('T05', 'the reply is too large.'));
    });
  });

  describe('T18 a list that cannot be had is no verdict on the presentation', () => {
    const stopped = () => new Date(Number.NaN);
    refuseEach(
      'T18 %s is not put down to the list',
      [
        [
          'a fault of this process while the list is fetched',
          () => published.requests.length > 0,
          'clock must return a valid Date.',
        ],
        ['a clock that stops in the middle', counting(), 'clock must return a valid Date.'],
      ],
      (isBroken) => statusVerifier(published, {}, { clock: () => (isBroken() ? stopped() : now) }).verdict(),
    );

    test('T18 nobody listens', async () => {
      const origin = `http://127.0.0.1:${await refusingPort()}`;
      expect(await statusVerifier(published, { status: { origins: [origin] } }).from(`${origin}/1`)).toBe(
        unavailable('T18'),
      );
    });

    const unreachable = unusable('T18', 'its server could not be reached.');
    judgeEach(explain, {
      'T18 the connection breaks before the reply': [unreachable, (res) => res.destroy()],
      'T18 the connection breaks in the middle of the reply': [
        unreachable,
        (res) => res.writeHead(200, { ...type, 'content-length': '1000' }).write('eyJ', () => res.destroy()),
      ],
    });

    const late = unusable('T18', 'its server did not answer in time.');
    const pass = (ms: number) => jest.advanceTimersByTime(ms);
    judgeEach(
      (answer: Answer) => {
        stopTime();
        return explain(answer);
      },
      {
        'T18 a reply that never ends': [
          late,
          (res) => res.writeHead(200, type).write('eyJ', () => pass(4000)),
        ],
        'T18 one that answers in time': ['valid', (res, req) => void (pass(3999), servingList()(res, req))],
      },
    );

    test('T18 a server that never answers is given four seconds, and then left', async () => {
      stopTime();
      let left: Promise<unknown> | undefined;
      const verdict = await explain((res) => {
        left = new Promise((resolve) => res.once('close', resolve));
        pass(4000);
      });
      expect(verdict).toBe(late);
      await left;
    });

    /** The verdict where a list is signed with a newer key than the credential, and that key is asked for like this. */
    const withNewerKey = async (second: Answer) => {
      stopTime();
      let keysAsked = 0;
      published.answer = (res, req) => {
        if (req.url !== '/jwks.json') servingList({ header: { kid: 'two' } })(res, req);
        else if ((keysAsked += 1) === 1) servingKeys({ one: issuerKeys })(res, req);
        else second(res, req);
      };
      const verdict = await statusVerifier(published, { keys: { jwksUri: published.jwksUri } }).judge();
      expect(keysAsked).toBe(2);
      return verdict;
    };
    judgeEach(withNewerKey, {
      'T18 the budget is for the keys of the list too': [unavailable('T18'), () => pass(4000)],
      'T18 keys of the list that cannot be fetched': [unavailable('K14'), servingStatus(503)],
    });

    test('T18 a stale list is not used where it cannot be renewed', async () => {
      const { judge, wait } = statusVerifier(published);
      published.answer = servingList({ payload: { ttl: 60 } });
      expect(await judge()).toBe('valid');
      published.answer = servingStatus(503);
      wait(59);
      expect(await judge()).toBe('valid');
      wait(1);
      expect(await judge()).toBe(unavailable('T05'));
    });
  });

  /** False at first, and then true. */
  function counting(): () => boolean {
    let calls = 0;
    return () => (calls += 1) > 1;
  }
});
