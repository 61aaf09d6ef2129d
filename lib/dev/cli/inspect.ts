import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { decode } from '../inspect/decode.js';
import { reportOf } from '../inspect/report.js';
import { escapeControls } from '../inspect/text.js';
import { type ChosenTrust, verify } from '../inspect/verify.js';
import type { InspectCommand } from './arguments.js';
import { inText } from './inspect-text.js';
import { CliError } from './cli-error.js';
import { type Terminal, warn } from './terminal.js';

/** Decodes a presentation and says of every check whether it passes. Exit code 1 if it is refused. */
export async function inspect(command: InspectCommand, terminal: Terminal): Promise<number> {
  const { file, trust, state, at, showValues, all, json } = command;
  const chosen = trust === undefined ? undefined : await readTrust(trust, terminal);
  const presentation = (await readInput(file, terminal)).trim();
  const decoded = decode(presentation);
  const verified = await verify(presentation, decoded, { trust: chosen, state }, { clock: () => at });
  const report = reportOf(decoded, verified, showValues);
  terminal.stdout.write(
    json ? `${escapeControls(JSON.stringify(report, undefined, 2))}\n` : inText(report, all, terminal),
  );
  return report.verdict === 'refused' ? 1 : 0;
}

/** Sixteen times what a presentation may have. What is shown of a text is longer than it, and a string has an end. */
const maxInput = 4 * 1024 * 1024;

function short(text: string): string {
  if (text.length <= maxInput) return text;
  throw new CliError(`No presentation is as long as this: inspect reads ${maxInput} characters.`);
}

async function readInput(file: string, terminal: Terminal): Promise<string> {
  const { cwd, stdin, interactive } = terminal;
  if (file !== '-') return short(readText(resolve(cwd, file), file));
  if (interactive) {
    warn(terminal, 'reading from the terminal. Paste the presentation, then Enter and Ctrl-D.');
  }
  let read = '';
  for await (const chunk of stdin) read = short(read + String(chunk));
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
  if (typeof trust !== 'object' || trust === null)
    throw new CliError(`${file} does not contain a trust entry.`);
  if ('format' in trust) return { issuer: 'issuer', entry: trust };
  const entries = Object.entries(trust);
  const [only, ...others] = issuer === undefined ? entries : entries.filter(([id]) => id === issuer);
  if (only !== undefined && others.length === 0) return { issuer: only[0], entry: only[1] };
  throw new CliError(
    `Choose an issuer of ${file}: ${entries.map(([id]) => `--trust ${file}#${id}`).join(', ')}.`,
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
