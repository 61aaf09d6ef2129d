import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { toOneLine, escapeControls } from '../inspect/text.js';
import type { SimulateCommand } from './arguments.js';
import { isLoopback, secureUrl } from '../../internal/urls.js';
import { CliError } from './cli-error.js';
import { type Terminal, hang, paint, widthOf } from './terminal.js';
import { isScenario, scenarioOf } from '../sandbox/scenarios/catalogue.js';
import { createAgent } from '../sandbox/simulator/browser.js';
import { guardNotTried, triesGuard } from '../sandbox/simulator/simulate.js';
import { leadsTo, limitedFix, whyNotStarted } from '../sandbox/simulator/verdict.js';
import { errorIn } from '../sandbox/simulator/walk.js';

/** A row of the table, as a sandbox tells it; what answers may be something else. */
const rowSchema = z.object({
  scenario: z.string(),
  says: z.string(),
  expected: z.string(),
  passed: z.boolean(),
  did: z.string(),
  fix: z.string().optional(),
  read: z.string().optional(),
  leftOut: z.literal(true).optional(),
  at: z.int(),
  of: z.int(),
});
const lineSchema = z.union([rowSchema, z.object({ problem: z.string() })]);

type Row = z.infer<typeof rowSchema>;

/** Has the sandbox that a running app uses drive it through scenarios; exit code 1 where something went wrong. */
export async function runSimulate(
  { urls, scenarios, expectMinor, json }: SimulateCommand,
  terminal: Terminal,
): Promise<number> {
  const { stdout, signals } = terminal;
  const url = appNamedBy(urls);
  const sandbox = await sandboxOf(url, terminal.env['IDENTITY_SANDBOX_URL']);
  const rows: Row[] = [];
  const stopped = new AbortController();
  const stop = (): void => stopped.abort();
  signals.on('SIGINT', stop);
  try {
    const plan = { url, scenarios, confirmed: urls.length > 1, expectMinor };
    for await (const line of askSandbox(sandbox, plan, stopped.signal)) {
      if ('problem' in line) throw new CliError(toOneLine(line.problem));
      rows.push(line);
      if (!json) stdout.write(progress(line, terminal));
    }
  } catch (error) {
    if (!stopped.signal.aborted) throw error;
  } finally {
    signals.off('SIGINT', stop);
  }
  stdout.write(
    json
      ? `${escapeControls(JSON.stringify(rows, undefined, 2))}\n`
      : summary(rows, stopped.signal, terminal) +
          (triesGuard(url) ? '' : hang('  ', guardNotTried, widthOf(stdout))),
  );
  if (stopped.signal.aborted) return 130;
  return rows.every(({ passed }) => passed) ? 0 : 1;
}

async function* askSandbox(
  sandbox: string,
  plan: object,
  signal: AbortSignal,
): AsyncGenerator<z.infer<typeof lineSchema>> {
  const response = await fetch(`${sandbox}/simulate`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(plan),
    signal,
  }).catch(() => undefined);
  if (response?.ok !== true || response.body === null) {
    throw new CliError(`No sandbox responds at ${sandbox}. Run your app with: pidgate dev.`);
  }
  const lines = createInterface(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]));
  for await (const line of lines) {
    const parsed = lineSchema.safeParse(jsonIn(line));
    if (!parsed.success) throw new CliError(`The server at ${sandbox} is not a sandbox of this version.`);
    yield parsed.data;
  }
}

function jsonIn(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** The app's address, before anything is sent there: one that is not on this machine must be named twice. */
function appNamedBy(urls: readonly string[]): string {
  const [url = ''] = urls;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
    throw new CliError('--url needs an http or https URL.', 2);
  }
  if (isLoopback(new URL(url)) || urls.length > 1) return url;
  throw new CliError('The app is not on this machine. If it is yours, give the address twice.');
}

/** The sandbox that the environment names; otherwise the one that a start of the app leads to. */
async function sandboxOf(url: string, named: string | undefined): Promise<string> {
  if (named !== undefined && named !== '') {
    const sandbox = sandboxAt(named);
    if (sandbox !== undefined && new URL(named).pathname === '/') return sandbox;
    throw new CliError(
      'IDENTITY_SANDBOX_URL must be an origin of this machine, such as http://127.0.0.1:4747.',
    );
  }
  const { origin, pathname } = new URL(url);
  const start = startPath.exec(pathname)?.[0] ?? (await startBehind(url));
  const agent = createAgent(origin);
  const begun = await agent.post(start);
  const { location = '' } = begun;
  const shown = await agent.follow(begun);
  // An app that asks wallets itself leads there by a link on its own page.
  const link = /href="(http:[^"]*\/wallet\?client_id=[^"]*)"/.exec(shown.text)?.[1] ?? location;
  const sandbox = sandboxAt(link);
  if (sandbox !== undefined && /^\/wallet(?:\/|$)/.test(new URL(link).pathname)) return sandbox;
  if (begun.response.status === 429) throw new CliError(limitedFix);
  const why = whyNotStarted(begun, errorIn(shown));
  if (leadsTo(begun)?.origin === origin) throw new CliError(why);
  throw new CliError(
    `${why} If the app does run with a sandbox, set the address that it printed: IDENTITY_SANDBOX_URL=http://127.0.0.1:<port>.`,
  );
}

