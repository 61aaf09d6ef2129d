import { deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import { issuerKeys, newKeyPair, nowSeconds } from '../../support/verify/issuer.js';
import {
  type ListMint,
  answering,
  goodPayload,
  listToken,
  reasonOf,
  serving,
  statusServer,
  verifierOf,
} from './status-server.js';

const published = statusServer();

/** The verdict on a good credential whose list is this one: the check alone where its code is credential_status_unavailable. */
async function on(change: ListMint, trust: Partial<SdJwtVcTrust> = {}): Promise<string> {
  published.answer = serving(change);
  return (await verifierOf(published, trust).judge()).replace('credential_status_unavailable ', '');
}

async function onText(text: string): Promise<string> {
  published.answer = answering(text);
  return (await verifierOf(published).judge()).replace('credential_status_unavailable ', '');
}

const payload = async (change: Record<string, unknown>) => await on({ payload: change });
const list = async (change: Record<string, unknown>) => await on({ list: change });
const lst = async (bytes: Buffer) => await list({ lst: bytes.toString('base64url') });

/** The good payload as text, one member of it in JSON that stringify would not write. */
const spelled = (name: string, json: string) =>
  `${JSON.stringify({ ...goodPayload(published.uri), [name]: undefined }).slice(0, -1)},"${name}":${json}}`;

test('a good list token', async () => {
  expect(await on({})).toBe('valid');
});

describe('T06 type, algorithm and signature', () => {
  test.each([
    [undefined],
    [null],
    [['statuslist+jwt']],
    ['JWT'],
    ['StatusList+JWT'],
    ['application/statuslist+jwt'],
    ['statuslist+cwt'],
    ['dc+sd-jwt'],
  ])('T06 typ is %j', async (typ) => {
    expect(await on({ header: { typ } })).toBe('T06');
  });

  test.each([[undefined], [null], ['none'], ['HS256'], ['ES384'], ['es256'], [['ES256']]])(
    'T06 alg is %j',
    async (alg) => {
      expect(await on({ header: { alg } })).toBe('T06');
    },
  );

  test('T06 signed by another key, even one that it brings along', async () => {
    const signer = newKeyPair();
    expect(await on({ signer })).toBe('T06');
    expect(await on({ signer, header: { jwk: signer.jwk } })).toBe('T06');
  });

  test('T06 another payload or header under the same signature', async () => {
    const [header, , signature] = listToken(published.uri).split('.');
    const [other, more] = listToken(published.uri, { header: { a: 1 }, payload: { exp: undefined } }).split(
      '.',
    );
    expect(await onText(`${header}.${more}.${signature}`)).toBe('T06');
    const [, good] = listToken(published.uri).split('.');
    expect(await onText(`${other}.${good}.${signature}`)).toBe('T06');
  });

  test('T06 no compact JWS', async () => {
    const good = listToken(published.uri);
    const [header, body] = good.split('.');
    for (const text of ['', '{}', `${header}.${body}`, `${header}.${body}.`, `${good}.a`, `.${body}.a`]) {
      expect(await onText(text)).toBe('T06');
    }
  });

  test("T06 the entry's algorithms and keys count for the list too", async () => {
    const signer = newKeyPair('ES384');
    const keys = {
      jwks: {
        keys: [
          { ...issuerKeys.jwk, kid: 'a' },
          { ...signer.jwk, kid: 'b' },
        ],
      },
    };
    const by = async (kid: unknown, algorithms: string[]) => {
      published.answer = serving({ signer, header: { kid } });
      const { judge } = verifierOf(published, { keys, algorithms });
      return await judge(undefined, { header: { kid: 'a' } });
    };
    expect(await by('b', ['ES256', 'ES384'])).toBe('valid');
    expect(await by('b', ['ES256'])).toBe('credential_status_unavailable T06');
    expect(await by('a', ['ES256', 'ES384'])).toBe('credential_status_unavailable H02');
    expect(await by('c', ['ES256', 'ES384'])).toBe('credential_status_unavailable K12');
    expect(await by(undefined, ['ES256', 'ES384'])).toBe('credential_status_unavailable K12');
  });

  test('T06 the refusal says that it is about the list', async () => {
    published.answer = serving({ signer: newKeyPair() });
    expect(reasonOf(await verifierOf(published).verdict())).toBe(
      "The credential's status list cannot be used: it is not signed by its issuer.",
    );
  });
});

test('T07 sub must be the very address', async () => {
  const { uri } = published;
  for (const sub of [undefined, null, '', [uri], `${uri}/`, uri.toUpperCase(), 'https://issuer.example/1']) {
    expect(await payload({ sub })).toBe('T07');
  }
});

describe('T08 when it was issued', () => {
  test('T08 iat is required, and not of the future', async () => {
    expect(await payload({ iat: undefined })).toBe('T08');
    expect(await payload({ iat: nowSeconds + 5 })).toBe('valid');
    expect(await payload({ iat: nowSeconds + 6 })).toBe('T08');
  });

  test.each(['"1"', 'null', '1e999', '[1]'])('T08 iat is %s', async (json) => {
    expect(await on({ payload: spelled('iat', json) })).toBe('T08');
  });
});

describe('T20 from when on it is valid', () => {
  test('T20 nbf need not be there, and must not be in the future', async () => {
    expect(await payload({ nbf: nowSeconds + 5 })).toBe('valid');
    expect(await payload({ nbf: nowSeconds + 6 })).toBe('T20');
  });

  test.each(['"1"', 'null', '1e999', '[1]'])('T20 nbf is %s', async (json) => {
    expect(await on({ payload: spelled('nbf', json) })).toBe('T20');
  });
});

describe('T09 until when it is valid', () => {
  test('T09 exp need not be there, and must not be past', async () => {
    expect(await payload({ exp: undefined })).toBe('valid');
    expect(await payload({ exp: nowSeconds - 4 })).toBe('valid');
    expect(await payload({ exp: nowSeconds - 5 })).toBe('T09');
  });

  test.each(['"4000000000"', 'null', '1e999', '{}'])('T09 exp is %s', async (json) => {
    expect(await on({ payload: spelled('exp', json) })).toBe('T09');
  });
});

test('T08 T09 the refusal says by how much', async () => {
  const why = async (change: Record<string, unknown>) => {
    published.answer = serving({ payload: change });
    return reasonOf(await verifierOf(published).verdict());
  };
  expect(await why({ iat: nowSeconds + 90 })).toMatch(/: it was issued 90 seconds in the future\.$/);
  expect(await why({ exp: nowSeconds - 90 })).toMatch(/: it expired 90 seconds ago\.$/);
});

describe('T10 how long it may be kept', () => {
  test.each(['0', '-1', '"60"', 'null', '1e999', '[60]'])('T10 ttl is %s', async (json) => {
    expect(await on({ payload: spelled('ttl', json) })).toBe('T10');
  });

  test('T10 ttl is any positive number', async () => {
    expect(await payload({ ttl: 43_200 })).toBe('valid');
    expect(await payload({ ttl: 0.5 })).toBe('valid');
  });
});

describe('T11 how many bits', () => {
  test.each([[undefined], [null], [0], [3], [16], [-1], [1.5], ['1'], [[1]]])(
    'T11 bits is %j',
    async (bits) => {
      expect(await list({ bits })).toBe('T11');
    },
  );

  test.each([[1], [2], [4], [8]])('T11 bits is %d', async (bits) => {
    expect(await list({ bits })).toBe('valid');
  });

  test.each([[undefined], [null], ['a'], [[]]])('T11 the status_list is %j', async (status_list) => {
    expect(await payload({ status_list })).toBe('T11');
  });
});

describe('T12 the compressed list', () => {
  const bytes = Buffer.alloc(1000, 0);

  test.each([[undefined], [null], [7], [['a']]])('T12 lst is %j', async (value) => {
    expect(await list({ lst: value })).toBe('T12');
  });

  test('T12 it is a ZLIB stream, whole', async () => {
    expect(await lst(deflateSync(bytes))).toBe('valid');
    expect(await lst(deflateSync(bytes, { level: 9 }))).toBe('valid');
    expect(await lst(deflateSync(bytes).subarray(0, -1))).toBe('T12');
    expect(await lst(deflateRawSync(bytes))).toBe('T12');
    expect(await lst(gzipSync(bytes))).toBe('T12');
    expect(await lst(bytes)).toBe('T12');
  });

  test('T12 it is canonical base64url', async () => {
    for (const text of ['', 'eNpjYAA AAAIAAQ', `${deflateSync(bytes).toString('base64')}=`]) {
      expect(await list({ lst: text })).toBe('P02');
    }
  });

  test('T12 a bomb is not inflated beyond the limit', async () => {
    const limit = 16 * 1024 * 1024;
    expect(await lst(deflateSync(Buffer.alloc(limit)))).toBe('valid');
    expect(await lst(deflateSync(Buffer.alloc(limit + 1)))).toBe('T12');
  });

  test('T12 nothing is inflated that is not signed', async () => {
    expect(await on({ signer: newKeyPair(), list: { lst: 'AAAA' } })).toBe('T06');
  });
});
