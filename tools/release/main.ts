import process, { argv, stderr, stdout } from 'node:process';
import { root } from '../contents.js';
import { release } from './release.js';

const [wanted = ''] = argv.slice(2);
try {
  const { version, tarball } = release(root, wanted, new Date().toISOString().slice(0, 10));
  stdout.write(`${tarball} is made, committed and tagged. To publish: git push origin HEAD v${version}\n`);
} catch (error) {
  stderr.write(`No version was made: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
