import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { machine } from './report.js';

const folder = join(import.meta.dirname, 'results');

/** Keeps what was measured as bench/results/<name>.json, from which charts.mjs draws; RESULTS is another folder. */
export function writeResult(name, figures) {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
  const into = process.env.RESULTS ?? folder;
  mkdirSync(into, { recursive: true });
  const quick = process.argv.includes('--quick');
  const about = { machine: machine(), commit, at: new Date().toISOString(), quick };
  // A line each, so that a commit that measures anew can be read.
  const lines = Object.entries({ ...about, ...figures }).map(
    ([key, value]) => ` ${JSON.stringify(key)}: ${JSON.stringify(value)}`,
  );
  writeFileSync(join(into, `${name}.json`), `{\n${lines.join(',\n')}\n}\n`);
}
