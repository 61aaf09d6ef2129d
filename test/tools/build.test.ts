import { execFile } from 'node:child_process';
import { cp, mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

const run = promisify(execFile);

/** What the build reads, in a folder of its own: the tests beside this one need theirs. */
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pidgate-build-'));
  const sources = ['lib', 'tools', 'build.mjs', 'package.json', 'tsconfig.json', 'tsconfig.build.json'];
  for (const name of sources) await cp(join(root, name), join(folder, name), { recursive: true });
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

const build = async () => await run(process.execPath, ['build.mjs'], { cwd: folder });

async function contents(): Promise<Map<string, string>> {
  const names = await readdir(join(folder, 'dist'), { recursive: true, withFileTypes: true });
  const files = names.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(await Promise.all(files.map(async (file) => [file, await readFile(file, 'utf8')] as const)));
}

describe('the build', () => {
  it('is not broken by another one beside it, and never takes away a file that an app may load', async () => {
    await build();
    const before = await contents();
    expect([...before.keys()]).toContain(join(folder, 'dist/index.js'));
    await writeFile(join(folder, 'dist/former.js'), '');

    let isBuilding = true;
    const missing: unknown[] = [];
    const app = (async () => {
      while (isBuilding) {
        const files = [...before.keys()];
        await Promise.all(files.map((file) => readFile(file))).catch((error: unknown) => missing.push(error));
        await nextTurn();
      }
    })();
    const both = await Promise.allSettled([build(), build()]);
    isBuilding = false;
    await app;

    expect(both).toEqual(Array(2).fill({ status: 'fulfilled', value: { stdout: '', stderr: '' } }));
    expect(missing).toEqual([]);
    expect(await contents()).toEqual(before);
    expect((await readdir(folder)).filter((name) => name.startsWith('.build'))).toEqual([]);
  });

  it('that fails says why, leaves what was there, and nothing of its own', async () => {
    const before = await contents();
    await writeFile(join(folder, 'lib/wrong.ts'), 'export const one: number = "one";');
    await expect(build()).rejects.toMatchObject({ stdout: expect.stringContaining('wrong.ts'), stderr: '' });
    await rm(join(folder, 'lib/wrong.ts'));
    expect(await contents()).toEqual(before);
    expect((await readdir(folder)).filter((name) => name.startsWith('.build'))).toEqual([]);
  });
});
