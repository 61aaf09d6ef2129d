import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** `mutate -- flow --mutate lib/flow/lease.ts`: the layer, then what Stryker takes. */
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const [layer, ...more] = process.argv.slice(2);
const { status } = spawnSync(
  here('node_modules/.bin/stryker'),
  ['run', here('stryker.config.mjs'), ...more],
  {
    cwd: here('../..'),
    stdio: 'inherit',
    env: { ...process.env, LAYER: layer ?? 'verify', NODE_ENV: 'test' },
  },
);
process.exitCode = status ?? 1;
