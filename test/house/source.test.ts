import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

// What neither the compiler nor oxlint says.

interface Source {
  readonly path: string;
  readonly text: string;
}

function sourcesIn(folder: string): Source[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|mjs)$/.test(name))
    .map((name) => ({ path: `${folder}/${name}`, text: readFileSync(join(root, folder, name), 'utf8') }));
}

const lib = sourcesIn('lib');

const filesWith = (sources: readonly Source[], pattern: RegExp): string[] =>
  sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

// Built from parts, so that this file does not find itself.
const word = (...parts: string[]): string => parts.join('');

describe('a file of lib', () => {
  it('reads the mode only in resolve.ts, and where a developer is helped', () => {
    const reads = filesWith(lib, /'development'|\b(config|options|settings|app)\.mode\b|\bNODE_ENV\b.*===/);
    const where = reads.filter((path) => !path.startsWith('lib/dev/'));
    expect(where.toSorted()).toEqual(['lib/http/help/create-help.ts', 'lib/options/resolve.ts']);
  });

  it('knows of the sandbox, outside of dev/, what is on a closed list', () => {
    const names = lib
      .filter(({ path }) => !path.startsWith('lib/dev/') && path !== 'lib/options/development.ts')
      .flatMap(({ text }) => text.replaceAll(/\/\*\*[^]*?\*\/|\/\/ .*/g, '').match(/\w*sandbox\w*/gi) ?? []);
    expect([...new Set(names)].toSorted()).toEqual([
      'IDENTITY_SANDBOX_URL', // where the wallet page leads in development; refused elsewhere
      'allowSandbox', // the option
      'createSandbox', // what a test has forgotten to await
      'isSandbox', // enters the digest of a question
      'refuseSandbox', // refuses a marked trust entry
      'refuseSandboxAddress', // refuses the variable
      'refuseSandboxWallet', // refuses a marked access certificate
      'sandbox', // `result.sandbox`, and the notice on pages
      'sandboxAddress', // where a sandbox may be that the app asks
      'sandboxIssuer', // the name of the test environment
      'sandboxIssuers', // the issuers whose entry bears the mark
      'sandboxIssuersOf',
      'sandboxOf', // the address of a registered one, in development
      'sandboxUrl', // the same, where messages link its pages
      'sandboxWallet', // where the first link of the wallet page leads
      'sandboxWalletOf',
      'takesSandbox', // NODE_ENV allows one
    ]);
  });

  it('switches a rule off in one place: the request type that takes every route', () => {
    const off = new RegExp(word('(ox|es)lint', '-disable|@ts', '-(ignore|expect-error|nocheck)'));
    expect(filesWith(lib, off)).toEqual(['lib/options/result-types.ts']);
  });

  it('asserts no type past the compiler', () => {
    expect(filesWith(lib, /\bas unknown as\b/)).toEqual([]);
  });
});

describe('every file', () => {
  it('is counted by the coverage, whole', () => {
    const ignore = new RegExp(word('(istanbul|c8|v8|node:coverage)', ' (ignore|disable)'));
    expect(filesWith([...lib, ...sourcesIn('test')], ignore)).toEqual([]);
  });
});
