import { describe, expect, test } from '@jest/globals';
import { digestOf, disclose, encode, erika, mint } from '../../support/verify/issuer.js';
import { checkOf, verify } from '../../support/verify/verdicts.js';

/** A token whose payload refers to these Disclosures at its top level. */
function referring(texts: readonly string[], more: Readonly<Record<string, unknown>> = {}): string {
  return mint({ sd: {}, more: texts, payload: { _sd: texts.map((text) => digestOf(text)), ...more } });
}

describe('S05 to S08 what a Disclosure is', () => {
  const malformed: [check: string, what: string, text: string][] = [
    ['S05', 'no JSON', encode('["salt","a"')],
    ['S05', 'a string', encode('"salt"')],
    ['S05', 'an object', encode({ 0: 'salt', 1: 'a', length: 2 })],
    ['S05', 'null', encode('null')],
    ['S05', 'an empty array', encode([])],
    ['S05', 'one element', encode(['salt'])],
    ['S05', 'four elements', encode(['salt', 'name', 'value', 'more'])],
    ['S06', 'a salt that is a number', encode([7, 'name', 'value'])],
    ['S06', 'a salt that is null, for an array element', encode([null, 'value'])],
    ['S07', 'a name that is a number', encode(['salt', 7, 'value'])],
    ['S07', 'a name that is a list', encode(['salt', ['a'], 'value'])],
    ['S08', 'the name _sd', encode(['salt', '_sd', []])],
    ['S08', 'the name ...', encode(['salt', '...', 'value'])],
    ['S08', 'the name _sd_alg', encode(['salt', '_sd_alg', 'sha-256'])],
  ];

  test.each(malformed)('%s %s', async (check, _, text) => {
    expect(await checkOf(referring([text]))).toBe(check);
  });

  test.each(malformed)('%s %s, though nothing refers to it', async (check, _, text) => {
    expect(await checkOf(mint({ more: [text] }))).toBe(check);
  });
});

describe('S09 names meet', () => {
  test('S09 a plain claim', async () => {
    expect(await checkOf(mint({ payload: { given_name: 'Mallory' } }))).toBe('S09');
    const street = disclose('street', 'b');
    const address = { street: 'a', _sd: [digestOf(street)] };
    expect(await checkOf(mint({ payload: { address }, more: [street] }))).toBe('S09');
  });

  test('S09 another Disclosure', async () => {
    expect(await checkOf(referring([disclose('a', 1), disclose('a', 2)]))).toBe('S09');
  });

  test('S09 the same name at another level is another claim', async () => {
    const inner = disclose('given_name', 'inner');
    const token = mint({ payload: { child: { _sd: [digestOf(inner)] } }, more: [inner] });
    expect((await verify(token)).claims).toMatchObject({
      given_name: 'Erika',
      child: { given_name: 'inner' },
    });
  });
});

describe('S10 and S11 digests in objects', () => {
  test.each([['text'], [null], [7], [{}], [[7]], [[null]], [[['a']]]])('S10 _sd is %j', async (_sd) => {
    expect(await checkOf(mint({ sd: {}, payload: { _sd } }))).toBe('S10');
    expect(await checkOf(mint({ payload: { address: { _sd } } }))).toBe('S10');
    expect(await checkOf(mint({ sd: { address: { _sd } } }))).toBe('S10');
  });

  test.each([['A'.repeat(42)], ['A'.repeat(44)], ['']])('S11 the digest %p', async (digest) => {
    expect(await checkOf(mint({ sd: {}, payload: { _sd: [digest] } }))).toBe('S11');
    expect(await checkOf(mint({ payload: { list: [{ '...': digest }] } }))).toBe('S11');
  });
});

