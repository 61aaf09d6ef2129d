import type { Variant } from '../../types/attributes.js';
import { isLoopback } from '../../internal/urls.js';
import { toOneLine } from '../inspect/text.js';
import { type PersonName, type Sandbox, type SandboxIssuerId, createSandbox } from '../sandbox/index.js';
import { type Addresses, addressesOf } from './addresses.js';
import { isListening, waitForPort } from './wait-for-port.js';
import { sendRequest } from './doctor/http.js';
import { findEntry, nodeArguments } from './entry.js';
import { environmentFor } from './environment.js';
import { CliError } from './cli-error.js';
import { runApp } from './run-app.js';
import { type Terminal, paint } from './terminal.js';

interface DevOptions {
  readonly entry?: string;
  readonly callback?: string;
  readonly variant?: Variant;
  readonly issuer?: SandboxIssuerId;
  readonly person?: string;
  readonly requestUriMethod?: 'get' | 'post';
  readonly watch?: boolean;
}

/** Runs the app against a sandbox of its own until it ends; its exit code is ours. */
export async function dev(options: DevOptions, terminal: Terminal): Promise<number> {
  const { env, cwd, stdout, stderr } = terminal;
  const entry = nodeArguments(findEntry(cwd, options.entry), cwd);
  const args = options.watch === true ? ['--watch', ...entry] : entry;
  const addresses = addressesOf(options.callback, env);
  const { port, callback, appUrl } = addresses;
  if (await isListening(port)) {
    throw new CliError(
      `Port ${port} is in use: stop what runs there, or choose a different one with PORT=3001.`,
    );
  }
  const sandbox = await createSandbox({
    redirectUrl: callback,
    variant: options.variant ?? 'derived',
    issuer: options.issuer ?? 'xx-sandbox',
    person: (options.person ?? 'erika') as PersonName, // checked there
    requestUriMethod: options.requestUriMethod ?? 'post',
    log: (line) => stdout.write(`${paint(terminal, 'dim', `  sandbox  ${toOneLine(line)}`)}\n`),
  });
  const ending = new AbortController();
  let answered = false;
  const greeting = waitForPort(port, terminal, ending.signal, () => {
    stderr.write(
      `pidgate: nothing responds on port ${port} yet. If your app listens elsewhere, pass its callback route: ` +
        `--callback http://localhost:<port>/identity/callback\n`,
    );
  }).then(
    async () => {
      answered = true;
      stdout.write(banner(addresses, sandbox, terminal));
      if (await isUnmounted(addresses)) stderr.write(unmounted(callback));
    },
    () => {}, // the app ended first
  );
  try {
    const identity = environmentFor(sandbox, appUrl, env['NODE_OPTIONS']);
    const { code, asked } = await runApp(args, { ...env, ...identity, PORT: String(port) }, terminal);
    if (!asked) stderr.write(ended(code, answered, addresses, entry.at(-1)));
    return code;
  } finally {
    ending.abort();
    await greeting;
    await sandbox.close();
  }
}

/**
 * Whether the kit is not where the service will call. It answers HEAD at its own addresses only, and does nothing then. The
 * callback is asked last: a rate limiter there would count. What stands behind a tunnel or another proxy is not asked.
 */
async function isUnmounted({ callback, port }: Addresses): Promise<boolean> {
  const url = new URL(callback);
  if (!isLoopback(url) || url.port !== String(port)) return false;
  for (const address of [new URL('status', url), url]) {
    const reply = await sendRequest(address, { method: 'HEAD' });
    if (reply.kind !== 'reply' || reply.status !== 404) return false;
  }
  return true;
}

function unmounted(callback: string): string {
  return (
    `pidgate: there is nothing at ${callback}. Mount the router: app.use('/identity', identity). ` +
    'If it is at a different path, set the option path to it, and its callback route with --callback.\n'
  );
}

const standIn =
  '\n  The sandbox stands in for de-ausweis: its trust entry replaces the one in your app for this run.\n';

function banner({ appUrl, callback }: Addresses, { url, options }: Sandbox, terminal: Terminal): string {
  const row = (name: string, value: string): string =>
    `  ${name.padEnd(10)}${paint(terminal, 'cyan', value)}\n`;
  return (
    `\n  ${paint(terminal, 'bold', 'Your app runs against a local identity service.')}\n\n` +
    row('App', appUrl) +
    row('Sandbox', url) +
    row('Timeline', `${url}/#timeline`) +
    row('Callback', callback) +
    (options.issuer === 'xx-sandbox' ? '' : standIn) +
    `\n  Start a verification in the app to open a wallet with made-up people.\n\n`
  );
}

function ended(code: number, answered: boolean, { port }: Addresses, file = 'It'): string {
  const before = answered ? '' : ` before it responded on port ${port}`;
  const listens =
    code === 0 && !answered ? ` ${file} may not listen: pass the file that does (such as bin/www).` : '';
  return `pidgate: the app ended with exit code ${code}${before}.${listens}\n`;
}
