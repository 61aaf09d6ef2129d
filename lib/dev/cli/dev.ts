import type { Variant } from '../../types/attributes.js';
import { isKitErrorCode } from '../../errors.js';
import { isLoopback } from '../../internal/urls.js';
import { toOneLine } from '../inspect/text.js';
import {
  type PersonName,
  type Sandbox,
  type SandboxIssuerId,
  type WalletSandbox,
  createSandbox,
} from '../sandbox/index.js';
import { type Addresses, addressesOf } from './addresses.js';
import { requireFree, waitForPort } from './wait-for-port.js';
import { jsonOf } from './doctor/finding.js';
import { sendRequest } from './doctor/http.js';
import { findEntry, nodeArguments } from './entry.js';
import { environmentFor, withoutOtherWay } from './environment.js';
import { runApp } from './run-app.js';
import { type Terminal, hang, paint, warn, widthOf } from './terminal.js';

interface DevOptions {
  readonly entry?: string;
  readonly callback?: string;
  readonly variant?: Variant;
  readonly issuer?: SandboxIssuerId;
  readonly person?: string;
  readonly watch?: boolean;
  readonly wallets?: boolean;
}

/** What the banner says already. */
const quiet = '--disable-warning=PIDGATE_SANDBOX';

/** Runs the app against a sandbox of its own until it ends; its exit code is ours. */
export async function dev(options: DevOptions, terminal: Terminal): Promise<number> {
  const { env, cwd, stdout } = terminal;
  const entry = nodeArguments(findEntry(cwd, options.entry), cwd);
  const args = options.watch === true ? ['--watch', ...entry] : entry;
  const addresses = addressesOf(options.callback, env);
  const { port, callback, appUrl } = addresses;
  await requireFree(port);
  const either = {
    person: (options.person ?? 'erika') as PersonName, // checked there
    log: (line: string) =>
      stdout.write(paint(terminal, 'dim', hang('  sandbox  ', toOneLine(line), widthOf(stdout)))),
  };
  const sandbox =
    options.wallets === true
      ? await createSandbox({ ...either, role: 'wallet' })
      : await createSandbox({
          ...either,
          redirectUrl: callback,
          variant: options.variant ?? 'derived',
          issuer: options.issuer ?? 'xx-sandbox',
        });
  const ending = new AbortController();
  let answered = false;
  const greeting = waitForPort(port, terminal, ending.signal, () => {
    warn(
      terminal,
      `nothing responds on port ${port} yet. If your app listens elsewhere, pass its callback route: ` +
        '--callback http://localhost:<port>/identity/callback',
    );
  }).then(
    async () => {
      answered = true;
      stdout.write(banner(addresses, sandbox, terminal));
      for (const obstacle of await obstaclesAt(addresses)) warn(terminal, obstacle);
    },
    () => {}, // the app ended first
  );
  try {
    const identity = environmentFor(sandbox, appUrl, env['NODE_OPTIONS']);
    const variables = {
      ...withoutOtherWay(env, options.wallets === true),
      ...identity,
      NODE_OPTIONS: `${identity['NODE_OPTIONS']} ${quiet}`,
      PORT: String(port),
    };
    const { code, asked } = await runApp(args, variables, terminal);
    if (!asked) warn(terminal, ended(code, answered, addresses, entry.at(-1)));
    return code === 0 && !asked && !answered ? 1 : code;
  } finally {
    ending.abort();
    await greeting;
    await sandbox.close();
  }
}

/**
 * What stands between the kit and its two callers: one PUT each, which a CSRF check takes for a POST, a limiter of POST
 * does not count, and the kit refuses. What stands behind a tunnel or another proxy is not asked.
 */
async function obstaclesAt({ callback, port }: Addresses): Promise<string[]> {
  const url = new URL(callback);
  if (!isLoopback(url) || url.port !== String(port)) return [];
  const [start, called] = [await statusBeforeKit(new URL('start', url)), await statusBeforeKit(url)];
  const isStopped = (status = 0): boolean =>
    (status >= 300 && status < 400) || [401, 403, 415, 419].includes(status);
  const shown = await sendRequest(new URL('start', url), {
    method: 'HEAD',
    headers: { accept: 'text/html' },
  });
  const isShadowed = start === undefined && shown.kind === 'reply' && shown.status === 200;
  const lines = [
    isShadowed &&
      `something above the router shows ${new URL('start', url).pathname}, such as the fallback of a single-page app: mount the router above it.`,
    isStopped(start) &&
      `something above the router answers ${new URL('start', url).pathname} with ${start}. A log-in there is fine; above a CSRF check or a body check, mount the router first.`,
    isStopped(called) &&
      `something above the router answers ${url.pathname} with ${called}. A log-in, a CSRF check, a guard or a redirect there stops the service: mount the router above it.`,
    called === 404 &&
      `there is nothing at ${callback}. Mount the router: app.use('/identity', identity). If it is at a different path, set the option path to it, and its callback route with --callback.`,
  ];
  return lines.filter((line) => line !== false);
}

/** What something else than the kit responds; the kit's own JSON has a code of its list. */
async function statusBeforeKit(address: URL): Promise<number | undefined> {
  const headers = { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' };
  const reply = await sendRequest(address, { method: 'PUT', headers, body: '' });
  if (reply.kind !== 'reply') return undefined;
  const code = String(jsonOf(reply.body)['error']);
  const isGuard = code === 'identity_required' || code === 'identity_stale'; // in a place where it stops its own start
  return isKitErrorCode(code) && !isGuard ? undefined : reply.status;
}

function banner(
  { appUrl, callback }: Addresses,
  { url, options }: Sandbox | WalletSandbox,
  terminal: Terminal,
): string {
  const width = widthOf(terminal.stdout);
  const row = (name: string, value: string, says = ''): string => {
    const plain = hang(`  ${name.padEnd(8)}`, `${value}  ${says}`.trimEnd(), width);
    return plain.replace(value, paint(terminal, 'cyan', value));
  };
  const isGerman = options.issuer === 'de-ausweis';
  const title =
    'wallets' in options
      ? 'Your app asks a wallet on this machine.'
      : 'Your app runs against a local identity service.';
  return [
    `\n  ${paint(terminal, 'bold', title)}\n\n`,
    row('Open', appUrl, 'your app'),
    row('Play', url, 'Erika, Leon (17), a forged card'),
    isGerman ? row('PIN', '123456', 'The sandbox stands in for de-ausweis and its trust entry.') : '',
    callback === `${appUrl}/identity/callback` ? '' : row('Back', callback, 'where callbacks go'),
    '\n',
  ].join('');
}

function ended(code: number, answered: boolean, { port }: Addresses, file = 'It'): string {
  const before = answered ? '' : ` before it responded on port ${port}`;
  const listens =
    code === 0 && !answered
      ? ` If nothing above says why, ${file} does not listen: pass the file that does (such as bin/www).`
      : '';
  return `the app ended with exit code ${code}${before}.${listens}`;
}