/** The origin of an address, if a sandbox can be there: plain http on this machine. */
function sandboxAt(address: string): string | undefined {
  const url = secureUrl(address, true);
  return url?.protocol === 'http:' ? url.origin : undefined;
}

/** The start of a question, with its name where it has one. */
const startPath = /^\/(?!\/)[^?#]*\/start(?:\/[\w-]+)?(?=[?#]|$)/;

/** Where the guard of a page leads; the usual place where it leads nowhere. */
async function startBehind(url: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const reply = await fetch(url, { headers, redirect: 'manual' }).catch(() => undefined);
  const location = reply?.headers.get('location') ?? '';
  const start = startPath.exec(location)?.[0];
  return start ?? '/identity/start';
}

/** A scenario in one row; what is cut off, the summary has where something failed, and `--json` always. */
function progress({ scenario, did, at, of, ...row }: Row, terminal: Terminal): string {
  const count = `  ${`${at}/${of}`.padStart(`${of}/${of}`.length)}  `;
  const [style, word] = words[stateOf(row)];
  const name = `  ${toOneLine(scenario).padEnd(28)}`;
  const room = widthOf(terminal.stdout) - (count + word + name).length;
  const brief = toOneLine(did)
    .replace(
      /^(?:(\w+)|Callback: answered (\d+))(?: at \S+)?; the guarded page (opens|stays closed)\.$/,
      '$1$2, $3',
    )
    .replace(/, stays closed$/, ', closed');
  const shown =
    brief.length > room ? `${brief.slice(0, Math.max(0, room - 2)).replace(/\s+\S*$/, '')} …` : brief;
  return `${count}${paint(terminal, style, word)}${name}${shown}`.trimEnd() + '\n';
}

const stateOf = ({ passed, leftOut }: Pick<Row, 'passed' | 'leftOut'>): 'passed' | 'failed' | 'leftOut' =>
  leftOut === true ? 'leftOut' : passed ? 'passed' : 'failed';

const words = { passed: ['green', 'ok  '], failed: ['red', 'FAIL'], leftOut: ['dim', 'skip'] } as const;
/** Without colour too, they can be told apart. */
const squares = { passed: ['green', '■'], failed: ['red', '✗'], leftOut: ['dim', '·'] } as const;

/** A grid with a square for each scenario, what failed and what to do, and the figures. */
function summary(rows: readonly Row[], { aborted }: AbortSignal, terminal: Terminal): string {
  const failed = rows.filter(({ passed }) => !passed);
  const leftOut = rows.filter((row) => row.leftOut).length;
  const of = rows.at(-1)?.of ?? 0;
  const figures = [
    `${rows.length - failed.length - leftOut} passed`,
    `${failed.length} failed`,
    ...(leftOut === 0 ? [] : [`${leftOut} left out`]),
    ...(rows.some(({ did }) => did.startsWith('note: ')) ? ['1 note'] : []), // only Leon's row is noted
    ...(rows.length < of ? [`${of - rows.length} not played`] : []),
  ];
  return [
    `\n${grid(rows, terminal)}\n`,
    ...failed.map((row) => failure(row, terminal)),
    paint(
      terminal,
      'bold',
      hang(
        '  ',
        `${aborted ? `Stopped after ${rows.length} of ${of || 'all'}: ` : ''}${figures.join(', ')}`,
        widthOf(terminal.stdout),
      ),
    ),
  ].join('');
}

/** A line for each phase of a flow. */
function grid(rows: readonly Row[], terminal: Terminal): string {
  const phases = new Map<string, Row[]>();
  for (const row of rows) {
    const phase = isScenario(row.scenario) ? scenarioOf(row.scenario).phase : 'start';
    phases.set(phase, [...(phases.get(phase) ?? []), row]);
  }
  return [...phases]
    .map(([phase, played]) => {
      const drawn = played
        .map((row) => squares[stateOf(row)])
        .map(([style, square]) => paint(terminal, style, square))
        .join(' ');
      return `  ${phase.padEnd(10)}${drawn}\n`;
    })
    .join('');
}

function failure({ scenario, says, expected, did, fix, read }: Row, terminal: Terminal): string {
  const told = [
    ['played', says],
    ['did', did],
    ['expected', expected],
    ['fix', fix],
    ['see', read],
  ] as const;
  const width = widthOf(terminal.stdout);
  const lines = told.flatMap(([name, text]) => {
    const lead = name.padEnd(10);
    return text === undefined
      ? []
      : [hang(`    ${lead}`, toOneLine(text), width, `    ${paint(terminal, 'dim', lead)}`)];
  });
  return `  ${paint(terminal, 'red', `FAIL  ${toOneLine(scenario)}`)}\n${lines.join('')}\n`;
}
