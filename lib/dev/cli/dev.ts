import type { Variant } from '../../types/attributes.js';
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
import { findingsIn, wordsOf } from '../../set-up/list.js';
import { factsOf } from './doctor/facts.js';
import { observe } from './doctor/observe.js';
import { settingsOf } from './doctor/settings.js';
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

/** What stands between the kit and its two callers. What stands behind a tunnel or another proxy is not asked. */
async function obstaclesAt({ callback, port }: Addresses): Promise<string[]> {
  const url = new URL(callback);
  if (!isLoopback(url) || url.port !== String(port)) return [];
  const settings = settingsOf(
    { url: url.origin, path: url.pathname.replace(/\/[^/]*$/, ''), json: false },
    {},
  );
  const paths = { ...settings.paths, callback: url.pathname };
  const found = findingsIn(factsOf(await observe({ ...settings, paths }, {}, undefined)));
  // The starts of an app may all have names, and an app that has ended is told of below.
  return found.filter(({ id }) => id !== 'start-not-there' && id !== 'app-unreachable').map(wordsOf);
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
