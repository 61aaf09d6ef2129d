import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe } from '@jest/globals';
import { nowSeconds } from '../../support/verify/issuer.js';

/** What `openssl version` says, or nothing where there is none. */
export const version = spawnSync('openssl', ['version'], { encoding: 'utf8' }).stdout?.trim() ?? '';

/** Tests that need the program are skipped without it, and the last line of the run says so. */
export const describeWithOpenssl = version === '' ? describe.skip : describe;

/** What `openssl verify` says against a certificate of a path; the leaf's depth is 0. */
export interface Objection {
  readonly depth: number;
  readonly why: string;
}

/** A path of certificates in DER: the leaf first, the anchor last. */
export type Path = readonly [leaf: Buffer, ...cas: Buffer[]];

/** Runs `openssl verify` for the tests of a file, at the moment at which everything in the tests happens. */
export function opensslVerify(...options: readonly string[]) {
  let folder = '';
  let count = 0;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pidgate-openssl-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Returns what it says against a path: nothing if it accepts it. */
  return async (path: Path, ...more: readonly string[]): Promise<readonly Objection[]> => {
    count += 1;
    const parts = [path.slice(0, 1), path.slice(1, -1), path.slice(-1)];
    const [leaf, untrusted, trusted] = parts.map((part, at) => {
      const file = join(folder, `${count}-${at}.pem`);
      writeFileSync(file, part.map(pemOf).join(''));
      return file;
    }) as [string, string, string];
    const given = ['-trusted', trusted, ...(path.length > 2 ? ['-untrusted', untrusted] : []), leaf];
    const { failed, text } = await run(['verify', ...always, ...options, ...more, ...given]);
    for (const file of [leaf, untrusted, trusted]) rmSync(file);
    const said = [...text.matchAll(/^error \d+ at (\d+) depth lookup: (.*)$/gm)];
    if (failed && said.length === 0) return [{ depth: -1, why: text }];
    return said.map(([, depth, why = '']) => ({ depth: Number(depth), why }));
  };
}

const always = ['-no-CAfile', '-no-CApath', '-no-CAstore', '-partial_chain', '-attime', String(nowSeconds)];

async function run(args: readonly string[]): Promise<{ readonly failed: boolean; readonly text: string }> {
  return await new Promise((resolve) => {
    execFile('openssl', args, (error, out, err) => resolve({ failed: error !== null, text: err + out }));
  });
}

export function pemOf(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}
