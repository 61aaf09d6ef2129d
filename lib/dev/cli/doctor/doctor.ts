import cluster from 'node:cluster';
import Module from 'node:module';
import { pathToFileURL } from 'node:url';
import { type Terminal, hang, paint, warn, widthOf } from '../terminal.js';
import type { DoctorCommand } from './doctor-arguments.js';
import { settingsOf, type Settings } from './settings.js';
import { type Finding, findingsIn } from '../../../set-up/list.js';
import { factsOf, isKitsPage } from './facts.js';
import { type Seen, observe } from './observe.js';
import { type Inside, enter } from './load-in-process.js';
import { allowOneWorker, askSecondProcess } from './second-process.js';
import { IdentityError } from '../../../errors.js';
import { isLoopback } from '../../../internal/urls.js';
import { addressesOf } from '../addresses.js';
import { isListening, waitForPort } from '../wait-for-port.js';
import { findEntry, isCommonJs, nodeArguments } from '../entry.js';
import { CliError } from '../cli-error.js';
import { sendRequest } from './http.js';
import { toOneLine, escapeControls } from '../../inspect/text.js';

/** Examines an app and its environment. The exit code is 1 if anything was found, 2 if not everything was checked. */
export async function doctor(command: DoctorCommand, terminal: Terminal): Promise<number> {
  const loaded = command.entry === undefined ? undefined : await loadApp(command.entry, terminal);
  if (typeof loaded === 'number') return loaded;
  const settings = settingsOf(command, terminal.env, loaded?.config);
  const report = await examine(settings, loaded);
  terminal.stdout.write(command.json ? asJson(report) : asText(report, settings, terminal));
  if (report.findings.length > 0) return 1;
  return report.notChecked.length === 0 ? 0 : 2;
}

/** An app in this process is asked at its own port, as the proxy in front of it would ask. @internal */
export async function examine(settings: Settings, loaded: Inside | undefined): Promise<DoctorReport> {
  const { host, protocol } = settings.appUrl;
  // Without TLS there need be no proxy, and an app that trusts none would warn of this one.
  const byProxy = protocol === 'https:' && { 'x-forwarded-proto': 'https' };
  const forwarded = loaded === undefined ? {} : { host, ...byProxy };
  const seen = await observe(settings, forwarded, loaded);
  const address = settings.appUrl.href.replace(/\/$/, '');
  const findings = findingsIn(factsOf(seen));
  return { address, findings, notChecked: partsOf(seen, findings).flatMap((why) => why ?? []) };
}

const againstSandbox =
  '. Against a sandbox: run npx pidgate sandbox, and doctor with all of the environment that it prints, NODE_OPTIONS too.';

/** For each part that the doctor looks at: why it could not, where it could not. */
function partsOf(
  { page, guarded, service, inside, settings }: Seen,
  findings: readonly Finding[],
): readonly (string | undefined)[] {
  const isTold = findings.some(({ id }) =>
    ['not-mounted', 'start-not-there', 'start-shadowed', 'app-url-unknown'].includes(id),
  );
  const entry = 'pass the file that starts the app with --entry';
  const asker =
    settings.baseUrl === undefined
      ? 'who asks: set IDENTITY_ACCESS_CERTIFICATE (the key is not needed here), or of a service'
      : 'the service and its key: set';
  const second =
    settings.mode === 'production'
      ? 'a second process of the app did not start'
      : 'only with NODE_ENV=production does doctor start a second process';
  return [
    page.kind === 'reply' && !isKitsPage(page) && !isTold
      ? `appUrl and the start page: something before the kit responds with ${page.status}${page.status < 404 ? ', such as a log-in' : ''}`
      : undefined,
    guarded?.notTried,
    settings.asksWallets
      ? settings.access === undefined
        ? `the access certificate and its key: ${entry}`
        : undefined
      : service === undefined
        ? `${asker} IDENTITY_BASE_URL and IDENTITY_API_KEY${isLoopback(settings.appUrl) ? againstSandbox : ''}`
        : undefined,
    inside === undefined
      ? `session cookie, session secret and trust proxy: ${entry}`
      : inside.session === undefined
        ? 'session cookie and session store: the app responded before the session middleware'
        : inside.otherCookie === undefined
          ? `the session secret, which all processes must share: ${second}`
          : undefined,
    inside === undefined
      ? `trust entries and stores: ${entry}`
      : inside.config === undefined
        ? 'trust entries and flow store: the router was not found in the app'
        : undefined,
  ];
}

/**
 * Loads the file that starts the app into this process, and finds the app in it. It runs with this environment. Returns
 * the exit code of the worker that looks in its place, where the app runs in workers.
 */
