import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { nonceOf } from '../support/verify/issuer.js';
import type { Expected, Jwk } from '../../lib/index.js';
import { digestAlgorithm, openDisclosures } from '../../lib/verify/sd-jwt/disclosures.js';
import { defaultLimits, startReading } from '../../lib/verify/jose/decode.js';
import type { SdJwtOptions } from '../../lib/verify/sd-jwt/verify.js';
import { checkOf, checkOfSdJwt, judge, state, verify } from '../support/verify/verdicts.js';

const folder = new URL('../vectors/', import.meta.url);
const read = (path: string) => readFileSync(new URL(path, folder), 'utf8').trim();
const readJson = <T>(path: string) => JSON.parse(read(path)) as T;

interface Case {
  readonly id: string;
  readonly section: string;
  readonly typ: string;
  readonly issuerJwk: Jwk;
  readonly token?: string;
  readonly json?: unknown;
  readonly kb?: { readonly nonce: string; readonly aud: string; readonly iat: number };
  readonly expected?: Readonly<Record<string, unknown>>;
}

const rfc = readJson<Case[]>('rfc9901/cases.json');
const draft = readJson<Case[]>('sd-jwt-vc-draft/cases.json');
const compact = [...rfc, ...draft].filter(({ token }) => token !== undefined);
const serialized = rfc.filter(({ json }) => json !== undefined);
const [{ issuerJwk }] = rfc as [Case];

/** The moment at which the examples were made, and what their verifier expects. */
const expecting = ({ issuerJwk: key, typ, kb }: Pick<Case, 'issuerJwk' | 'typ' | 'kb'>): SdJwtOptions => ({
  key,
  types: [typ],
  keyBinding: kb === undefined ? 'absent' : { nonce: kb.nonce, audience: kb.aud },
  clock: () => new Date((kb?.iat ?? 1_748_537_243) * 1000),
});

const title = (vector: Case): [string, Case] => [`${vector.id} ${vector.section}`, vector];

describe('RFC 9901 and the draft of SD-JWT VC, as published', () => {
  test('there are eight tokens of the one, five of the other, and three in JSON', () => {
    expect([rfc.length - serialized.length, draft.length, serialized.length]).toEqual([8, 5, 3]);
  });

  test.each(compact.map(title))('%s is accepted and says what is printed', async (_, vector) => {
    const { claims } = await verify(vector.token, expecting(vector));
    expect(JSON.parse(JSON.stringify(claims))).toEqual(vector.expected);
  });

  test.each(compact.filter(({ kb }) => kb !== undefined).map(title))(
    '%s is refused for another nonce, audience, time or key, and where no binding is expected',
    async (_, vector) => {
      const good = expecting(vector);
      const { nonce = '', aud: audience = '', iat = 0 } = vector.kb ?? {};
      const on = async (change: Partial<SdJwtOptions>) =>
        await checkOfSdJwt(vector.token, { ...good, ...change });
      expect(await on({ keyBinding: { nonce: `${nonce} `, audience } })).toBe('B07');
      expect(await on({ keyBinding: { nonce, audience: `${audience}/` } })).toBe('B08');
      expect(await on({ clock: () => new Date((iat + 301) * 1000) })).toBe('B11');
      expect(await on({ clock: () => new Date((iat - 301) * 1000) })).toBe('B10');
      expect(await on({ keyBinding: 'absent' })).toBe('B01');
    },
  );

  test.each(compact.map(title))(
    '%s is refused once it has expired and with a letter changed',
    async (_, vector) => {
      const { token = '' } = vector;
      const good = expecting({ ...vector });
      const signature = token.indexOf('~') - 10;
      const other = token[signature] === 'A' ? 'B' : 'A';
      const damaged = token.slice(0, signature) + other + token.slice(signature + 1);
      expect(await checkOfSdJwt(damaged, good)).toBe(vector.kb === undefined ? 'K02' : 'B14');
      if (vector.expected?.['exp'] === undefined) return;
      const clock = () => new Date(1_883_000_005_000);
      const keyBinding =
        typeof good.keyBinding === 'object' ? { ...good.keyBinding, maxAge: 2e9 } : ('absent' as const);
      expect(await checkOfSdJwt(token, { ...good, keyBinding, clock })).toBe('C04');
    },
  );

  test.each(compact.map(title))('%s is not of the type of another example', async (_, vector) => {
    const types = [vector.typ === 'dc+sd-jwt' ? 'example+sd-jwt' : 'dc+sd-jwt'];
    expect(await checkOfSdJwt(vector.token, { ...expecting(vector), types })).toBe('H03');
  });

  test.each(serialized.map(title))('P07 %s is in JSON', async (_, vector) => {
    const options = expecting({ ...vector, typ: 'example+sd-jwt' });
    expect(await checkOfSdJwt(JSON.stringify(vector.json), options)).toBe('P07');
  });
});

