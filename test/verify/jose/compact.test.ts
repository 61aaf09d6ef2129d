import { describe, expect, test } from '@jest/globals';
import { bind, disclose, mint, misspell } from '../../support/verify/issuer.js';
import { inEachPart } from './parts.js';
import { checkOf } from '../../support/verify/verdicts.js';

/** Changes one part of a presentation after it was signed; the key binding is made for what comes of it. */
function rebind(change: (issuerSigned: string, disclosures: readonly string[]) => string): string {
  const [issuerSigned = '', ...disclosures] = mint({ binding: 'absent' }).split('~').slice(0, -1);
  const presented = change(issuerSigned, disclosures);
  return presented + bind(presented);
}

describe('P01 the presentation is a text of a sensible size', () => {
  test.each([[undefined], [null], [7], [['a']], ['']])('P01 %p is refused', async (presentation) => {
    expect(await checkOf(presentation)).toBe('P01');
  });

  test('P01 one character more than the limit is refused, the limit itself is not', async () => {
    const token = mint();
    expect(await checkOf(token, { limits: { length: token.length - 1 } })).toBe('P01');
    expect(await checkOf(token, { limits: { length: token.length } })).toBe('accepted');
    expect(await checkOf('a'.repeat(256 * 1024 + 1))).toBe('P01');
  });
});

describe('P02 every segment is canonical base64url', () => {
  for (const spelling of ['padded', 'nonCanonical', 'spaced', 'standard'] as const) {
    test.each(inEachPart((good) => misspell(good)[spelling]))(
      `P02 ${spelling} in the %s`,
      async (_, token) => {
        expect(await checkOf(mint(token))).toBe('P02');
      },
    );

    test(`P02 ${spelling} in a Disclosure`, async () => {
      const { text } = misspell(['salt', 'given_name', 'Erika'])[spelling];
      expect(await checkOf(mint({ more: [text] }))).toBe('P02');
    });
  }

  test('P02 a padded signature', async () => {
    expect(
      await checkOf(rebind((issuer, disclosures) => [`${issuer}==`, ...disclosures, ''].join('~'))),
    ).toBe('P02');
    expect(await checkOf(`${mint()}==`)).toBe('P02');
  });
});

describe('P03 to P07 and P12 the compact serialization of an SD-JWT', () => {
  test('P03 a bare JWS is no SD-JWT', async () => {
    expect(await checkOf(mint({ sd: {}, binding: 'absent' }).slice(0, -1))).toBe('P03');
  });

  test('P04 a Disclosure without the tilde after it is refused', async () => {
    expect(await checkOf(mint({ binding: 'absent' }).slice(0, -1), { keyBinding: 'absent' })).toBe('P04');
  });

  test.each(['a.b', 'a.b.c.d', '.b.c', 'a..c', 'a.b.'])('P04 %s is no key binding JWT', async (last) => {
    expect(await checkOf(mint({ binding: 'absent' }) + last)).toBe('P04');
  });

  test('P05 an empty part between two tildes is refused', async () => {
    expect(await checkOf(rebind((issuer, disclosures) => [issuer, '', ...disclosures, ''].join('~')))).toBe(
      'P05',
    );
  });

  test.each([
    ['two segments', 'a.b'],
    ['five, as a JWE has', 'a.b.c.d.e'],
    ['an empty header', '.b.c'],
    ['an empty payload', 'a..c'],
    ['an empty signature', 'a.b.'],
  ])('P06 %s in the issuer-signed part', async (_, issuerSigned) => {
    expect(await checkOf(rebind((_good, disclosures) => [issuerSigned, ...disclosures, ''].join('~')))).toBe(
      'P06',
    );
  });

  test('P07 the JSON serialization is refused', async () => {
    const [payload, signature] = mint().split('.').slice(1, 3);
    expect(await checkOf(JSON.stringify({ payload, signature }))).toBe('P07');
    expect(await checkOf(JSON.stringify({ signatures: [{ signature }], payload }))).toBe('P07');
  });

  test('P12 a whole vp_token is refused, with a reason of its own', async () => {
    expect(await checkOf(JSON.stringify({ pid: [mint()] }))).toBe('P12');
  });
});

describe('P08 limits', () => {
  test('P08 one Disclosure more than the limit, even where something refers to all of them', async () => {
    expect(await checkOf(mint(), { limits: { disclosures: 4 } })).toBe('accepted');
    expect(await checkOf(mint(), { limits: { disclosures: 3 } })).toBe('P08');
    expect(await checkOf(mint(), { limits: { disclosures: 1 } })).toBe('P08');
  });

  test('P08 a Disclosure of one character more than the limit', async () => {
    const token = mint();
    const disclosures = token.split('~').slice(1, -1);
    const longest = Math.max(...disclosures.map((text) => text.length));
    expect(await checkOf(token, { limits: { disclosureLength: longest } })).toBe('accepted');
    expect(await checkOf(token, { limits: { disclosureLength: longest - 1 } })).toBe('P08');
  });

  const deep = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));

  test.each(inEachPart((good) => ({ ...(good as object), deep: deep(32) })))(
    'P08 too deep in the %s',
    async (_, token) => {
      expect(await checkOf(mint(token))).toBe('P08');
    },
  );

  test.each(inEachPart((good) => ({ ...(good as object), deep: deep(31) })))(
    'P08 as deep as may be in the %s',
    async (_, token) => {
      expect(await checkOf(mint(token))).toBe('accepted');
    },
  );

  test('P08 too deep in a Disclosure', async () => {
    expect(await checkOf(mint({ sd: { deep: deep(32) } }))).toBe('P08');
  });

  test('P08 Disclosures that are deep only inside one another', async () => {
    expect(await checkOf(mint({ sd: { deep: deep(31) } }))).toBe('accepted');
    expect(await checkOf(mint({ payload: (good) => ({ in: { in: good } }), sd: { deep: deep(31) } }))).toBe(
      'P08',
    );
  });

  test('P08 too many values in one part, however they are spread', async () => {
    const lists = (elements: number) =>
      Array.from({ length: 4 }, () => Array.from({ length: elements }, () => 0));
    expect(await checkOf(mint({ sd: { lists: lists(1250) } }))).toBe('P08');
    expect(await checkOf(mint({ sd: { lists: lists(1249) } }))).toBe('accepted');
    expect(await checkOf(mint({ payload: { lists: lists(1250) } }))).toBe('P08');
    const token = mint();
    const commas =
      Buffer.from(token.split('.')[1] ?? '', 'base64url')
        .toString()
        .split(',').length - 1;
    expect(await checkOf(token, { limits: { values: commas + 1 } })).toBe('accepted');
    expect(await checkOf(token, { limits: { values: commas } })).toBe('P08');
  });

  test.each(inEachPart((good) => ({ ...(good as object), long: Array(5).fill(0) })))(
    'P08 an array too long in the %s',
    async (_, token) => {
      expect(await checkOf(mint(token), { limits: { arrayLength: 5 } })).toBe('accepted');
      expect(await checkOf(mint(token), { limits: { arrayLength: 4 } })).toBe('P08');
    },
  );

  test('P08 an array too long in a Disclosure', async () => {
    const token = mint({ sd: { long: Array(5).fill(0) } });
    expect(await checkOf(token, { limits: { arrayLength: 5 } })).toBe('accepted');
    expect(await checkOf(token, { limits: { arrayLength: 4 } })).toBe('P08');
  });
});

test('P11 the format stands in the configuration: no other is tried', async () => {
  expect(await checkOf(mint({ header: { typ: 'JWT' } }))).toBe('H03');
  expect(await checkOf(disclose('a'))).toBe('P03');
});
