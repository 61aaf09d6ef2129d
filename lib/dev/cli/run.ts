import { readFileSync } from 'node:fs';
import { toOneLine } from '../inspect/text.js';
import { readArguments } from './arguments.js';
import { dev } from './dev.js';
import { doctor } from './doctor/doctor.js';
import { explain } from './explain.js';
import { inspect } from './inspect.js';
import { CliError } from './cli-error.js';
import { sandbox } from './sandbox.js';
import { runSimulate } from './simulate.js';
import { type Terminal, warn } from './terminal.js';
import { helpOf, hintOf } from './usage.js';

/** Runs a command to its end and answers the exit code. */
export async function run(argv: readonly string[], terminal: Terminal): Promise<number> {
  try {
    const command = readArguments(argv);
    switch (command.name) {
      case 'help':
        terminal.stdout.write(helpOf(command.of));
        return 0;
      case 'version':
        terminal.stdout.write(`${version()}\n`);
        return 0;
      case 'dev':
        return await dev(command, terminal);
      case 'sandbox':
        return await sandbox(command, terminal);
      case 'simulate':
        return await runSimulate(command, terminal);
      case 'inspect':
        return await inspect(command, terminal);
      case 'explain':
        return explain(command, terminal);
      case 'doctor':
        return await doctor(command, terminal);
    }
  } catch (error) {
    const code = error instanceof CliError ? error.exitCode : 1;
    const sentence = error instanceof Error ? error.message : String(error);
    if (code === 2) terminal.stderr.write(hintOf(argv[0]));
    const byFlag = sentence.replace(/^createSandbox: person\b/, '--person'); // as it was given here
    warn(terminal, toOneLine(byFlag));
    return code;
  }
}

function version(): string {
  const manifest = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
