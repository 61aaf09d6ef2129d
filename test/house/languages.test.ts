import { describe, expect, it, test } from '@jest/globals';
import { builtIn } from '../../lib/options/pages/languages.js';

type Texts = ReadonlyMap<string, string>;

/** Every text by its place; what is made from a value, with one and with a name. */
function textsIn(texts: unknown, place = ''): [string, string][] {
  if (typeof texts === 'string') return [[place, texts]];
  if (typeof texts === 'function') {
    const make = texts as (...values: unknown[]) => string;
    return [1, 'Nordlicht'].map((value) => [`${place} (${value})`, make(value, value, value)]);
  }
  return Object.entries(texts as object).flatMap(([name, text]) =>
    textsIn(text, place === '' ? name : `${place} ${name}`),
  );
}

const ofKit = await Promise.all(
  Object.entries(builtIn).map(async ([lang, load]) => [lang, await load()] as const),
);
/** Whoever has texts that people read in several languages; the sandbox and the example app are for developers. */
const sets: readonly (readonly [string, ReadonlyMap<string, Texts>])[] = [
  ['the kit', new Map(ofKit.map(([lang, texts]) => [lang, new Map(textsIn(texts))]))],
];

/** Words that are English and another language's own. */
const alsoOwn: Readonly<Record<string, readonly string[]>> = { de: ['wallet'], nl: ['is', 'wallet'] };
const englishWords = /\b(the|you|your|wallet|is|are|not|please|with|this|again|identity|card|proof)\b/gi;

const translated = sets.flatMap(([whose, texts]) => {
  const english: Texts = texts.get('en') ?? new Map();
  return [...texts].filter(([lang]) => lang !== 'en').map(([lang, own]) => ({ whose, lang, own, english }));
});

describe.each(translated)('the texts of $whose in $lang', ({ lang, own, english }) => {
  it('are those that there are in English', () => {
    const [places, originals] = [[...own.keys()], [...english.keys()]];
    const missing = originals.filter((place) => !own.has(place));
    const unknown = places.filter((place) => !english.has(place));
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it('are not English', () => {
    const isEnglish = (text: string): boolean =>
      (text.match(englishWords) ?? []).some((word) => !alsoOwn[lang]?.includes(word.toLowerCase()));
    const left = [...own].filter(([place, text]) => text === english.get(place) || isEnglish(text));
    expect(left).toEqual([]);
  });
});

const all = sets.flatMap(([whose, texts]) => [...texts].map(([lang, own]) => ({ whose, lang, own })));

test.each(all)('no text of $whose in $lang is empty', ({ own }) => {
  expect(own.size).toBeGreaterThan(0);
  expect([...own].filter(([, text]) => text.trim() === '')).toEqual([]);
});

const spaces = { unbreakable: '\u00A0', narrow: '\u202F' };
/** A space before a mark that may break the line, no space at all, or the straight apostrophe. */
const badFrench = new RegExp(
  [
    ` [:;!?»…%€]`,
    `« `,
    `[^\\s${spaces.narrow}][;!?](?=\\s|$)`,
    `[^\\s${spaces.unbreakable}]:(?=\\s|$)`,
    `«(?!${spaces.unbreakable})`,
    `(?<!${spaces.unbreakable})»`,
    `'`,
    `"`,
    `\\.\\.\\.`,
  ].join('|'),
);

describe.each(sets)('the French of %s', (_whose, texts) => {
  it('breaks no line before : ; ! ? and », nor between a number and its unit', () => {
    const bad = [...(texts.get('fr') ?? [])].filter(
      ([place, text]) => badFrench.test(text) || (!place.endsWith(')') && /\d [a-zà-ÿ]/.test(text)),
    );
    expect(bad).toEqual([]);
  });

  it('says vous', () => {
    const bad = [...(texts.get('fr') ?? [])].filter(([, text]) =>
      /(^|[\s«’])(tu|te|toi|ton|tes|t’)(?=[\s.,’]|$)/i.test(text),
    );
    expect(bad).toEqual([]);
  });
});
