import { statSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../package.json', import.meta.url));
const { default: Sequencer } = require(
  require.resolve('@jest/test-sequencer', { paths: [require.resolve('jest')] }),
);

const order = ['mutants', 'jwt', 'status-token', 'x5c', 'trust', 'sd-jwt'];
const last = ['hostile', 'key-rotation', 'vectors', 'signature'];

/** Those that kill the most for the least come first: the first failure ends the run of a mutant. */
export default class KillersFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => {
      const at = order.findIndex((name) => path.includes(`/${name}`));
      if (at !== -1) return at;
      return last.some((name) => path.includes(`/${name}`)) ? 100 : 50;
    };
    return [...tests].toSorted(
      (one, other) => rank(one) - rank(other) || statSync(one.path).size - statSync(other.path).size,
    );
  }
}
