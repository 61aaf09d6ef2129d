import { readdirSync } from 'node:fs';
import { build } from 'esbuild';

/**
 * All tests in one file beside the rest of test/, with the instrumented sources of the folder that this runs in.
 * Properties are left out: they try the same mutant hundreds of times and tell little more.
 */
const files = readdirSync('test/presentation', { recursive: true }).filter(
  (file) => file.endsWith('.test.ts') && file !== 'properties.test.ts',
);
/** The first failure ends the run of a mutant, so those that take longest come last. */
const slow = [
  'token/header',
  'token/hostile',
  'keys/key-rotation',
  'token/signature',
  'status/status',
  'status/token',
  'x5c/x5c',
];
const place = (file) => slow.indexOf(file.replace('.test.ts', ''));
const suites = files
  .toSorted((one, other) => place(one) - place(other))
  .map((file) => `describe('${file}', () => void require('./presentation/${file}'));`);

await build({
  stdin: { contents: suites.join('\n'), resolveDir: 'test' },
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'es2023',
  packages: 'external',
  outfile: 'test/mutation/bundle.mjs',
  logLevel: 'warning',
  plugins: [
    {
      name: 'jest-globals',
      setup: ({ onResolve }) => {
        const path = new URL('jest-globals.mjs', import.meta.url).href;
        onResolve({ filter: /^@jest\/globals$/ }, () => ({ path, external: true }));
      },
    },
  ],
});
