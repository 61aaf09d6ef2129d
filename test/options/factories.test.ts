import { describe, expect, test } from '@jest/globals';
import {
  createProveClient,
  type IdentityError,
  identityVerification,
  memoryStore,
  verifyPresentation,
} from '../../lib/index.js';
import { verifySdJwt } from '../../lib/verify/sd-jwt/verify.js';
import { mysqlStore } from '../../lib/stores/mysql.js';
import { postgresStore } from '../../lib/stores/postgres.js';
import { redisStore } from '../../lib/stores/redis.js';
import { good } from './settings.js';
import { keyPair } from '../support/key-pair.js';

interface Factory {
  readonly name: string;
  /** Calls the factory with options of any kind. */
  readonly make: (options: never) => unknown;
  readonly good: Readonly<Record<string, unknown>>;
  /** A mistyped name, and the name that was meant. */
  readonly typo: readonly [string, string];
  /** Where numbers are; a dot leads into an object. */
  readonly numbers?: readonly string[];
  /** Whether these may be 0. */
  readonly fromZero?: true;
  readonly functions?: readonly string[];
  /** Those of them that must not be undefined (F91). */
  readonly restrictions?: readonly string[];
}

const jwk = keyPair('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
const entries = {
  sdJwt: {
    format: 'sd-jwt-vc',
    keys: { jwks: { keys: [{ ...jwk, kid: '1' }] } },
    vct: ['urn:eudi:pid:1'],
    iss: 'https://issuer.example',
    keyBinding: { nonce: 'state-sha256', audience: 'a' },
  },
  jwt: {
    format: 'jwt',
    keys: { jwks: { keys: [{ ...jwk, kid: '1' }] } },
    iss: 'https://issuer.example',
    audience: 'a',
    typ: 'pid+jwt',
    binding: { claim: 'nonce', value: 'state-sha256' },
    claims: { given_name: ['given_name'] },
  },
};
const expected = {
  issuer: 'de-ausweis',
  variant: 'derived',
  state: 's',
  reveal: ['given_name'],
  derived: {},
};
const fromEntry = async (entry: never): Promise<unknown> =>
  await verifyPresentation('x', expected as never, { 'de-ausweis': entry });

const factories: readonly Factory[] = [
  {
    name: 'identityVerification',
    make: identityVerification,
    good,
    typo: ['revael', 'reveal'],
    numbers: ['keepFor', 'flowTtl', 'limits.hookTimeout', 'limits.callbackBytes', 'limits.concurrentStarts'],
    functions: 'subject context keep fetch clock onVerified onSuccess onError onEvent'.split(' '),
    restrictions: ['keepFor', 'subject'],
  },
  {
    name: 'memoryStore',
    make: memoryStore,
    good: {},
    typo: ['maxBites', 'maxBytes'],
    numbers: ['max', 'maxBytes'],
    functions: ['clock'],
  },
  {
    name: 'redisStore',
    make: redisStore,
    good: { client: { eval: async () => 0, evalsha: async () => 0 } },
    typo: ['prefx', 'prefix'],
  },
  ...Object.entries({ postgresStore, mysqlStore }).map(([name, make]) => ({
    name,
    make,
    good: { pool: { query: async () => ({ rows: [], rowCount: 0 }) } },
    typo: ['tabel', 'table'] as const,
  })),
  {
    name: 'createProveClient',
    make: createProveClient,
    good: { baseUrl: 'https://service.example', apiKey: 'key' },
    typo: ['timeOut', 'timeout'],
    numbers: ['timeout'],
    functions: ['fetch'],
  },
  {
    name: 'an SD-JWT VC trust entry',
    make: fromEntry,
    good: entries.sdJwt,
    typo: ['vtc', 'vct'],
    numbers: ['keyBinding.maxAge', 'keyBinding.tolerance'],
    fromZero: true,
    restrictions: ['keyBinding.maxAge'],
  },
  {
    name: 'a JWT trust entry',
    make: fromEntry,
    good: entries.jwt,
    typo: ['audiance', 'audience'],
    numbers: ['maxAge', 'tolerance'],
    fromZero: true,
    restrictions: ['maxAge'],
  },
  {
    name: 'verifySdJwt',
    make: async (options) => await verifySdJwt('x', options),
    good: { key: jwk, keyBinding: { nonce: 'n', audience: 'a' } },
    typo: ['keybinding', 'keyBinding'],
    numbers: ['clockTolerance', 'keyBinding.maxAge', 'limits.length', 'limits.depth'],
    fromZero: true,
    functions: ['clock'],
  },
];

/** The options with one member changed. */
function changed(options: Readonly<Record<string, unknown>>, path: string, value: unknown): never {
  const [first = '', second] = path.split('.');
  const inner = options[first] as object | undefined;
  return { ...options, [first]: second === undefined ? value : { ...inner, [second]: value } } as never;
}

/** The code and message of what the factory throws, or undefined if it takes the options. */
async function refusalOf(make: Factory['make'], options: unknown): Promise<IdentityError | undefined> {
  return await new Promise((resolve) => resolve(make(options as never))).then(
    () => undefined,
    (error: unknown) => error as IdentityError,
  );
}

describe.each(factories)('$name', (factory) => {
  const { make, good: options, typo, numbers = [], functions = [], restrictions = [] } = factory;

  test('takes good options, and treats undefined as absent, unless that lifts a restriction', async () => {
    for (const path of ['', ...numbers, ...functions]) {
      const refusal = await refusalOf(make, path === '' ? options : changed(options, path, undefined));
      expect([path, refusal?.code === 'config_invalid']).toEqual([path, restrictions.includes(path)]);
    }
  });

  test('says what a mistyped name was meant to be', async () => {
    const [name, meant] = typo;
    const refusal = await refusalOf(make, changed(options, name, 1));
    expect(refusal).toMatchObject({ code: 'config_invalid' });
    expect(refusal?.message).toMatch(new RegExp(`^Unknown option ${name}[^.]*\\. Did you mean ${meant}\\?$`));
  });

  test.each([[null], [[]], ['x'], [7]])('%p instead of options is refused', async (instead) => {
    expect(await refusalOf(make, instead)).toMatchObject({ code: 'config_invalid' });
  });

  test('a function is a function', async () => {
    for (const path of functions) {
      const refusal = await refusalOf(make, changed(options, path, 'x'));
      expect([path, refusal?.code, refusal?.message]).toEqual([
        path,
        'config_invalid',
        expect.stringMatching(new RegExp(`${path}:? must be a function`)),
      ]);
    }
  });
});

const rows = factories.flatMap(({ name, make, good: options, numbers = [], fromZero }) =>
  numbers.map((path) => ({ name, make, options, path, zero: fromZero ? [] : [0] })),
);
test.each(rows)('$name: $path is a finite number', async ({ make, options, path, zero }) => {
  for (const value of [Number.NaN, -1, Infinity, -Infinity, '5', '', null, true, [5], 5n, ...zero]) {
    const refusal = await refusalOf(make, changed(options, path, value));
    expect([value, refusal?.code]).toEqual([value, 'config_invalid']);
    expect(refusal?.message).toContain(path);
  }
});
