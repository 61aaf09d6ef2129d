// npm start: what stands in the way is said first, then the kit is built, then `pidgate dev` runs with these arguments.
import { argv, env, exit, stderr, stdout } from 'node:process';
import 'tsx'; // the program's sources are TypeScript, and may not be built yet

const { addressesOf } = await import('./lib/dev/cli/addresses.js');
const { readArguments } = await import('./lib/dev/cli/arguments.js');
const { requireFree } = await import('./lib/dev/cli/wait-for-port.js');

try {
  const command = readArguments(argv.slice(2));
  await requireFree(addressesOf('callback' in command ? command.callback : undefined, env).port);
} catch (error) {
  stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  exit(1);
}
stdout.write('Building …\n');
await import('./build.mjs');
await import(new URL('./dist/dev/cli/main.mjs', import.meta.url).href);
