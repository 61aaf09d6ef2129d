import type { Variant } from '../../types/attributes.js';
import { toOneLine } from '../inspect/text.js';
import { type PersonName, type SandboxIssuerId, createSandbox } from '../sandbox/index.js';
import { addressesOf } from './addresses.js';
import { environmentFor } from './environment.js';
import { type Terminal, hang, paint, widthOf } from './terminal.js';

interface SandboxCommand {
  readonly callback?: string;
  readonly variant?: Variant;
  readonly port: number;
  readonly issuer?: SandboxIssuerId;
  readonly person?: string;
}

// The same at every run, like the port.
const usualKey = 'sandbox-key';

/** The sandbox alone, until it is told to stop. The environment goes to stdout, so that it can go into a file. */
export async function sandbox(command: SandboxCommand, terminal: Terminal): Promise<number> {
  const { env, stdout, stderr } = terminal;
  const { callback, appUrl } = addressesOf(command.callback, env);
  const running = await createSandbox({
    redirectUrl: callback,
    port: command.port,
    apiKey: usualKey,
    variant: command.variant ?? 'derived',
    issuer: command.issuer ?? 'xx-sandbox',
    person: (command.person ?? 'erika') as PersonName, // checked there
    log: (line) => stderr.write(paint(terminal, 'dim', hang('  ', toOneLine(line), widthOf(stderr)))),
  });
  const stopped = toldToStop(terminal);
  const lines = Object.entries(environmentFor(running, appUrl, env['NODE_OPTIONS'])).map(
    ([name, value]) => `${name}=${value}\n`,
  );
  stderr.write(
    `\n  ${paint(terminal, 'bold', 'The identity service is running on this machine.')}\n\n` +
      `  Sandbox   ${paint(terminal, 'cyan', running.url)}\n` +
      `  Callback  ${paint(terminal, 'cyan', callback)}\n\n` +
      `  Start your app with this environment; Ctrl-C stops the sandbox.\n\n`,
  );
  stdout.write(lines.join(''));
  stderr.write('\n');
  await stopped;
  await running.close();
  return 0;
}

async function toldToStop({ signals }: Terminal): Promise<void> {
  const names = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  await new Promise<void>((resolve) => {
    const stop = (): void => {
      for (const name of names) signals.off(name, stop);
      resolve();
    };
    for (const name of names) signals.on(name, stop);
  });
}
