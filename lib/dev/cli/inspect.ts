import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode } from '../inspect/decode.js';
import { reportOf } from '../inspect/report.js';
import { withoutControls } from '../inspect/text.js';
import { type ChosenTrust, verify } from '../inspect/verify.js';
import { parse } from './arguments.js';
import { inText } from './inspect-text.js';
import { CliError } from './cli-error.js';
import type { Terminal } from './terminal.js';
import { usage } from './usage.js';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const options = {
  trust: text,
  state: text,
  at: text,
  'show-values': flag,
  json: flag,
  help: { ...flag, short: 'h' },
} as const;

/** Decodes a presentation and says of every check whether it passes. Exit code 1 if it is refused. */
export async function inspect(argv: readonly string[], terminal: Terminal): Promise<number> {
  const { values, positionals } = parse(argv, options);
  if (values['help'] === true) {
    terminal.stdout.write(usage);
    return 0;
  }
  const [file = '-', extra] = positionals;
  if (extra !== undefined) throw new CliError(`"${extra}" is one argument too many.`, 2);
  const { trust, state, at } = values as Readonly<Record<string, string | undefined>>;
  if (state !== undefined && trust === undefined) throw new CliError('--state needs --trust.', 2);
  const moment = momentOf(at);
  const chosen = trust === undefined ? undefined : await readTrust(trust, terminal);
  const presentation = (await readInput(file, terminal)).trim();
  const decoded = decode(presentation);
  const runtime = { clock: () => moment, fetch: globalThis.fetch };
  const verified = await verify(presentation, decoded, { trust: chosen, state }, runtime);
  const report = reportOf(decoded, verified, values['show-values'] === true);
  terminal.stdout.write(
    values['json'] === true
      ? `${withoutControls(JSON.stringify(report, undefined, 2))}\n`
      : inText(report, terminal),
  );
  return report.verdict === 'refused' ? 1 : 0;
}

function momentOf(at: string | undefined): Date {
  const moment = at === undefined ? new Date() : new Date(at);
  if (Number.isFinite(moment.getTime())) return moment;
  throw new CliError('--at needs a time such as 2027-01-31T12:00:00Z.', 2);
}

async function readInput(file: string, { cwd, stdin }: Terminal): Promise<string> {
  if (file !== '-') return readText(resolve(cwd, file), file);
  let read = '';
  for await (const chunk of stdin) read += String(chunk);
  return read;
}

function readText(path: string, named: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw new CliError(`The file ${named} cannot be read.`);
  }
}

/** Reads `file` or `file#issuer`: JSON, or a module that exports `trust`; one entry, or several by issuer id. */
async function readTrust(named: string, { cwd }: Terminal): Promise<ChosenTrust> {
  const [, file = named, issuer] = /^(.*?)(?:#(.*))?$/s.exec(named) ?? [];
  const trust = file.endsWith('.json')
    ? readJson(resolve(cwd, file), file)
    : await load(resolve(cwd, file), file);
  if (typeof trust !== 'object' || trust === null) throw new CliError(`There is no trust in ${file}.`);
  if ('format' in trust) return { issuer: 'issuer', entry: trust };
  const entries = Object.entries(trust);
  const [only, ...others] = issuer === undefined ? entries : entries.filter(([id]) => id === issuer);
  if (only !== undefined && others.length === 0) return { issuer: only[0], entry: only[1] };
  throw new CliError(
    `Say which issuer of ${file} is meant: ${entries.map(([id]) => `--trust ${file}#${id}`).join(', ')}.`,
    2,
  );
}

function readJson(path: string, named: string): unknown {
  try {
    return JSON.parse(readText(path, named));
  } catch (error) {
    throw error instanceof CliError ? error : new CliError(`The file ${named} is not JSON.`);
  }
}

async function load(path: string, named: string): Promise<unknown> {
  try {
    const module = (await import(pathToFileURL(path).href)) as { trust?: unknown; default?: unknown };
    return module.trust ?? module.default;
  } catch (error) {
    throw new CliError(
      `The module ${named} cannot be loaded: ${error instanceof Error ? error.message : ''}`,
    );
  }
}
