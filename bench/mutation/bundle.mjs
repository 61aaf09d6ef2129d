import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { testFiles } from './layers.mjs';

/** All tests in one file beside the rest of test/, with the instrumented sources of the folder that this runs in. */
const suites = testFiles().map((file) => `describe('${file}', () => void require('./${file}'));`);
// Its hooks belong to the group that loads it first: here, to all of them.
const closing = `void require('./test/support/close-after.js');`;

await build({
  stdin: { contents: [closing, ...suites].join('\n'), resolveDir: '.' },
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
    {
      name: 'own-place', // a test finds its files from where it lies, not from the bundle
      setup: ({ onLoad }) => {
        onLoad({ filter: /\/test\/.*\.ts$/ }, ({ path }) => ({
          loader: 'ts',
          contents: readFileSync(path, 'utf8')
            .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
            .replaceAll('import.meta.dirname', JSON.stringify(dirname(path))),
        }));
      },
    },
  ],
});
