import type { Variant } from '../../types/attributes.js';
import { inOneLine } from '../inspect/text.js';
import { openSandbox } from '../sandbox/create-sandbox.js';
import type { PersonName, SandboxIssuerId } from '../sandbox/index.js';
import type { Service } from '../sandbox/service/service.js';
import { addressesOf } from './addresses.js';
import { environmentFor } from './environment.js';
import { type OutsideCommand, loadOutside } from './host-options.js';
import { type Terminal, paint } from './terminal.js';

interface SandboxCommand {
  readonly callback?: string;
  readonly variant?: Variant;
  readonly port: number;
  readonly issuer?: SandboxIssuerId;
  readonly person?: string;
  readonly requestUriMethod?: 'get' | 'post';
  readonly outside?: OutsideCommand;
}

// The same at every run, like the port.
const usualKey = 'sandbox-key';

/** The sandbox alone, until it is told to stop. The environment goes to stdout, so that it can go into a file. */
export async function sandbox(command: SandboxCommand, terminal: Terminal): Promise<number> {
  const { env, stdout, stderr } = terminal;
  const { callback, appUrl } = addressesOf(command.callback, env);
  const outside = command.outside && loadOutside(command.outside, terminal.cwd);
  const { sandbox: running, service } = await openSandbox(
    {
      redirectUrl: callback,
      port: command.port,
      apiKey: usualKey,
      variant: command.variant ?? 'derived',
      issuer: command.issuer ?? (outside === undefined ? 'xx-sandbox' : 'de-ausweis'),
      person: (command.person ?? 'erika') as PersonName, // checked there
      requestUriMethod: command.requestUriMethod ?? 'post',
      log: (line) => stderr.write(paint(terminal, 'dim', `  ${inOneLine(line)}\n`)),
    },
    outside,
  );
  const stopped = toldToStop(terminal);
  const lines = Object.entries(environmentFor(running, appUrl)).map(
    ([name, value]) => `${name}=${value.includes('\n') ? JSON.stringify(value) : value}\n`,
  );
  stderr.write(
    `\n  ${paint(terminal, 'bold', 'The identity service runs on this machine.')}\n\n` +
      `  Sandbox   ${paint(terminal, 'cyan', running.url)}\n` +
      `  Callback  ${paint(terminal, 'cyan', callback)}\n\n` +
      `  Start your app with this environment; Ctrl-C stops the sandbox.\n\n`,
  );
  if (service.isOutside) stderr.write(openToOthers(service));
  stdout.write(lines.join(''));
  stderr.write('\n');
  await stopped;
  await running.close();
  return 0;
}

function openToOthers({ walletUrl, access }: Service): string {
  return (
    `  Warning: whoever reaches ${walletUrl} can talk to the side of this sandbox that is for wallets.\n` +
    `  Its client id is ${access.clientId}: the audience in your app's own trust entry.\n\n`
  );
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
