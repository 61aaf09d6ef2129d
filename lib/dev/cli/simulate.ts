import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import type { SimulatedScenario } from '../sandbox/drive/simulate.js';
import type { SimulateCommand } from './arguments.js';
import { Refusal } from './refusal.js';
import { type Terminal, paint } from './terminal.js';

type Line = SimulatedScenario | { readonly problem: string };

/** Has the sandbox that a running app uses drive it through scenarios; exit code 1 where something went wrong. */
export async function simulate(
  { urls, scenarios, json }: SimulateCommand,
  terminal: Terminal,
): Promise<number> {
  const [url = ''] = urls;
  const sandbox = await sandboxOf(url, terminal.env['IDENTITY_SANDBOX_URL']);
  const rows: SimulatedScenario[] = [];
  for await (const line of askSandbox(sandbox, { url, scenarios, confirmed: urls.length > 1 })) {
    if ('problem' in line) throw new Refusal(line.problem);
    rows.push(line);
    if (!json) terminal.stdout.write(inTable(line, terminal));
  }
  const failed = rows.filter(({ passed }) => !passed).length;
  const leftOut = rows.filter((row) => row.leftOut).length;
  if (json) terminal.stdout.write(`${JSON.stringify(rows, undefined, 2)}\n`);
  else
    terminal.stdout.write(
      `\n  ${rows.length - failed - leftOut} passed, ${failed} failed${leftOut === 0 ? '' : `, ${leftOut} left out`}\n`,
    );
  return failed === 0 ? 0 : 1;
}

async function* askSandbox(sandbox: string, plan: object): AsyncGenerator<Line> {
  const response = await fetch(`${sandbox}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(plan),
  }).catch(() => undefined);
  if (response?.ok !== true || response.body === null) {
    throw new Refusal(`No sandbox answers at ${sandbox}. Run your app by: pidgate dev.`);
  }
  const lines = createInterface(Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]));
  for await (const line of lines) yield JSON.parse(line) as Line;
}

/** The sandbox that the environment names; otherwise the one that a start of the app leads to. */
async function sandboxOf(url: string, named: string | undefined): Promise<string> {
  if (named !== undefined && named !== '') return named.replace(/\/$/, '');
  if (!URL.canParse(url)) throw new Refusal('--url needs an http or https URL.', 2);
  const { origin, pathname } = new URL(url);
  const start = pathname.endsWith('/start') ? pathname : await startBehind(url);
  const reply = await fetch(`${origin}${start}`, {
    method: 'POST',
    headers: { origin, 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  }).catch(() => undefined);
  const location = reply?.headers.get('location') ?? '';
  if (URL.canParse(location) && new URL(location).pathname.startsWith('/wallet/'))
    return new URL(location).origin;
  throw new Refusal(
    reply === undefined
      ? `Nothing answers at ${origin}: does the app run?`
      : 'A start of the app does not lead to a sandbox. Name the one that `pidgate dev` has printed: IDENTITY_SANDBOX_URL=http://127.0.0.1:<port>.',
  );
}

/** Where the guard of a page leads; the usual place where it leads nowhere. */
async function startBehind(url: string): Promise<string> {
  const headers = { accept: 'text/html' };
  const reply = await fetch(url, { headers, redirect: 'manual' }).catch(() => undefined);
  const location = reply?.headers.get('location') ?? '';
  const start = /^\/(?!\/)[^?#]*\/start(?=[/?#]|$)/.exec(location)?.[0];
  return start ?? '/identity/start';
}

function inTable(row: SimulatedScenario, terminal: Terminal): string {
  const { scenario, expected, passed, did, fix, read, leftOut } = row;
  const good = leftOut === true ? '-   ' : paint(terminal, 'green', 'ok  ');
  const mark = passed ? good : paint(terminal, 'red', 'FAIL');
  const lines = [`  ${mark}  ${scenario.padEnd(30)}${did}`];
  if (!passed) {
    lines.push(`        expected  ${expected}`, `        to do     ${fix ?? ''}`);
    if (read !== undefined) lines.push(`        read on   ${read}`);
  }
  return `${lines.join('\n')}\n`;
}
