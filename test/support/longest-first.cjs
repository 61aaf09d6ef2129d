const { default: Sequencer } = require('@jest/test-sequencer');

/** Where no earlier run has told how long a file takes, jest begins with the largest, and these few lines take minutes. */
const longest = [
  'lab/histories/histories',
  'consumers/consumers',
  'lab/simulator/planted',
  'e2e/pictures/pictures',
  'dev/sandbox/simulator/simulate',
  'consumers/data-addresses',
  'lab/deployment/killed',
  'lab/deployment/server-faults',
  'lab/fuzz/fuzz',
].map((file) => `/test/${file}.test.ts`);

/** @param {{ path: string }} test */
const isLong = ({ path }) => longest.some((end) => path.replaceAll('\\', '/').endsWith(end));

module.exports = class LongestFirst extends Sequencer {
  /**
   * @override
   * @type {InstanceType<typeof Sequencer>['sort']}
   */
  async sort(tests) {
    const sorted = await super.sort(tests);
    return sorted.toSorted((one, other) => Number(isLong(other)) - Number(isLong(one)));
  }
};
