import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { type EngineName, engineNames, startServer } from '../../test/support/engines/engine.js';
import { duplicated } from './duplicated.js';
import { killed } from './killed.js';

/** What CI runs a few rounds of, in full: kill -9 at every point, and duplicates at two processes. */

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    flows: { type: 'string', default: '1000' },
    engine: { type: 'string', multiple: true, default: [...engineNames] },
  },
});

console.log(`${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}\n`);

const faults: string[] = [];
for (const name of values.engine as EngineName[]) {
  const service = await startServer(name);
  faults.push(...(await killed(name, service.path, Number(values.rounds))));
  faults.push(...(await duplicated(name, service.path, Number(values.flows))));
  await service.stop();
}

for (const fault of faults) console.error(`FAULT ${fault}`);
console.log(`${faults.length} faults`);
process.exitCode = faults.length === 0 ? 0 : 1;
