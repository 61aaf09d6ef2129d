import { stdin, stdout } from 'node:process';
import { text } from 'node:stream/consumers';

// `node tools/dark.mjs < drawn.svg > picture.svg`: a drawing that is for a bright page gets colours for a dark one too,
// and the size of the text around it: dot's points are taken as pixels.

/** Each colour that the drawings have, and what it is on a dark page; a colour of a ground and one of a line differ. */
const fills = {
  white: '#2b2e33',
  '#eef3fb': '#2f405c',
  '#f4f0e6': '#4a422f',
  '#1f2a3a': '#e6ebf2',
  '#2f4f7f': '#9cc0f5',
  '#7a8699': '#a5b0c0',
};
const strokes = {
  '#2f4f7f': '#9cc0f5',
  '#9aa5b5': '#78849a',
  '#7a8699': '#a5b0c0',
  '#5b7db1': '#86a9de',
  '#a48f5b': '#cdb780',
};

/** @param {string} svg */
function withDarkColours(svg) {
  const rules = [...rulesFor('fill', fills, svg), ...rulesFor('stroke', strokes, svg)];
  // A text without a colour of its own is black.
  if (/<text(?![^>]* fill=)/.test(svg)) rules.push('text:not([fill]){fill:#e6ebf2}');
  return svg.replace(
    /<svg\b[^>]*>/,
    (opening) =>
      `${opening.replaceAll(/"(\d+)pt"/g, '"$1"')}<style>@media (prefers-color-scheme:dark){${rules.join('')}}</style>`,
  );
}

/**
 * @param {'fill' | 'stroke'} attribute
 * @param {Readonly<Record<string, string>>} colours
 * @param {string} svg
 */
function rulesFor(attribute, colours, svg) {
  return Object.entries(colours)
    .filter(([bright]) => svg.includes(`${attribute}="${bright}"`))
    .map(([bright, dark]) => `[${attribute}="${bright}"]{${attribute}:${dark}}`);
}

stdout.write(withDarkColours(await text(stdin)));
