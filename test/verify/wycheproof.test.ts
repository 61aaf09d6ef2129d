import { createPublicKey } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { IdentityError, type Jwk } from '../../lib/index.js';
import { configuredExponent, issuerKey, publicJwk } from '../../lib/verify/keys/jwk.js';
import { staticKeySet } from '../../lib/verify/keys/key-set.js';
import { runtimeFrom } from '../../lib/verify/jose/clock.js';
import { algorithmList, checkHeader, checkSignature, compactText } from '../../lib/verify/jose/jws.js';
import { isSignedBy, splitJws } from '../../lib/verify/jose/jws.js';
import { decodeSegment, defaultLimits, readObject, startReading } from '../../lib/verify/jose/decode.js';
import { deep } from '../support/deep.js';

/** A file of C2SP/wycheproof: cases in groups that share a key. */
interface Vectors<Group, Case> {
  readonly numberOfTests: number;
  readonly testGroups: readonly (Group & { readonly tests: readonly (Case & Shared)[] })[];
}

interface Shared {
  readonly tcId: number;
  readonly result: 'valid' | 'invalid' | 'acceptable';
}

type Keys = Jwk | { readonly keys: readonly Jwk[] };
type JwsVectors = Vectors<{ readonly public?: Keys; readonly private?: Keys }, { readonly jws?: unknown }>;
type SignatureVectors = Vectors<
  { readonly publicKeyJwk?: Jwk; readonly publicKeyDer: string },
  { readonly msg: string; readonly sig: string }
>;

function read<T extends JwsVectors | SignatureVectors>(name: string): T {
  const path = new URL(`../vectors/wycheproof/${name}.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

const supported = 'ES256 ES384 ES512 EdDSA PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');
const algorithms = algorithmList(supported, 'algorithms');

/** The case as the kit answers it: its own reading of segments and keys, and its own signature step. */
async function accepts(jws: unknown, keys: Keys): Promise<boolean> {
  try {
    const parts = splitJws(compactText(jws, defaultLimits));
    if (parts === undefined) return false;
    const read = readObject(parts.header, 'The header', startReading(defaultLimits));
    // The vectors have no type, which the kit requires of each of its tokens.
    const header = checkHeader(
      { ...read, typ: 'JWT' },
      { name: 'It', types: ['JWT'], algorithms, checks: { type: 'H03', algorithm: 'H01' } },
    );
    decodeSegment(parts.payload, 'The payload');
    decodeSegment(parts.signature, 'The signature');
    const set = 'keys' in keys ? keys : { keys: [keys] };
    const source = staticKeySet(set, 'jwks', { iss: undefined, profile: 'sd-jwt-vc', algorithms });
    const key = await source({ header, claims: {} }, runtimeFrom());
    await checkSignature(parts, key, header.alg, 'K02', 'It is not signed.');
    return true;
  } catch (error) {
    if (error instanceof IdentityError) return false;
    throw error;
  }
}

/** The public half: a set of private keys is refused as such, whatever it signed. */
function publicOf(keys: Keys): Keys {
  if ('keys' in keys && Array.isArray(keys.keys)) return { keys: keys.keys.map((key: Jwk) => halfOf(key)) };
  return halfOf(keys as Jwk);
}

function halfOf({ d: _d, p: _p, q: _q, dp: _dp, dq: _dq, qi: _qi, ...rest }: Jwk): Jwk {
  return rest;
}

/** Where the kit answers otherwise, by reason, file and case. */
const policy: Readonly<Record<string, Readonly<Record<string, readonly number[]>>>> = {
  'HS256, HS384 and HS512 are not supported: whoever can check such a signature can make one': {
    json_web_signature: [1, 348, 352, 357, 358, 359, 372, 373, 376, 377],
    json_web_key: [2, 13, 14, 15],
    json_web_crypto: [1, 48],
  },
  'An empty payload is no JWT': { json_web_signature: [259, 264, 268, 272, 320, 325] },
  "The alg of the key is another than the header's, or none that exists (RFC 7520, figures 20 and 27)": {
    json_web_signature: [346, 347, 350, 351],
  },
  'A key that was made by the faulty generator of 2017 (ROCA) is not recognised; no PID provider has one': {
    json_web_key: [7],
    json_web_crypto: [46],
  },
};

async function differences(name: string): Promise<number[]> {
  const { testGroups } = read<JwsVectors>(name);
  const cases = testGroups.flatMap(({ public: open, private: secret, tests }) =>
    tests
      .filter((it) => 'jws' in it) // the others are encrypted
      .map((it) => ({ ...it, keys: publicOf(open ?? secret ?? { keys: [] }) })),
  );
  const found = await Promise.all(
    cases.map(async ({ tcId, result, jws, keys }) =>
      (await accepts(jws, keys)) === (result === 'valid') ? [] : [tcId],
    ),
  );
  return found.flat();
}

describe('Wycheproof: JWS, JWK and both together', () => {
  test.each([
    ['json_web_signature', 401],
    ['json_web_key', 26],
    ['json_web_crypto', 83],
  ])('K02 %s is answered as its authors expect, except by policy', async (name, count) => {
    const allowed = Object.values(policy).flatMap((files) => files[name] ?? []);
    expect(await differences(name)).toEqual(allowed.toSorted((one, other) => one - other));
    expect(read<JwsVectors>(name).numberOfTests).toBe(count);
  });
});

describe('Wycheproof: signatures', () => {
  deep.test.each([
    ['ecdsa_secp256r1_sha256_p1363', 'ES256'],
    ['ecdsa_secp384r1_sha384_p1363', 'ES384'],
    ['ecdsa_secp521r1_sha512_p1363', 'ES512'],
    ['ed25519', 'EdDSA'],
    ['rsa_pss_2048_sha256_mgf1_32', 'PS256'],
    ['rsa_pss_3072_sha256_mgf1_32', 'PS256'],
  ])('K02 %s', async (name, alg) => {
    const { testGroups, numberOfTests } = read<SignatureVectors>(name);
    const different: string[] = [];
    let count = 0;
    for (const { publicKeyJwk, publicKeyDer, tests } of testGroups) {
      const der = createPublicKey({ key: Buffer.from(publicKeyDer, 'hex'), format: 'der', type: 'spki' });
      const found = publicJwk(publicKeyJwk ?? der.export({ format: 'jwk' }), configuredExponent);
      if (typeof found === 'string') throw new Error(found);
      const key = issuerKey(found)(alg);
      for (const { msg, sig, result, tcId } of tests) {
        count += 1;
        const isGood = await isSignedBy(key, alg, Buffer.from(msg, 'hex'), Buffer.from(sig, 'hex'));
        if (isGood !== (result === 'valid')) different.push(`${tcId} ${result}`);
      }
    }
    expect(different).toEqual([]);
    expect(count).toBe(numberOfTests);
  });
});
