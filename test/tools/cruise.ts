import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { ICruiseResult } from 'dependency-cruiser';
import { root } from '../support/root.js';

const run = promisify(execFile);

/** What `depcruise` finds in a folder, here or elsewhere, under the one set of rules. */
export async function cruise(cwd: string = root, folder = 'lib'): Promise<ICruiseResult> {
  const bin = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');
  const args = [bin, folder, '--config', join(root, '.dependency-cruiser.mjs'), '--output-type', 'json'];
  const { stdout } = await run(process.execPath, args, { cwd, maxBuffer: 2 ** 26 }).catch(
    (failed: { stdout: string }) => failed, // it exits with the number of violations
  );
  return JSON.parse(stdout) as ICruiseResult;
}