async function loadApp(entry: string, terminal: Terminal): Promise<Inside | number> {
  const { cwd, env } = terminal;
  const file = findEntry(cwd, entry);
  const { port } = addressesOf(undefined, env);
  if (await isListening(port)) {
    throw new CliError(
      `Port ${port} is in use, and --entry starts the app itself: stop the one that runs, or choose a different port with PORT=3001.`,
    );
  }
  const args = nodeArguments(file, cwd);
  const [flag, loader] = args;
  if (flag === '--import' && loader !== undefined) await import(loader);
  const worker = cluster.isPrimary ? allowOneWorker() : () => undefined;
  await runMain(file).catch(tellNoSecret);
  const ended = worker();
  if (ended !== undefined) {
    warn(terminal, 'the app runs in several processes (node:cluster); doctor looks at one of them.');
    return await ended;
  }
  const late = new AbortController();
  await waitForPort(port, terminal, late.signal, () => {
    warn(terminal, `nothing responds on port ${port} yet. The app must listen on PORT.`);
    late.abort();
  }).catch(() => {
    throw new CliError(
      `The app does not listen on port ${port}: it must read PORT. If another file calls listen, such as bin/www, pass that one.`,
    );
  });
  const other = env['NODE_ENV'] === 'production' ? await askSecondProcess(args, terminal) : undefined;
  return await enter(
    async (path, question) => await sendRequest(new URL(path, `http://localhost:${port}`), question),
    other,
  );
}

/** Many apps listen only if they are what node was asked to run: import.meta.url is argv[1], or require.main the module. */
async function runMain(file: string): Promise<void> {
  process.argv[1] = file;
  const modules: object = Module;
  if (isCommonJs(file)) (modules as NodesLoader)._load(file, undefined, true);
  else await import(pathToFileURL(file).href);
}

/** As node itself starts a file, and pm2: there is no other way to be `require.main`. */
interface NodesLoader {
  _load(path: string, parent: undefined, isMain: true): void;
}

/** What the app throws may hold a DSN or a key. The kit's own sentences hold neither. */
function tellNoSecret(error: unknown): never {
  if (error instanceof IdentityError) {
    const hint = error.message.includes('pidgate dev') ? againstSandbox : '';
    throw new CliError(error.message.replace(/\.$/, '') + (hint || '.'));
  }
  const kind = error instanceof Error ? ` (${error.constructor.name})` : '';
  throw new CliError(
    `The app fails while loading${kind}. Start it on its own to see why: often a variable of the environment is missing.`,
  );
}

export interface DoctorReport {
  readonly address: string;
  readonly findings: readonly Finding[];
  /** What could not be looked at, and how it could: at most one line for each of the parts. */
  readonly notChecked: readonly string[];
}

/** One line, the last one on stdout. */
function asJson(report: DoctorReport): string {
  return `${escapeControls(JSON.stringify(report))}\n`;
}

/** App, service, session, trust and stores; one more where a guarded page was named. */
const parts = 4;

function asText(
  { address, findings, notChecked }: DoctorReport,
  { appUrl, paths, page, asksWallets, baseUrl }: Settings,
  terminal: Terminal,
): string {
  const all = page === undefined ? parts : parts + 1;
  const checked = `${all - notChecked.length} of ${all} parts`;
  const title =
    findings.length > 0
      ? `${findings.length} ${findings.length === 1 ? 'finding' : 'findings'}`
      : notChecked.length > 0
        ? `Nothing wrong in what I could check (${checked})`
        : `Nothing wrong (${checked})`;
  const base = appUrl.origin + appUrl.pathname.replace(/\/+$/, '');
  const callback = base + paths.callback;
  const width = widthOf(terminal.stdout);
  const item = (sentence: string): string => hang('  - ', toOneLine(sentence), width);
  const told = (name: string, sentence: string): string => {
    const lead = name.padEnd(7);
    return hang(`  ${lead}`, toOneLine(sentence), width, `  ${paint(terminal, 'dim', lead)}`);
  };
  const headline = hang('  ', `${title} at ${toOneLine(address)}`, width);
  const unseen = [
    ...(findings.some(({ id }) => id === 'app-url-of-router')
      ? []
      : [
          asksWallets
            ? `whether every phone reaches ${base}${paths.request} and ${callback}`
            : baseUrl === undefined
              ? `whether who answers reaches ${callback}`
              : `the service's portal: its Redirect URL must be ${callback}`,
        ]),
    ...(page === undefined ? ['guarded pages, and where their data is served: name one with --page'] : []),
    'other machines: they need the same session secret and the same stores',
  ];
  return [
    `\n${paint(terminal, 'bold', headline)}`,
    ...findings.flatMap(({ id, observed, cause, fix }) => [
      `\n  ${paint(terminal, 'cyan', id)}\n`,
      hang('  ', toOneLine(observed), width),
      told('Cause', cause),
      told('Fix', fix),
    ]),
    ...(notChecked.length === 0 ? [] : ['\n  Not checked\n', ...notChecked.map(item)]),
    '\n  Doctor cannot see\n',
    ...unseen.map(item),
    '\n',
  ].join('');
}
