import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from '@jest/globals';
import { root } from '../../../support/root.js';

/** Makes and exports keys in a process with so small a heap that a collection falls into many an export. */
const program = `
  import { newKeys } from ${JSON.stringify(join(root, 'dist/dev/sandbox/issuers/certificates.js'))};
  for (let made = 0; made < 2_000; made += 1)
    for (const key of Object.values(newKeys())) key.export({ format: 'jwk' });
  console.log('made');
`;

test('keys are made and exported, whenever Node collects those of before', async () => {
  const args = ['--max-semi-space-size=1', '--input-type=module', '--eval', program];
  // Where an export waits for itself, it waits for ever.
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 50_000 });
  expect(stdout).toBe('made\n');
});
