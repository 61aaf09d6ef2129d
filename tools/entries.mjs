import { readFileSync } from 'node:fs';

const { exports } = /** @type {{ exports: Readonly<Record<string, unknown>> }} */ (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
);

/** The file of lib behind an entry. Every other one is an engine. */
const files = new Map([
  ['index', 'index'],
  ['sd-jwt', 'verify/sd-jwt/verify'],
  ['sandbox', 'dev/sandbox/index'],
  ['testing', 'dev/testing/index'],
]);

/** The entries of the package that are code, as `exports` of package.json names them. */
export const entries = Object.keys(exports)
  .filter((path) => !path.endsWith('.json'))
  .map((path) => {
    const name = path === '.' ? 'index' : path.slice('./'.length);
    return {
      /** Of the files in dist. */
      name,
      /** As an app imports it. */
      specifier: path.replace('.', 'pidgate'),
      /** In lib, without its ending. */
      file: files.get(name) ?? `stores/${name}`,
      isEngine: !files.has(name),
    };
  });