describe('RFC 9901 A.3 as it stands in the RFC', () => {
  interface Exact {
    readonly token: string;
    readonly nonce: string;
    readonly aud: string;
    readonly iat: number;
    readonly sd_hash: string;
    readonly expected: unknown;
  }
  const { token, nonce, aud, iat, sd_hash: hash, expected } = readJson<Exact>('rfc9901/rfc-a3-exact.json');

  test('it is accepted, with its claims and its sd_hash', async () => {
    const options = expecting({ issuerJwk, typ: 'dc+sd-jwt', kb: { nonce, aud, iat } });
    const { claims, keyBinding } = await verify(token, options);
    expect(JSON.parse(JSON.stringify(claims))).toEqual(expected);
    expect(keyBinding).toEqual({ nonce, aud, iat, sd_hash: hash });
  });

  test('it is a PID', async () => {
    const trust = {
      'de-ausweis': {
        format: 'sd-jwt-vc',
        keys: { jwks: { keys: [issuerJwk] } },
        vct: ['urn:eudi:pid:de:1'],
        keyBinding: {
          nonce: ({ state: seen }: Expected) => (seen === state ? nonce : nonceOf(seen)),
          audience: aud,
        },
      },
    } as const;
    const clock = () => new Date(iat * 1000);
    const verdict = await judge(token, trust, { reveal: ['nationality'] }, { clock });
    expect(verdict).toEqual({ valid: true, attributes: { nationality: ['DE'] }, derived: {} });
    expect(await checkOf(token, trust, { reveal: ['given_name'] }, { clock })).toBe('attributes_missing C13');
  });
});

describe('the Disclosures of RFC 9901', () => {
  interface Printed {
    readonly digest: string;
    readonly disclosure: string;
    readonly contents: readonly unknown[];
  }
  const printed = readJson<Printed[]>('rfc9901/disclosures.json');

  test('each has its digest and its contents', () => {
    const algorithm = digestAlgorithm({});
    expect(printed).toHaveLength(83);
    for (const { digest, disclosure, contents } of printed) {
      expect(algorithm.digest(disclosure)).toBe(digest);
      const name = contents.length === 3 ? contents[1] : undefined;
      const opened = openDisclosures([disclosure], algorithm, startReading(defaultLimits));
      expect([...opened]).toEqual([[digest, { name, value: contents.at(-1) }]]);
    }
  });
});

describe('the examples of the draft of SD-JWT VC, as its tools made them', () => {
  const examples = 'sd-jwt-vc-draft/examples/';
  const names = readdirSync(new URL(examples, folder));
  const bound = names.filter((name) =>
    readdirSync(new URL(`${examples}${name}`, folder)).includes('kb_jwt_payload.json'),
  );

  test('there are three, two of them with key binding', () => {
    expect([names.length, bound.length]).toEqual([3, 2]);
  });

  test.each(names)('%s is accepted as it was presented', async (name) => {
    const kb = bound.includes(name)
      ? readJson<NonNullable<Case['kb']>>(`${examples}${name}/kb_jwt_payload.json`)
      : undefined;
    const options = expecting({ issuerJwk, typ: 'dc+sd-jwt', ...(kb !== undefined && { kb }) });
    const { claims, keyBinding } = await verify(read(`${examples}${name}/sd_jwt_presentation.txt`), options);
    expect(JSON.parse(JSON.stringify(claims))).toEqual(readJson(`${examples}${name}/verified_contents.json`));
    expect(keyBinding).toEqual(kb);
  });

  test.each(names)('%s is accepted as it was issued, with every claim of the user', async (name) => {
    const { claims } = await verify(
      read(`${examples}${name}/sd_jwt_issuance.txt`),
      expecting({ issuerJwk, typ: 'dc+sd-jwt' }),
    );
    expect(claims).toMatchObject(readJson<object>(`${examples}${name}/user_claims.json`));
  });
});
