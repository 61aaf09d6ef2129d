import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import { issuerKeys, newKeyPair, nowSeconds } from '../../support/verify/issuer.js';
import { type ListMint, goodPayload, issuerServer } from '../../support/verify/servers.js';
import { servingList, statusVerifier } from '../../support/verify/servers.js';
import { type Members, judgeEach, judgeValues } from '../../support/verify/verdicts.js';

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
  for (const sub of [undefined, null, '', [uri], `${uri}/`, uri.toUpperCase(), 'https://issuer.example/1']) {
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
  judgeValues('T12 it is canonical base64url, unlike %p: P02', spellings, 'P02', (lst) => checkList({ lst }));
  judgeEach(check, {
    'T12 nothing is inflated that is not signed': ['T06', { signer: newKeyPair(), list: { lst: 'AAAA' } }],
  });
});
