import { describe, expect, test } from '@jest/globals';
import type { Jwk } from '../../../lib/types/trust.js';
import { issuerKeys, mint, newKeyPair } from '../../support/verify/issuer.js';
import { issuerServer, keysVerifier, servingJson } from '../../support/verify/servers.js';
import { checkOfSdJwt, judge, present, thrown, trustIn } from '../../support/verify/verdicts.js';

// The curve of Ed25519 (RFC 8032, section 5.1), to compute its points of small order and not to copy a list of them.
const p = 2n ** 255n - 19n;
const order = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n;
const mod = (n: bigint): bigint => ((n % p) + p) % p;
const inverse = (n: bigint): bigint => power(n, p - 2n);
const d = mod(-121_665n * inverse(121_666n));
type Point = readonly [x: bigint, y: bigint];

function power(base: bigint, exponent: bigint): bigint {
  let result = 1n;
  for (let [square, left] = [mod(base), exponent]; left > 0n; square = mod(square * square), left >>= 1n) {
    if (left % 2n === 1n) result = mod(result * square);
  }
  return result;
}

function add([x1, y1]: Point, [x2, y2]: Point): Point {
  const k = mod(d * x1 * x2 * y1 * y2);
  return [mod((x1 * y2 + x2 * y1) * inverse(1n + k)), mod((y1 * y2 + x1 * x2) * inverse(1n - k))];
}

function times(factor: bigint, point: Point): Point {
  let result: Point = [0n, 1n];
  for (let [double, left] = [point, factor]; left > 0n; double = add(double, double), left >>= 1n) {
    if (left % 2n === 1n) result = add(result, double);
  }
  return result;
}

/** The point with this y, if it is on the curve. */
function pointAt(y: bigint): Point | undefined {
  const square = mod((y * y - 1n) * inverse(d * y * y + 1n));
  const root = power(square, (p + 3n) / 8n);
  const x = [root, mod(root * power(2n, (p - 1n) / 4n))].find(
    (candidate) => mod(candidate * candidate) === square,
  );
  return x === undefined ? undefined : [x, y];
}

/** Every encoding of every point whose order divides eight: the multiples of one whose order is eight. */
function smallOrderEncodings(): readonly string[] {
  const ys = new Set<bigint>();
  // A point and its negative share their y: eight points have five.
  for (let y = 2n; ys.size < 5; y += 1n) {
    const point = pointAt(y);
    if (point === undefined) continue;
    const torsion = times(order, point);
    for (let k = 0n; k < 8n; k += 1n) ys.add(times(k, torsion)[1]);
  }
  const spelled = [...ys].flatMap((y) => [y, y + p].filter((value) => value < 2n ** 255n));
  return spelled.flatMap((y) =>
    [y, y + 2n ** 255n].map((value) =>
      Buffer.from(value.toString(16).padStart(64, '0'), 'hex').reverse().toString('base64url'),
    ),
  );
}

const encodings = smallOrderEncodings();
const algorithms = ['ES256', 'EdDSA'];
const published = issuerServer();
const jwkOf = (x: string): Jwk => ({ kty: 'OKP', crv: 'Ed25519', x });

/** A presentation with a key binding that nobody signed: R is the neutral element, S is zero. */
function unsigned(x: string): string {
  const neutral = Buffer.concat([Buffer.from([1]), Buffer.alloc(63)]).toString('base64url');
  const bound = mint({ payload: { cnf: { jwk: jwkOf(x) } }, binding: { wallet: newKeyPair('EdDSA') } });
  return `${bound.slice(0, bound.lastIndexOf('.'))}.${neutral}`;
}

describe('F77 a point of Ed25519 that makes one signature fit everything is no key', () => {
  test('F77 there are fourteen of them', () => {
    expect(new Set(encodings).size).toBe(14);
  });

  test.each(encodings)('F77 %s', async (x) => {
    expect(await checkOfSdJwt(unsigned(x), { algorithms })).toBe('K17');
    const keys = { jwks: { keys: [jwkOf(x)] } };
    expect(await thrown(async () => await judge(present(), trustIn({ keys, algorithms })))).toMatchObject({
      code: 'config_invalid',
      message: "trust['de-ausweis'].keys.jwks.keys[0] is a point of small order.",
    });
    published.answer = servingJson({ keys: [{ ...jwkOf(x), kid: 'one' }] });
    expect(await keysVerifier(published.jwksUri).judge('one', issuerKeys)).toBe('key_not_found K15');
  });

  test('F77 any other key of the curve is one', async () => {
    const wallet = newKeyPair('EdDSA');
    const token = mint({ payload: { cnf: { jwk: wallet.jwk } }, binding: { wallet } });
    expect(await checkOfSdJwt(token, { algorithms })).toBe('valid');
  });
});
