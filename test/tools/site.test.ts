import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

const run = promisify(execFile);

describe('npm run site', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pidgate-site-'));
    writeFileSync(join(folder, 'tsconfig.json'), '{ "files": ["seeded.ts"] }');
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  /** With another file in place of the package's entries, and another document. */
  async function build(code: string, document: string): Promise<unknown> {
    writeFileSync(join(folder, 'seeded.ts'), code);
    writeFileSync(join(folder, 'seeded.md'), document);
    const others = {
      entryPoints: ['seeded.ts'],
      projectDocuments: ['seeded.md'],
      tsconfig: 'tsconfig.json',
      readme: 'none',
      out: 'site',
    };
    const config = pathToFileURL(join(root, 'typedoc.config.mjs')).href;
    writeFileSync(
      join(folder, 'typedoc.config.mjs'),
      `import config from '${config}';\nexport default { ...config, ...${JSON.stringify(others)} };`,
    );
    return await run(process.execPath, [join(root, 'node_modules/typedoc/bin/typedoc')], { cwd: folder });
  }

  const commented = '/** It is not told. */\nexport const secret = 1;\n';

  it('fails on an export without a comment', async () => {
    await expect(build('export const secret = 1;\n', '# A')).rejects.toMatchObject({
      stderr: expect.stringContaining('secret (Variable), defined in'),
    });
  });

  it('fails on a link to a name or a file that is not there', async () => {
    await expect(
      build('/** See {@link nobody}. */\nexport const secret = 1;\n', '# A'),
    ).rejects.toMatchObject({
      stderr: expect.stringContaining('nobody'),
    });
    await expect(build(commented, '[b](b.md)')).rejects.toMatchObject({
      stderr: expect.stringContaining('b.md is not a file'),
    });
    await expect(build(commented, '[a](seeded.md)')).resolves.toBeDefined();
  });
});
