import { fileURLToPath } from 'node:url';
import { machine, table } from '../report.js';
import { ask } from '../said.js';
import { withContenders } from './contenders.js';
import { runFlows, steps } from './flows.js';

// Where the time of each step goes, in µs a request: `npm --prefix bench run profile`, or with a name the inside of one
// function, by what it calls: `npm --prefix bench run profile -- remember`.

const root = fileURLToPath(new URL('../..', import.meta.url));
const [inside] = process.argv.slice(2);
const [rounds, count, warmUp] = [6, 200, 1_000];
const contenders = ['pidgate', 'bare'];

/** Who a line of code belongs to; the first that fits. */
const owners = [
  ['garbage collection', /^\(garbage collector\)$/],
  ['pidgate: verify', /\/dist\/verify\//],
  ['pidgate: flow', /\/dist\/flow\//],
  ['pidgate: http', /\/dist\/http\//],
  ['pidgate: rest', /\/dist\//],
  ['the handler by hand', /\/app\.bare\.js/],
  ['zod', /\/zod\//],
  ['jose', /\/jose\//],
  ['express-session', /\/(express-session|uid-safe|on-headers|cookie-signature|random-bytes)\//],
  ['body-parser', /\/(body-parser|raw-body|qs|iconv-lite|type-is|content-type|bytes)\//],
  ['express', /\/node_modules\//],
  ['node: fetch', /node:internal\/deps\/undici/],
  ['node: crypto', /node:(internal\/)?(crypto|webcrypto)/],
  ['node: timers, abort', /node:(internal\/)?(timers|abort_controller|event_target)/],
  [
    'node: http, streams, net',
    /node:(internal\/)?(_?http|_?stream|net|events|stream_base_commons|url|querystring)/,
  ],
  ['node: rest', /node:/],
  ['native', /./],
];

const nameOf = ({ functionName, url }) => {
  const place = url.replace(`file://${root}`, '').replace(/^.*node_modules\//, '');
  return `${functionName || '(anonymous)'}${place === '' ? '' : `  ${place}`}`;
};
const ownerOf = ({ functionName, url }) => owners.find(([, pattern]) => pattern.test(url || functionName))[0];

/** Adds a profile up: self time by owner, by function the time with all that it calls, and the same inside one function. */
function addUp({ nodes, samples, timeDeltas }, requests, { self, whole, within }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  for (const node of nodes) for (const child of node.children ?? []) byId.get(child).parent = node;
  const add = (sums, name, micros) => sums.set(name, (sums.get(name) ?? 0) + micros);
  for (const [index, id] of samples.entries()) {
    const micros = timeDeltas[index] / requests / rounds;
    const stack = [];
    for (let node = byId.get(id); node !== undefined; node = node.parent) stack.push(node.callFrame);
    if (stack.some(({ url }) => url === 'node:inspector') || stack[0].functionName === '(idle)') continue;
    // What native code does belongs to the JavaScript that called it.
    const owner = stack.find(({ url }) => url !== '') ?? stack[0];
    add(self, ownerOf(stack[0].functionName.startsWith('(') ? stack[0] : owner), micros);
    for (const name of new Set(stack.map(nameOf))) add(whole, name, micros);
    const depth = stack.findLastIndex(({ functionName }) => functionName === inside);
    if (depth === -1) continue;
    const called = new Set(stack.slice(0, depth + 1).map(nameOf));
    for (const name of called) add(within, name, micros);
  }
}

const found = await withContenders(contenders, async (all) => {
  const sums = {};
  for (const contender of all) {
    const { name, child } = contender;
    await runFlows(contender, warmUp);
    sums[name] = Object.fromEntries(
      Object.keys(steps[name]).map((step) => [
        step,
        { self: new Map(), whole: new Map(), within: new Map() },
      ]),
    );
    for (let round = 0; round < rounds; round += 1) {
      await runFlows(contender, count, async (step, requests, work) => {
        await ask(child, 'profile');
        await work();
        addUp(await ask(child, 'profiled'), requests, sums[name][step]);
      });
    }
  }
  return sums;
});

const shown = (micros = 0) => micros.toFixed(0);
const ranked = (sums, most, keep = () => true) =>
  [...sums]
    .filter(([name]) => keep(name))
    .sort(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, micros]) => [name, shown(micros)]);

console.log(`${machine()}, wall-clock µs a request on the main thread, with the profiler on\n`);
for (const step of Object.keys(found.pidgate)) {
  const { self, whole, within } = found.pidgate[step];
  console.log(`## ${step}\n`);
  if (inside !== undefined) console.log(table([`in ${inside}`, 'µs'], ranked(within, 40)), '\n');
  else {
    const rows = owners.map(([name]) => [
      name,
      shown(self.get(name)),
      shown(found.bare[step].self.get(name)),
    ]);
    console.log(table(['self time', 'pidgate', 'by hand'], rows), '\n');
    const ours = (name) => name.includes('  dist/');
    console.log(table(['with all that it calls', 'µs'], ranked(whole, 30, ours)), '\n');
    const leaves = (name) => /node:(internal\/)?(crypto|timers|abort|webstreams|url|deps)|  zod\//.test(name);
    console.log(table(['of Node and zod', 'µs'], ranked(whole, 25, leaves)), '\n');
  }
}
