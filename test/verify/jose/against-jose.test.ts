import { createHmac, sign } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { importJWK, jwtVerify } from 'jose';
import { nightly, seed } from '../../support/seed.js';
import { audience, encode, iss, newKeyPair, now, nowSeconds } from '../../support/verify/issuer.js';
import { jwtTrust, signResult } from '../../support/verify/jwt-tokens.js';
import { checkOf } from '../../support/verify/verdicts.js';
import { holds } from '../properties.js';

const algorithms = 'ES256 ES384 ES512 EdDSA Ed25519 PS256 PS384 PS512 RS256 RS384 RS512'.split(' ');
const trusted = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'].map((alg) => newKeyPair(alg));
const others = trusted.map(({ alg }) => newKeyPair(alg));
const maxAge = 600;
const tolerance = 5;

/** A token of the service: good, or with something wrong in it. */
interface Plan {
  readonly key: number;
  readonly alg: string;
  readonly typ: string | undefined;
  readonly more: object;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly times: Readonly<Record<string, number | undefined>>;
  readonly signed: string;
}

const seconds = fc.oneof(
  fc.constantFrom(undefined, 0, tolerance, -tolerance, maxAge, -maxAge, -maxAge - tolerance),
  fc.integer({ min: -700, max: 700 }),
);
/** Mostly what is good, else one of these. */
const mostly = <T>(good: T, ...bad: readonly T[]) =>
  fc.oneof(
    { arbitrary: fc.constant(good), weight: 4 },
    { arbitrary: fc.constantFrom(good, ...bad), weight: 1 },
  );

const plans: fc.Arbitrary<Plan> = fc.record({
  key: fc.nat(trusted.length - 1),
  alg: mostly('', ...algorithms, 'none', 'HS256', 'es256'),
  typ: mostly<string | undefined>('result+jwt', 'RESULT+JWT', 'application/result+jwt', 'JWT', undefined),
  more: mostly<object>({}, { crit: ['exp'] }, { crit: [] }, { b64: false, crit: ['b64'] }, { kid: 'one' }),
  claims: mostly<Plan['claims']>(
    {},
    { aud: [audience] },
    { aud: 'another' },
    { iss: [iss] },
    { iss: `${iss}/` },
    { sub: 1 },
  ),
  times: mostly({ iat: -5, exp: 60 }).chain((good) =>
    fc.oneof(fc.constant(good), fc.record({ iat: seconds, exp: seconds, nbf: seconds })),
  ),
  signed: mostly(
    'well',
    'by another key',
    'in DER',
    'with the public key',
    'for other claims',
    'cut off',
    'changed',
  ),
});

const wrongly: Readonly<Record<string, (jws: string, plan: Plan) => string>> = {
  well: (jws) => jws,
  'by another key': (_, plan) => tokenOf({ ...plan, signed: 'well' }, others),
  'in DER': (jws, { key }) => {
    const { privateKey } = trusted[key] ?? {};
    if (privateKey?.asymmetricKeyType !== 'ec') return jws;
    return resigned(jws, sign('sha256', inputOf(jws), privateKey));
  },
  'with the public key': (jws, { key }) => {
    const secret = trusted[key]?.publicKey.export({ type: 'spki', format: 'pem' }) ?? '';
    return resigned(jws, createHmac('sha256', secret).update(inputOf(jws)).digest());
  },
  'for other claims': (jws, plan) => {
    const [header = '', , signature = ''] = jws.split('.');
    const other = tokenOf({ ...plan, signed: 'well', claims: { person: { given_name: 'Max' } } }, trusted);
    return [header, other.split('.')[1], signature].join('.');
  },
  'cut off': (jws) => jws.slice(0, -4),
  changed: (jws) => jws.slice(0, -6) + (jws.at(-6) === 'A' ? 'B' : 'A') + jws.slice(-5),
};
const inputOf = (jws: string) => Buffer.from(jws.slice(0, jws.lastIndexOf('.')));
const resigned = (jws: string, signature: Buffer) => `${String(inputOf(jws))}.${encode(signature)}`;

function tokenOf(plan: Plan, keys = trusted): string {
  const { key, alg, typ, more, claims, times } = plan;
  const pair = keys[key] ?? newKeyPair();
  const signsAs = algorithms.includes(alg) && /^[PR]S/.test(alg) && pair.alg === 'RS256' ? alg : pair.alg;
  const at = Object.fromEntries(
    Object.entries(times).map(([name, time]) => [name, time === undefined ? undefined : nowSeconds + time]),
  );
  const header = { alg: alg || pair.alg, typ, ...more };
  const good = signResult({ nbf: undefined, ...at, ...claims }, header, { ...pair, alg: signsAs });
  return (wrongly[plan.signed] ?? String)(good, plan);
}

/** What jose says of a token, by the same rules as far as it has them. */
async function joseSays(token: string, { key }: Plan): Promise<string> {
  const { jwk } = trusted[key] ?? newKeyPair();
  const [head = ''] = token.split('.');
  const { alg } = JSON.parse(Buffer.from(head, 'base64url').toString()) as { alg: string };
  try {
    await jwtVerify(token, await importJWK({ ...jwk }, alg), {
      algorithms,
      typ: 'result+jwt',
      issuer: iss,
      audience,
      requiredClaims: ['exp', 'iat'],
      maxTokenAge: maxAge,
      clockTolerance: tolerance,
      currentDate: now,
    });
    return 'valid';
  } catch (error) {
    return `${String(error)}`;
  }
}

const kitSays = async (token: string, { key }: Plan) =>
  await checkOf(
    token,
    jwtTrust({ algorithms, maxAge, tolerance, keys: { jwks: { keys: [trusted[key]?.jwk] } } }),
  );

describe('K02 signed JWTs, against jose', () => {
  const count = nightly ? 10_000 : 1_000;

  test(`K02 what the kit accepts jose accepts (SEED=${seed})`, async () => {
    const seen = { both: 0, neither: 0, stricter: 0 };
    await holds(count, plans, async (plan) => {
      const token = tokenOf(plan);
      const [kit, jose] = [await kitSays(token, plan), await joseSays(token, plan)];
      expect(kit === 'valid' ? jose : 'refused here').toMatch(/^(valid|refused here)$/);
      seen[kit === 'valid' ? 'both' : jose === 'valid' ? 'stricter' : 'neither'] += 1;
    });
    expect(seen.both + seen.neither + seen.stricter).toBe(count);
    expect(Object.values(seen).filter((times) => times < count / 50)).toEqual([]);
  }, 600_000);

  test.each(trusted.map((pair, key) => [pair.alg, key] as const))('K02 a good one by %s', async (_, key) => {
    const good: Plan = {
      key,
      alg: '',
      typ: 'result+jwt',
      more: {},
      claims: {},
      times: { iat: -5, exp: 60 },
      signed: 'well',
    };
    const token = tokenOf(good);
    expect([await kitSays(token, good), await joseSays(token, good)]).toEqual(['valid', 'valid']);
  });
});
