import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { z } from 'zod';
import { inOneLine, withoutControls } from '../inspect/text.js';
import type { SimulateCommand } from './arguments.js';
import { isLoopback, secureUrl } from '../../internal/urls.js';
import { CliError } from './cli-error.js';
import { type Terminal, paint } from './terminal.js';

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
});
const lineSchema = z.union([rowSchema, z.object({ problem: z.string() })]);

type Row = z.infer<typeof rowSchema>;

/** Has the sandbox that a running app uses drive it through scenarios; exit code 1 where something went wrong. */
export async function simulate(
  { urls, scenarios, json }: SimulateCommand,
  terminal: Terminal,
): Promise<number> {
  const url = appNamedBy(urls);
  const sandbox = await sandboxOf(url, terminal.env['IDENTITY_SANDBOX_URL']);
  const rows: Row[] = [];
  for await (const line of askSandbox(sandbox, { url, scenarios, confirmed: urls.length > 1 })) {
    if ('problem' in line) throw new CliError(inOneLine(line.problem));
    rows.push(line);
    if (!json) terminal.stdout.write(inTable(line, terminal));
  }
  const failed = rows.filter(({ passed }) => !passed).length;
  const leftOut = rows.filter((row) => row.leftOut).length;
  if (json) terminal.stdout.write(`${withoutControls(JSON.stringify(rows, undefined, 2))}\n`);
  else
    terminal.stdout.write(
      `\n  ${rows.length - failed - leftOut} passed, ${failed} failed${leftOut === 0 ? '' : `, ${leftOut} left out`}\n`,
    );
  return failed === 0 ? 0 : 1;
}

async function* askSandbox(sandbox: string, plan: object): AsyncGenerator<z.infer<typeof lineSchema>> {
  const response = await fetch(`${sandbox}/simulate`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(plan),
  }).catch(() => undefined);
  if (response?.ok !== true || response.body === null) {
    throw new CliError(`No sandbox answers at ${sandbox}. Run your app by: pidgate dev.`);
  }
  const lines = createInterface(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]));
  for await (const line of lines) {
    const parsed = lineSchema.safeParse(jsonIn(line));
    if (!parsed.success) throw new CliError(`What answers at ${sandbox} is not a sandbox of this version.`);
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
  throw new CliError('The app is not on this machine. Name the address twice if it is yours.');
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
  const start = pathname.endsWith('/start') ? pathname : await startBehind(url);
  const reply = await fetch(`${origin}${start}`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  }).catch(() => undefined);
  const location = reply?.headers.get('location') ?? '';
  const sandbox = sandboxAt(location);
  if (sandbox !== undefined && new URL(location).pathname.startsWith('/wallet/')) return sandbox;
  throw new CliError(
    reply === undefined
      ? `Nothing answers at ${origin}: does the app run?`
      : 'A start of the app does not lead to a sandbox. Name the one that `pidgate dev` has printed: IDENTITY_SANDBOX_URL=http://127.0.0.1:<port>.',
  );
}

/** The origin of an address, if a sandbox can be there: plain http on this machine. */
function sandboxAt(address: string): string | undefined {
  const url = secureUrl(address, true);
  return url?.protocol === 'http:' ? url.origin : undefined;
}

/** Where the guard of a page leads; the usual place where it leads nowhere. */
async function startBehind(url: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const reply = await fetch(url, { headers, redirect: 'manual' }).catch(() => undefined);
  const location = reply?.headers.get('location') ?? '';
  const start = /^\/(?!\/)[^?#]*\/start(?=[/?#]|$)/.exec(location)?.[0];
  return start ?? '/identity/start';
}

function inTable({ scenario, expected, passed, did, fix, read, leftOut }: Row, terminal: Terminal): string {
  const good = leftOut === true ? '-   ' : paint(terminal, 'green', 'ok  ');
  const mark = passed ? good : paint(terminal, 'red', 'FAIL');
  const lines = [`  ${mark}  ${inOneLine(scenario.padEnd(30) + did)}`];
  if (!passed) {
    lines.push(`        expected  ${inOneLine(expected)}`, `        to do     ${inOneLine(fix ?? '')}`);
    if (read !== undefined) lines.push(`        read on   ${inOneLine(read)}`);
  }
  return `${lines.join('\n')}\n`;
}
