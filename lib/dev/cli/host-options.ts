import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Outside } from '../sandbox/listen.js';
import { CliError } from './cli-error.js';

const needed = ['tls-cert', 'tls-key', 'access-certificate', 'access-key'] as const;
const registration = 'registration-certificate';

/** The options that let wallets on other machines in, as they were written. */
export interface OutsideCommand {
  readonly hostname: string;
  readonly port: number;
  readonly files: Readonly<Record<(typeof needed)[number], string>> & { readonly [registration]?: string };
}

const text = { type: 'string' } as const;

export const outsideOptions = {
  host: text,
  'tls-cert': text,
  'tls-key': text,
  'access-certificate': text,
  'access-key': text,
  [registration]: text,
} as const;

// Beside that of the sandbox itself.
const usualPort = '4748';

/** Nobody else is let in without `--host`, and with it only with what a wallet insists on. */
export function readOutside(values: Readonly<Record<string, unknown>>): { outside?: OutsideCommand } {
  const texts = Object.entries(values).filter(
    (entry): entry is [string, string] => typeof entry[1] === 'string',
  );
  const { host, ...named } = Object.fromEntries(texts);
  if (host === undefined) {
    const lost = [...needed, registration].find((name) => name in named);
    if (lost === undefined) return {};
    throw new CliError(`--${lost} has no effect without --host.`, 2);
  }
  const [, hostname, port = usualPort] = /^([a-z\d](?:[\w.-]*[a-z\d])?)(?::(\d{1,5}))?$/i.exec(host) ?? [];
  if (hostname === undefined || Number(port) > 65_535) {
    throw new CliError('--host needs a name of this machine, such as desk.example or desk.example:8443.', 2);
  }
  const missing = needed.filter((name) => !(name in named));
  if (missing.length > 0) {
    throw new CliError(`--host needs ${missing.map((name) => `--${name}`).join(', ')}.`, 2);
  }
  return { outside: { hostname, port: Number(port), files: named as OutsideCommand['files'] } };
}

/** Reads the files that were named. */
export function loadOutside({ hostname, port, files }: OutsideCommand, cwd: string): Outside {
  return {
    hostname,
    port,
    tls: { cert: read('tls-cert'), key: read('tls-key') },
    access: { certificate: read('access-certificate'), key: read('access-key') },
    ...(files[registration] !== undefined && { registration: read(registration).trim() }),
  };

  function read(option: keyof OutsideCommand['files']): string {
    const path = files[option] ?? '';
    try {
      return readFileSync(resolve(cwd, path), 'utf8');
    } catch {
      throw new CliError(`--${option}: ${path} cannot be read.`);
    }
  }
}
