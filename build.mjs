import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { build } from 'esbuild';
import { bundled } from './tools/bundled.mjs';
import { entries } from './tools/entries.mjs';

const cli = 'dev/cli/main';

const root = import.meta.dirname;
/** Where this build writes until all is there. It is as deep as dist, because source maps say where sources are. */
const out = mkdtempSync(join(root, '.build-'));
const cleanUp = () => {
  rmSync(out, { recursive: true, force: true });
};
const stop = () => process.exit(1);
process.once('exit', cleanUp).once('SIGINT', stop).once('SIGTERM', stop);
const require = createRequire(import.meta.url);

/** @param {string} path @param {string} text */
const write = (path, text) => {
  writeFileSync(join(out, path), text);
};

// One implementation, in CommonJS, for both formats: an app that loads both has one IdentityError.
// TypeScript 7 compiles in a fifth of the time; tools that use the compiler from their own code still need 6.
const tsc = join(dirname(require.resolve('@typescript/native/package.json')), 'bin/tsc');
const { status } = spawnSync(
  process.execPath,
  [tsc, '-p', join(root, 'tsconfig.build.json'), '--outDir', out],
  { stdio: 'inherit' },
);
if (status !== 0) process.exit(1); // it has said why
write('package.json', '{ "type": "commonjs" }\n');

/**
 * The files below a folder, by their paths in it.
 * @param {string} folder
 */
function filesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** @type {import('esbuild').BuildOptions} */
const bundle = { absWorkingDir: root, bundle: true, platform: 'node', target: 'node20', logLevel: 'warning' };

/**
 * What a bundle says of a package that it carries a part of: its name, version and licence. tools/release/sbom.ts
 * reads the first line.
 * @param {string} name
 */
function notice(name) {
  const folder = join(root, 'node_modules', name);
  const file = (/** @type {string} */ path) => readFileSync(join(folder, path), 'utf8');
  const { version, license } = /** @type {{ version: string, license: string }} */ (
    JSON.parse(file('package.json'))
  );
  const text = readdirSync(folder).find((path) => path.startsWith('LICENSE')) ?? '';
  return `/* Contains a part of ${name}@${version} (${license})\n\n${file(text)}*/\n`;
}

const bundlePackagesOnly = (/** @type {import('esbuild').PluginBuild} */ plugin) => {
  plugin.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) =>
    resolveDir.startsWith(join(root, 'lib')) ? { path, external: true } : undefined,
  );
};
for (const path of Object.values(bundled)) {
  const outfile = join(out, relative('lib', path).replace(/ts$/, 'js'));
  const { outputFiles, metafile } = await build({
    ...bundle,
    entryPoints: [path],
    outfile,
    format: 'cjs',
    plugins: [{ name: 'packages-only', setup: bundlePackagesOnly }],
    metafile: true,
    write: false,
  });
  const inputs = Object.keys(Object.values(metafile.outputs)[0]?.inputs ?? {});
  const packages = inputs.flatMap((input) => /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? []);
  const notices = [...new Set(packages)].map(notice).join('');
  writeFileSync(outfile, `${notices}${outputFiles[0]?.text}`);
}

// Maps are for stack traces of production: what only development loads is shipped without, a ninth of the package.
for (const name of readdirSync(join(out, 'dev'), { recursive: true, encoding: 'utf8' })) {
  const file = join(out, 'dev', name);
  if (name.endsWith('.map')) rmSync(file);
  else if (name.endsWith('.js')) {
    writeFileSync(file, readFileSync(file, 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'));
  }
}

// The program's own files are one ES module; what they import from the rest of lib is the implementation above.
const program = join(root, 'lib', dirname(cli));
const keepImports = (/** @type {import('esbuild').PluginBuild} */ plugin) => {
  plugin.onResolve({ filter: /^\.\.?\// }, ({ path, resolveDir }) => {
    const from = relative(program, resolve(resolveDir, path)).split(sep).join('/');
    return from.startsWith('../') ? { path: from, external: true } : undefined;
  });
};
await build({
  ...bundle,
  entryPoints: [`lib/${cli}.ts`],
  outfile: join(out, `${cli}.mjs`),
  format: 'esm',
  packages: 'external',
  plugins: [{ name: 'keep-imports', setup: keepImports }],
});
copyFileSync(join(program, 'preload.mjs'), join(out, dirname(cli), 'preload.mjs'));

for (const { name, file: path } of entries) {
  const file = `./${path}.js`;
  const names = Object.keys(/** @type {object} */ (require(join(out, file)))).toSorted();
  write(`${name}.cjs`, `module.exports = require('${file}');\n`);
  write(`${name}.mjs`, `export { ${names.join(', ')} } from '${file}';\n`);
  write(`${name}.d.cts`, `export * from '${file}';\n`);
  write(`${name}.d.mts`, `export * from '${file}';\n`);
}

// Only the types that an app can reach are kept.
const reached = new Set();
const imported = /(?:from |import\()['"](\.[^'"]+)\.js['"]/g;
const reach = (/** @type {string} */ file) => {
  if (reached.has(file)) return;
  reached.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(imported)) {
    reach(resolve(dirname(file), `${path}.d.ts`));
  }
};
for (const { file } of entries) reach(join(out, `${file}.d.ts`));
for (const name of filesIn(out)) {
  const file = join(out, name);
  if (name.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}

// File by file, so that each is there at every moment: what runs from dist finds a file that it loads late, and of two
// builds at once neither breaks the other.
const dist = join(root, 'dist');
const made = filesIn(out);
for (const name of made) {
  mkdirSync(dirname(join(dist, name)), { recursive: true });
  renameSync(join(out, name), join(dist, name));
}
for (const name of filesIn(dist)) {
  if (!made.includes(name)) rmSync(join(dist, name), { force: true });
}
cleanUp();
process.off('exit', cleanUp).off('SIGINT', stop).off('SIGTERM', stop);
