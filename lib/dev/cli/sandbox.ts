import type { Variant } from '../../types/attributes.js';
import { toOneLine } from '../inspect/text.js';
import { type OpenSandbox, openSandbox } from '../sandbox/create-sandbox.js';
import type { PersonName, SandboxIssuerId } from '../sandbox/index.js';
import { addressesOf } from './addresses.js';
import { environmentFor } from './environment.js';
import { type OutsideCommand, loadOutside } from './host-options.js';
import { type Terminal, hang, paint, widthOf } from './terminal.js';

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
      log: (line) => stderr.write(paint(terminal, 'dim', hang('  ', toOneLine(line), widthOf(stderr)))),
    },
    outside,
  );
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
  if (service.isOutside) stderr.write(openToOthers(service, widthOf(stderr)));
  stdout.write(lines.join(''));
  stderr.write('\n');
  await stopped;
  await running.close();
  return 0;
}

function openToOthers({ walletUrl, access }: OpenSandbox['service'], width: number): string {
  const sentences = [
    `Warning: anyone who can reach ${walletUrl} can use this sandbox's wallet endpoints.`,
    `Its client id is ${access.clientId}: set it as the audience in your app's trust entry.`,
  ];
  return `${sentences.map((sentence) => hang('  ', sentence, width)).join('')}\n`;
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
