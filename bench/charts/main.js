import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { View, parse } from 'vega';
import { compile } from 'vega-lite';
import { withDarkColours } from '../../tools/dark.mjs';
import { charts } from './charts.js';

// Draws docs/charts/<name>.svg from bench/results/<name>.json: `npm --prefix bench run charts`. RESULTS and CHARTS are
// other folders. A short run gives a shape and no figures: what it measured is drawn only into a folder that is named.

const results = process.env.RESULTS ?? join(import.meta.dirname, '../results');
const into = process.env.CHARTS ?? join(import.meta.dirname, '../../docs/charts');
mkdirSync(into, { recursive: true });

const ink = '#1f2a3a';
const config = {
  background: '#ffffff',
  padding: 14,
  font: 'Helvetica, Arial, sans-serif',
  title: { color: ink, subtitleColor: ink, fontSize: 14, subtitleFontSize: 11, anchor: 'start', offset: 12 },
  axis: {
    labelColor: ink,
    titleColor: ink,
    gridColor: '#e3e8ef',
    domainColor: '#9aa5b5',
    tickColor: '#9aa5b5',
  },
  legend: { labelColor: ink, titleColor: ink, orient: 'bottom', title: null, labelLimit: 300 },
  view: { stroke: null },
  // Told apart by lightness too, for eyes that see few colours.
  range: { category: ['#2f4f7f', '#d98a29', '#8fb3d9', '#6b7280'] },
};

for (const [name, chart] of Object.entries(charts)) {
  const file = join(results, `${name}.json`);
  if (!existsSync(file)) {
    console.log(`${name}: no ${file}`);
    continue;
  }
  const measured = JSON.parse(readFileSync(file, 'utf8'));
  if (measured.quick && process.env.CHARTS === undefined) {
    console.log(`${name}: only a short run`);
    continue;
  }
  const { title, ...drawing } = chart(measured);
  const subtitle = measured.quick ? 'A short run: the shape, not the figures' : measured.machine;
  const { spec } = compile({ ...drawing, title: { text: title, subtitle }, config });
  const svg = await new View(parse(spec), { renderer: 'none' }).toSVG();
  const drawn = join(into, `${name}.svg`);
  writeFileSync(drawn, `${withDarkColours(svg)}\n`);
  console.log(drawn);
}
