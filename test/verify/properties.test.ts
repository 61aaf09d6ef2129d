import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { IdentityError } from '../../lib/index.js';
import { defaultLimits, parseStrict, startReading } from '../../lib/verify/jose/decode.js';
import { digestOf, disclose, erika, mint } from '../support/verify/issuer.js';
import { issue, plans } from './nested.js';
import { holds } from './properties.js';
import { jwtTrust, signResult } from '../support/verify/jwt-tokens.js';
import { judge, present, thrown, trustIn, verify } from '../support/verify/verdicts.js';

/** JSON with the members in one order, for values whose members may come in any. */
function canonical(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

function asParsed(json: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(json));
  } catch {
    return undefined;
  }
}

/** One byte of a text replaced, taken away or put in. */
interface Damage {
  readonly where: number;
  readonly how: string;
  readonly byte: number;
}

const damages: fc.Arbitrary<Damage> = fc.record({
  where: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
  how: fc.constantFrom('replace', 'replace', 'replace', 'remove', 'insert'),
  byte: fc.oneof(fc.constantFrom(...Buffer.from('~._-=+/Aa0{}"\\ \n')), fc.integer({ min: 0, max: 255 })),
});

function damaged(token: string, { where, how, byte }: Damage): string {
  const at = Math.floor(where * token.length);
  const put = how === 'remove' ? '' : String.fromCharCode(byte);
  return token.slice(0, at) + put + token.slice(how === 'insert' ? at : at + 1);
}

describe('one changed byte', () => {
  const nested = disclose('street_address', 'Heidestraße 17');
  const token = present({
    payload: { nicknames: [{ '...': digestOf('a decoy') }] },
    sd: { ...erika, address: { _sd: [digestOf(nested)] } },
    more: [nested],
  });
  const tokens = [
    ['an SD-JWT with key binding', token, trustIn()],
    ['a signed JWT', signResult(), jwtTrust()],
  ] as const;

  test.each(tokens)(
    'of %s is refused by a check, or leaves the identical meaning',
    async (_, good, trust) => {
      const meaning = await judge(good, trust);
      expect(meaning).toMatchObject({ valid: true });
      let refused = 0;
      await holds(1500, damages, async (damage) => {
        const bad = damaged(good, damage);
        const verdict = await judge(bad, trust);
        const byCheck = { valid: false, check: expect.stringMatching(/^[A-Z]\d\d$/) };
        expect(verdict).toMatchObject(bad === good ? meaning : byCheck);
        if (!verdict.valid) refused += 1;
      });
      expect(refused).toBeGreaterThan(1400);
    },
  );
});

describe('what an issuer signed', () => {
  test('comes back exactly, however it is nested and in whatever order its Disclosures are sent', async () => {
    await holds(400, fc.tuple(plans, fc.infiniteStream(fc.nat())), async ([plan, order]) => {
      const { signed, disclosures, read } = issue(plan);
      const shuffled = disclosures
        .map((text) => [order.next().value, text] as const)
        .toSorted(([one], [other]) => one - other)
        .map(([, text]) => text);
      const { claims } = await verify(mint({ sd: {}, payload: { tree: signed }, more: shuffled }));
      expect(canonical(claims['tree'])).toBe(canonical(read));
      expect(Object.keys(claims)).not.toContain('_sd');
    });
  });

  test('S17 is refused with any one Disclosure that others need taken away', async () => {
    const inner = fc.record({ kind: fc.constant('value' as const), value: fc.string() });
    await holds(50, fc.tuple(inner, fc.integer({ min: 2, max: 6 })), async ([plan, depth]) => {
      let issued = issue(plan);
      for (let level = 0; level < depth; level += 1) {
        const text = disclose('a', issued.signed);
        issued = { ...issued, signed: { _sd: [digestOf(text)] }, disclosures: [...issued.disclosures, text] };
      }
      const without = issued.disclosures.slice(0, -1);
      const token = mint({ sd: {}, payload: { tree: issued.signed }, more: without });
      expect(await thrown(async () => await verify(token))).toMatchObject({ check: 'S17' });
    });
  });
});

describe('P10 strict JSON', () => {
  const part = { name: 'It', malformed: 'P09' } as const;
  const limits = { ...defaultLimits, depth: 100 };
  const read = (text: string) => parseStrict(text, part, startReading(limits));

  test('P10 any JSON is read as JSON.parse reads it', async () => {
    await holds(500, fc.tuple(fc.json(), fc.nat(3)), async ([json, indent]) => {
      const text = JSON.stringify(JSON.parse(json), undefined, indent);
      expect(read(text)).toEqual(JSON.parse(text));
      return await Promise.resolve();
    });
  });

  test('P10 a member more of a name that is there already is refused', async () => {
    const objects = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue(), { minKeys: 1 });
    await holds(500, fc.tuple(objects, fc.jsonValue(), fc.nat()), async ([object, value, which]) => {
      const keys = Object.keys(object);
      const key = JSON.stringify(keys[which % keys.length]);
      const text = `{${key}:${JSON.stringify(value)},${JSON.stringify(object).slice(1)}`;
      const error = await thrown(() => read(text));
      expect(error).toBeInstanceOf(IdentityError);
      expect(error).toMatchObject({ check: 'P10' });
    });
  });

  test('P10 any text at all is read as JSON.parse reads it, or refused by a check', async () => {
    const texts = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'{ } [ ] " , : \\ 0 a'.split(' ')) }),
      fc.string(),
    );
    await holds(1000, texts, async (text) => {
      const outcome = await Promise.resolve()
        .then(() => JSON.stringify(read(text)))
        .catch((error: unknown) => (error as IdentityError).check);
      expect(['P08', 'P09', 'P10', asParsed(text)]).toContain(outcome);
    });
  });
});
