import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first is Chromium without its windows: the same pages in half the time. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * The Chromium to test with: the one that PIDGATE_CHROMIUM names (`off` for none), else the first on PATH. A name
 * that leads nowhere is a mistake and throws; without any, tests that need a browser are skipped, and the reporter
 * says so.
 */
export function chromiumPath(): string | undefined {
  const named = process.env['PIDGATE_CHROMIUM'] ?? '';
  if (named === 'off') return undefined;
  if (named === '') return onPath().find(isExecutable);
  if (isExecutable(named)) return named;
  throw new Error(`PIDGATE_CHROMIUM names no program: ${named}`);
}

function onPath(): string[] {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name)));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