describe('S12 to S14 placeholders', () => {
  test.each([
    ['another member', { '...': digestOf('a'), more: 1 }],
    ['a number', { '...': 7 }],
    ['null', { '...': null }],
    ['a list', { '...': [digestOf('a')] }],
  ])('S12 a placeholder with %s', async (_, placeholder) => {
    expect(await checkOf(mint({ payload: { list: ['a', placeholder] } }))).toBe('S12');
    expect(await checkOf(mint({ sd: { list: [[placeholder]] } }))).toBe('S12');
  });

  test('S13 the reserved name in any other object', async () => {
    const member = { '...': digestOf('a') };
    expect(await checkOf(mint({ payload: member }))).toBe('S13');
    expect(await checkOf(mint({ payload: { address: member } }))).toBe('S13');
    expect(await checkOf(mint({ sd: { address: member } }))).toBe('S13');
    const element = disclose(member);
    expect(await checkOf(mint({ payload: { list: [{ '...': digestOf(element) }] }, more: [element] }))).toBe(
      'S13',
    );
  });

  test('S14 a Disclosure of the wrong kind', async () => {
    const element = disclose('an element');
    const member = disclose('name', 'value');
    expect(await checkOf(referring([element]))).toBe('S14');
    expect(await checkOf(mint({ payload: { list: [{ '...': digestOf(member) }] }, more: [member] }))).toBe(
      'S14',
    );
  });
});

describe('S15 to S17 each once', () => {
  const decoy = digestOf('decoy');

  test.each([
    ['in one _sd', { _sd: [decoy, decoy] }],
    ['in two objects', { a: { _sd: [decoy] }, b: { _sd: [decoy] } }],
    ['in an object and an array', { _sd: [decoy], list: [{ '...': decoy }] }],
    ['in one array', { list: [{ '...': decoy }, { '...': decoy }] }],
  ])('S15 a decoy twice %s', async (_, payload) => {
    expect(await checkOf(mint({ sd: {}, payload }))).toBe('S15');
  });

  test('S15 a digest twice, one of them inside a Disclosure', async () => {
    expect(await checkOf(mint({ payload: { decoys: { _sd: [decoy] } }, sd: { a: { _sd: [decoy] } } }))).toBe(
      'S15',
    );
    const text = disclose('a', 1);
    const twice = { _sd: [digestOf(text)] };
    expect(await checkOf(mint({ payload: { one: twice, two: twice }, more: [text] }))).toBe('S15');
  });

  test('S16 the same Disclosure sent twice', async () => {
    expect(await checkOf(mint({ send: (sent) => [...sent, ...sent.slice(0, 1)] }))).toBe('S16');
  });

  test('S17 a Disclosure that nothing refers to', async () => {
    expect(await checkOf(mint({ more: [disclose('given_name', 'Mallory')] }))).toBe('S17');
  });

  test('S17 a child without its parent', async () => {
    const child = disclose('street', 'Heidestraße 17');
    const parent = disclose('address', { _sd: [digestOf(child)] });
    const payload = { _sd: [digestOf(parent)] };
    expect(await checkOf(mint({ sd: {}, payload, more: [parent, child] }))).toBe('accepted');
    expect(await checkOf(mint({ sd: {}, payload, more: [child] }))).toBe('S17');
  });
});

test('S21 the digest is over the text that was sent, however its JSON is spelled', async () => {
  const spellings = [
    '["salt", "name", "M\\u00f6bius"]',
    '["salt","name","Möbius"]',
    '["salt",\n"name" , "M\\u00F6bius" ]',
  ];
  for (const spelling of spellings) {
    const text = encode(spelling);
    expect((await verify(referring([text]))).claims['name']).toBe('Möbius');
  }
  const [one, other] = spellings.map(encode);
  const token = mint({ sd: {}, payload: { _sd: [digestOf(one ?? '')] }, more: [other ?? ''] });
  expect(await checkOf(token)).toBe('S17');
});

test('S23 the order of the Disclosures does not matter', async () => {
  const { claims } = await verify(mint({ send: (sent) => sent.toReversed() }));
  expect(claims).toMatchObject(erika);
});
