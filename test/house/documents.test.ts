import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Block, blocksOf, documents, examples, read } from './documents.js';
import { root } from '../support/root.js';

/** What a block may use without making it: it is a part of the reader's app. */
const around: Readonly<Record<string, string>> = {
  express: `declare const express: typeof import('express');`,
  session: `declare const session: typeof import('express-session');`,
  app: `declare const app: import('express').Express;`,
  identity: `declare const identity: import('pidgate').IdentityVerification;`,
  secret: 'declare const secret: string;',
};

function prelude(code: string): string {
  const missing = Object.entries(around).filter(
    ([name]) => !new RegExp(`(import|const|let|function) (\\{[^}]*\\b)?${name}\\b`).test(code),
  );
  return missing.map(([, declaration]) => declaration).join('\n');
}

/** Compiles all blocks at once as a customer would; answers what is wrong, by place. */
function compile(blocks: readonly Block[]): string[] {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const cwd = mkdtempSync(join(root, 'test-results/documents-')); // 'pidgate' is found by its own name
  try {
    for (const [index, { code }] of blocks.entries()) {
      writeFileSync(join(cwd, `block-${index}.ts`), `${code}\n${prelude(code)}\nexport {};`);
    }
    const compilerOptions = {
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
      noEmit: true,
    };
    writeFileSync(join(cwd, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd, encoding: 'utf8' });
    const lines = stdout.split('\n').filter((line) => line !== '');
    return lines.map((line) =>
      line.replace(/^block-(\d+)\.ts\S*/, (_, index) => blocks[Number(index)]?.place ?? ''),
    );
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

/** What is wrong with a block that is not TypeScript, if anything. */
function faultOf({ language, code, place }: Block): string[] {
  if (language === 'ts' || language === 'text') return [];
  // A whole file: test/consumers/testing-guide.test.ts runs it.
  if (language === 'js' && /^\/\/ [\w.-]+\.js\n/.test(code)) return [];
  if (language !== 'sh') return [`${place} is in a language that nothing checks: ${language}`];
  try {
    execFileSync('sh', ['-n'], { input: code, stdio: 'pipe' });
  } catch (error) {
    return [`${place} ${String(error)}`];
  }
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = [...code.matchAll(/npm (?:run )?(start|test|[a-z]+:?[a-z]*)/g)].map(([command, name = '']) =>
    command.startsWith('npm run') || name === 'start' || name === 'test' ? name : '',
  );
  return named
    .filter((name) => name !== '' && scripts[name] === undefined)
    .map((name) => `${place} npm run ${name}`);
}

const blocks = [...documents().flatMap((path) => blocksOf(path)), ...examples()];

describe('the code in the documents, and the examples in the comments', () => {
  let faults: string[];

  const seeded: Block = { place: 'seeded', language: 'ts', code: `import { nobody } from 'pidgate';` };

  beforeAll(() => {
    faults = compile([...blocks.filter(({ language }) => language === 'ts'), seeded]);
  }, 60_000);

  it('compiles against the package, by its own name', () => {
    expect(blocks.filter(({ place }) => place.startsWith('README.md')).length).toBeGreaterThan(5);
    expect(examples().length).toBeGreaterThan(5);
    expect(faults.filter((fault) => !fault.startsWith('seeded'))).toEqual([]);
  });

  it('is really compiled: a name that the package does not have is found', () => {
    expect(faults).toContainEqual(expect.stringMatching(/^seeded .*has no exported member 'nobody'/));
  });

  it('is a shell command that can be read, of scripts that there are', () => {
    expect(blocks.flatMap(faultOf)).toEqual([]);
  });

  it('would not pass in any other form', () => {
    const faultsOf = (language: string, code: string): string[] => faultOf({ language, code, place: 'x:1' });
    expect(faultsOf('js', '')).toEqual(['x:1 is in a language that nothing checks: js']);
    expect(faultsOf('sh', 'npm run nothing')).toEqual(['x:1 npm run nothing']);
    expect(faultsOf('sh', 'echo "')).toEqual([expect.stringContaining('x:1 Error')]);
    expect(faultsOf('sh', 'npm install && npm test')).toEqual([]);
  });
});

describe('the links in the documents', () => {
  const links = documents().flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]+)(?:#[^)]*)?\)/g)].map(([, to = '']) => ({
      path,
      to,
    })),
  );

  it('lead somewhere', () => {
    expect(links.length).toBeGreaterThan(3);
    expect(links.filter(({ path, to }) => !existsSync(join(root, dirname(path), to)))).toEqual([]);
  });
});

describe('the documents', () => {
  it('name no variable of the environment that nobody reads', () => {
    const known = read('lib/options/environment.ts') + read('package.json');
    const named = documents().flatMap((path) =>
      [...read(path).matchAll(/\b(IDENTITY_[A-Z_]+|APP_URL)\b/g)].map(([name]) => `${path} ${name}`),
    );
    expect(named.filter((line) => !known.includes(line.split(' ')[1] ?? ''))).toEqual([]);
  });

  it('name no file that is not there', () => {
    const named = documents().flatMap((path) =>
      [...read(path).matchAll(/`((?:lib|test|docs|example-app)\/[\w./-]+)`/g)].map(([, file = '']) => file),
    );
    expect(named).toContain('lib/flow/transitions.ts');
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it('name every package that is installed with the kit', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const [, section = ''] = /## What you install\n(.*?)\n## /s.exec(read('SECURITY.md')) ?? [];
    const named = Object.keys(dependencies).filter((name) => section.includes(`\`${name}\``));
    expect(named).toEqual(Object.keys(dependencies));
    expect(named).toHaveLength(5);
  });

  it('tell the options that there are, all of them: a row each, and a name in the README', () => {
    const [, tables = ''] = read('docs/options.md').split('<!-- options -->');
    const rows = [...tables.matchAll(/^\| +`(\w+)` +\|/gm)].map(([, name = '']) => name);
    expect(rows.toSorted()).toEqual(optionNames().toSorted());
    const [, groups = ''] = read('README.md').split('\n## Options\n');
    const lines = [...(groups.split('\n## ')[0] ?? '').matchAll(/^- \*\*.+?:\*\* (.+)$/gm)];
    const named = lines.flatMap(([, list = '']) =>
      [...list.matchAll(/`(\w+)`/g)].map(([, name = '']) => name),
    );
    expect(named.toSorted()).toEqual(optionNames().toSorted());
  });
});

/** The members of IdentityOptions and of what it extends, read from their declarations. */
function optionNames(): string[] {
  const declared = read('lib/options/options.ts') + read('lib/options/result-types.ts');
  const names = ['IdentityOptions', 'Settings', 'Question'].flatMap((type) => {
    const [, members = ''] =
      new RegExp(`^(?:export )?interface ${type}<.*?\\{$(.*?)^\\}$`, 'ms').exec(declared) ?? [];
    return [...members.matchAll(/^  readonly (\w+)\??:/gm)].map(([, name = '']) => name);
  });
  return [...new Set(names)];
}
