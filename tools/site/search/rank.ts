import { wordsOf } from './words.js';

/** A part of a page, from one heading to the next. */
export interface Section {
  /** From the root of the site, with the heading's anchor. */
  readonly url: string;
  readonly page: string;
  /** The page's own title, if this is the beginning of the page. */
  readonly heading: string;
  readonly text: string;
  /** What people look for in other words than the text has. */
  readonly keywords?: string;
  /** How much a hit here counts, next to one elsewhere; 1 if it is not told. */
  readonly weight?: number;
}

/** A piece of text, and whether it is one of the words that were looked for. */
export interface Piece {
  readonly text: string;
  readonly found: boolean;
}

export interface Hit {
  readonly section: Section;
  readonly heading: readonly Piece[];
  readonly excerpt: readonly Piece[];
}

/** What a word counts for in each part of a section. */
const counts = { heading: 6, keywords: 7, page: 1.5, text: 2 };
const mostHits = 12;
const mostOfOnePage = 3;
/** A section that lacks more than this part of what was asked is no answer. */
const leastCoverage = 0.45;
const excerptLength = 170;

/** Words that say nothing about what is looked for: unless all are such. */
const fillers = new Set(
  wordsOf(
    'a an the i my we our you your it its is are be do does did can could should will would how what when where which ' +
      'why who of for to in on at by with from and or if not no there this that have has get use work',
  ).map(({ stem }) => stem),
);

/** Makes the search over sections: the best come first. */
export function searchOver(sections: readonly Section[]): (question: string) => Hit[] {
  /** How much each word counts in the sections that have it. */
  const index = new Map<string, Map<number, number>>();
  const add = (stem: string, at: number, count: number): void => {
    const places = index.get(stem) ?? new Map<number, number>();
    index.set(stem, places.set(at, (places.get(at) ?? 0) + count));
  };
  for (const [at, { page, heading, text, keywords = '' }] of sections.entries()) {
    for (const [field, value] of Object.entries({ heading, keywords, page: page === heading ? '' : page })) {
      const stems = new Set(wordsOf(value).map(({ stem }) => stem));
      for (const stem of stems) add(stem, at, counts[field as keyof typeof counts]);
    }
    const times = new Map<string, number>();
    for (const { stem } of wordsOf(text)) times.set(stem, (times.get(stem) ?? 0) + 1);
    for (const [stem, count] of times) add(stem, at, (counts.text * count) / (count + 2));
  }
  const rarity = (places: number): number => Math.log(1 + sections.length / (1 + places));

  /** What one word of the question counts in each section. A word that only begins like it counts less. */
  const scoresOf = (asked: string): Map<number, number> => {
    const scores = new Map<number, number>();
    for (const [stem, places] of index) {
      if (!stem.startsWith(asked) || (asked.length < 3 && stem !== asked)) continue;
      const factor = stem === asked ? 1 : (0.5 * asked.length) / stem.length;
      for (const [at, count] of places) scores.set(at, Math.max(scores.get(at) ?? 0, count * factor));
    }
    return scores;
  };

  return (question) => {
    const asked = askedIn(question);
    if (asked.length === 0) return [];
    const terms = asked.map((stem) => {
      const scores = scoresOf(stem);
      return { scores, rare: rarity(index.get(stem)?.size ?? scores.size) };
    });
    const all = terms.reduce((sum, { rare }) => sum + rare, 0);
    const ranked = sections.flatMap((section, at) => {
      const has = terms.filter(({ scores }) => scores.has(at));
      const coverage = has.reduce((sum, { rare }) => sum + rare, 0) / all;
      if (has.length === 0 || coverage < leastCoverage) return [];
      const words = has.reduce((sum, { scores, rare }) => sum + rare * (scores.get(at) ?? 0), 0);
      return [
        { section, score: words * coverage ** 2 * closeness(section, question) * (section.weight ?? 1) },
      ];
    });
    const pages = new Map<string, number>();
    const hits = ranked
      .toSorted((a, b) => b.score - a.score)
      .filter(({ section: { url } }) => {
        const page = url.replace(/#.*/, '');
        pages.set(page, (pages.get(page) ?? 0) + 1);
        return (pages.get(page) ?? 0) <= mostOfOnePage;
      });
    return hits.slice(0, mostHits).map(({ section }) => ({
      section,
      heading: pieces(section.heading, asked),
      excerpt: excerptOf(section.text, asked),
    }));
  };
}

function askedIn(question: string): string[] {
  const stems = [...new Set(wordsOf(question).map(({ stem }) => stem))];
  const telling = stems.filter((stem) => !fillers.has(stem));
  return telling.length > 0 ? telling : stems;
}

const phraseOf = (text: string): string =>
  wordsOf(text)
    .map(({ stem }) => stem)
    .join(' ');

/** Whole names and phrases count more than their words apart. */
function closeness({ heading, keywords = '', text }: Section, question: string): number {
  const phrase = phraseOf(question);
  if (heading === question) return 5;
  if (phraseOf(heading) === phrase) return 4;
  const within = (field: string): boolean => ` ${phraseOf(field)} `.includes(` ${phrase} `);
  if (within(keywords)) return 3;
  if (within(heading)) return 2;
  return phrase.includes(' ') && within(text) ? 1.5 : 1;
}

/** The part of a text that has most of what was asked; its beginning if it has nothing. */
function excerptOf(text: string, asked: readonly string[]): Piece[] {
  const found = wordsOf(text).filter(({ stem }) => isAsked(stem, asked));
  const within = (start: number): number =>
    new Set(
      found
        .filter((word) => word.start >= start && word.end <= start + excerptLength - 40)
        .map(({ stem }) => stem),
    ).size;
  let best = 0;
  for (const { start } of found) if (within(start) > within(best)) best = start;
  const begin = best < 40 ? 0 : text.indexOf(' ', best - 40) + 1;
  const end =
    begin + excerptLength >= text.length ? text.length : text.lastIndexOf(' ', begin + excerptLength);
  const cut = `${begin > 0 ? '… ' : ''}${text.slice(begin, end)}${end < text.length ? ' …' : ''}`;
  return pieces(cut, asked);
}

const isAsked = (stem: string, asked: readonly string[]): boolean =>
  asked.some((word) => stem === word || (word.length > 2 && stem.startsWith(word)));

function pieces(text: string, asked: readonly string[]): Piece[] {
  const cut: Piece[] = [];
  let done = 0;
  for (const { stem, start, end } of wordsOf(text)) {
    if (!isAsked(stem, asked)) continue;
    cut.push({ text: text.slice(done, start), found: false }, { text: text.slice(start, end), found: true });
    done = end;
  }
  cut.push({ text: text.slice(done), found: false });
  return cut.filter((piece) => piece.text !== '');
}
