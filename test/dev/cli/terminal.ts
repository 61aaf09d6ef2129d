import { EventEmitter } from 'node:events';
import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Readable } from 'node:stream';
import { afterEach, expect } from '@jest/globals';
import { closeAfter } from '../../support/close-after.js';
import { run } from '../../../lib/dev/cli/run.js';
import type { Terminal } from '../../../lib/dev/cli/terminal.js';
import { freePort } from '../../support/free-port.js';

/** A terminal whose output is kept, and that tells when some words were written. */
export interface FakeTerminal extends Terminal {
  readonly signals: EventEmitter;
  out(): string;
  err(): string;
  said(words: string): Promise<void>;
}

/** Without columns it is a file or a pipe. */
type TerminalSettings = Partial<Terminal> & { readonly columns?: number };

export function terminal({ columns, ...more }: TerminalSettings = {}): FakeTerminal {
  const written = { out: '', err: '' };
  const heard = new EventEmitter();
  const writer = (to: 'out' | 'err') => ({
    columns,
    write(text: string) {
      written[to] += text;
      heard.emit('written');
    },
  });
  return {
    stdout: writer('out'),
    stderr: writer('err'),
    stdin: Readable.from([]),
    env: { PATH: process.env['PATH'] },
    cwd: tmpdir(),
    interactive: false,
    color: false,
    stdio: 'ignore',
    // An app that was told to end has the time that it needs.
    wait: async (ms, signal) => await sleep(ms === 5000 ? 2 ** 30 : ms, undefined, { signal }),
    ...more,
    signals: new EventEmitter(),
    out: () => written.out,
    err: () => written.err,
    async said(words) {
      await new Promise<void>((resolve) => {
        const look = (): void => {
          if (!(written.out + written.err).includes(words)) return;
          heard.off('written', look);
          resolve();
        };
        heard.on('written', look);
        look();
      });
    },
  };
}

/** Runs a command to its end, which has this exit code. */
export async function ran(
  argv: readonly string[],
  code: number,
  more: TerminalSettings = {},
): Promise<FakeTerminal> {
  const at = terminal(more);
  expect(await run(argv, at)).toBe(code);
  return at;
}

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** A folder with these files, gone after the test. */
export function folder(files: Readonly<Record<string, string>>): string {
  const made = mkdtempSync(join(tmpdir(), 'pidgate-cli-'));
  folders.push(made);
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(made, name)), { recursive: true });
    writeFileSync(join(made, name), content);
  }
  return made;
}

/** An app that answers with its environment. */
export const app = `
  require('node:http')
    .createServer((_req, res) => { res.end(JSON.stringify(process.env)) })
    .listen(process.env.PORT, '127.0.0.1')
`;

interface Started {
  readonly at: FakeTerminal;
  readonly ended: Promise<number>;
  readonly port: number;
  /** What the app answers. */
  readonly get: () => Promise<string>;
}

/** `pidgate dev` of an app on a free port, as far as these words, until the test is over. */
export async function startDev(
  entry: string,
  { args = [], env = {}, until = '  Play  ', ...more }: StartedWith = {},
): Promise<Started> {
  const port = await freePort();
  const at = terminal({
    cwd: folder({ 'server.js': entry }),
    env: { PATH: process.env['PATH'], PORT: String(port), ...env },
    ...more,
  });
  const ended = run(['dev', ...args], at);
  closeAfter(async () => {
    at.signals.emit('SIGTERM', 'SIGTERM');
    await ended;
  });
  if (until !== '') await at.said(until.replace('PORT', String(port)));
  return { at, ended, port, get: async () => await (await fetch(`http://127.0.0.1:${port}`)).text() };
}

type StartedWith = TerminalSettings & { readonly args?: readonly string[]; readonly until?: string };
