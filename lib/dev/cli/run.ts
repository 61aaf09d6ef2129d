import { readFileSync } from 'node:fs';
import { inOneLine } from '../inspect/text.js';
import { readArguments } from './arguments.js';
import { dev } from './dev.js';
import { doctor } from './doctor/doctor.js';
import { inspect } from './inspect.js';
import { CliError } from './cli-error.js';
import { sandbox } from './sandbox.js';
import { simulate } from './simulate.js';
import type { Terminal } from './terminal.js';
import { usage } from './usage.js';

/** Runs a command to its end and answers the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const [first, ...rest] = argv;
    if (first === 'inspect') return await inspect(rest, terminal);
    const command = readArguments(argv);
    switch (command.name) {
      case 'help':
        terminal.stdout.write(usage);
        return 0;
      case 'version':
        terminal.stdout.write(`${version()}\n`);
        return 0;
      case 'dev':
        return await dev(command, terminal);
      case 'sandbox':
        return await sandbox(command, terminal);
      case 'simulate':
        return await simulate(command, terminal);
      case 'doctor':
        return await doctor(command, terminal);
    }
  } catch (error) {
    const code = error instanceof CliError ? error.exitCode : 1;
    const sentence = error instanceof Error ? error.message : String(error);
    terminal.stderr.write(`pidgate: ${inOneLine(sentence)}\n`);
    if (code === 2) terminal.stderr.write(`\n${usage}`);
    return code;
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
