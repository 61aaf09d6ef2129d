import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build, type Plugin } from 'esbuild';
import { root } from '../../support/root.js';

/** A change of the kit's own source that puts a fault into it. */
export interface Planted {
  readonly file: string;
  readonly was: string;
  readonly is: string;
}

/** Makes one program of the simulator and the kit, with faults or without. */
export async function bundle(outfile: string, planted: readonly Planted[] = []): Promise<void> {
  const plugin: Plugin = {
    name: 'planted',
    setup(program) {
      for (const file of new Set(planted.map((change) => change.file))) {
        const changes = planted.filter((change) => change.file === file);
        program.onLoad({ filter: new RegExp(`/${file.replaceAll('.', '\\.')}$`) }, async ({ path }) => {
          let contents = await readFile(path, 'utf8');
          for (const { was, is } of changes) {
            if (contents.split(was).length !== 2)
              throw new Error(`${file} does not have this text once:\n${was}`);
            contents = contents.replace(was, () => is);
          }
          return { contents, loader: 'ts' };
        });
      }
    },
  };
  await build({
    absWorkingDir: root,
    entryPoints: [join(import.meta.dirname, 'main.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    packages: 'external',
    ignoreAnnotations: true, // or the package's sideEffects: false drops the replaced clock
    logLevel: 'warning',
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: "const importMetaUrl = require('node:url').pathToFileURL(__filename).href;" },
    plugins: [plugin],
  });
}
