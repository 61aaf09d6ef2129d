import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Block, blocksOf, documents, examples, read } from './documents.js';
import { leaseMs } from '../../lib/flow/lease.js';
import { lockMs } from '../../lib/flow/lock.js';
import { transitions } from '../../lib/flow/transitions.js';
import { optionMembers } from '../../lib/options/options.js';
import { checks } from '../../lib/verify/checks.js';
import { configured } from '../options/settings.js';
import { bundled } from '../../tools/bundled.mjs';
import { lifeTables } from '../../tools/transitions.js';
import { deep } from '../support/deep.js';
import { root } from '../support/root.js';
import { entryMutants } from '../support/verify/entry-mutants.js';
import { mutants } from '../support/verify/mutants.js';

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
      exactOptionalPropertyTypes: true, // in many apps, and stricter with what is copied into them
      noUncheckedIndexedAccess: true,
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
  // A whole file: test/consumers runs it.
  if (/^jsx?$/.test(language) && /^\/\/ [\w./-]+\.jsx?\n/.test(code)) return [];
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

deep.describe('the code in the documents, and the examples in the comments', () => {
  let faults: string[];

  const seeded: Block = { place: 'seeded', language: 'ts', code: `import { nobody } from 'pidgate';` };

  beforeAll(() => {
    // A whole file of a framework is compiled with its packages, by test/consumers.
    const ours = blocks.filter(({ language, code }) => language === 'ts' && !/^\/\/ \w+\.ts\n/.test(code));
    faults = compile([...ours, seeded]);
  });

  it('compiles against the package, by its own name', () => {
    expect(blocks.filter(({ place }) => place.startsWith('README.md'))).not.toEqual([]);
    expect(examples()).not.toEqual([]);
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

/** The anchors of the headings, as GitHub and TypeDoc make them. */
function anchorsOf(text: string): string[] {
  const headings = [...text.replaceAll(/^```.*?^```$/gms, '').matchAll(/^#{1,6} (.+)$/gm)];
  const names = headings.map(([, heading = '']) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  return names.map((name, index) => {
    const before = names.slice(0, index).filter((other) => other === name).length;
    return before === 0 ? name : `${name}-${before}`;
  });
}

describe('the links in the documents', () => {
  const links = documents().flatMap((path) =>
    [...read(path).matchAll(/\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)]*))?\)/g)].map(
      ([, to = '', anchor]) => ({ path, to: to === '' ? path : posix.join(dirname(path), to), anchor }),
    ),
  );

  it('lead to a file', () => {
    expect(links).not.toEqual([]);
    expect(links.filter(({ to }) => !existsSync(join(root, to)))).toEqual([]);
  });

  it('lead to a heading of it', () => {
    const anchored = links.filter(({ to, anchor }) => to.endsWith('.md') && anchor !== undefined);
    expect(anchored).not.toEqual([]);
    expect(anchored.filter(({ to, anchor = '' }) => !anchorsOf(read(to)).includes(anchor))).toEqual([]);
    expect(anchorsOf('# `a_b`: A & B\n\n```sh\n# none\n```\n\n## [C](d.md)\n\n## C\n')).toEqual([
      'a_b-a--b',
      'c',
      'c-1',
    ]);
  });
});

describe('the pages that code names', () => {
  const folders = ['lib', 'example-app', 'examples', 'tools', 'test'];
  const sources = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.m?[jt]s$/.test(name) && !/node_modules|dist/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const named = sources.flatMap((path) =>
    [...read(path).matchAll(/\bdocs\/([\w-]+\.md)(?:#([\w-]+))?/g)].map(([, name = '', anchor]) => ({
      path,
      to: `docs/${name}`,
      anchor,
    })),
  );

  it('are there, with the heading, in messages and comments too', () => {
    expect(named.length).toBeGreaterThan(50);
    const lost = named.filter(
      ({ to, anchor }) =>
        !existsSync(join(root, to)) || (anchor !== undefined && !anchorsOf(read(to)).includes(anchor)),
    );
    expect(lost).toEqual([]);
  });

  it('have the headings of SECURITY.md that others link', () => {
    expect(anchorsOf(read('SECURITY.md'))).toEqual(
      expect.arrayContaining([
        'reporting',
        'what-you-install',
        'what-is-worth-protecting',
        'attackers-and-what-stops-them',
        'the-session',
        'what-always-holds',
        'what-is-not-defended',
        'what-is-not-a-bug',
      ]),
    );
  });
});

describe('the documents', () => {
  it('F134 name the issuer in each trust entry for IDs, as the first ID in front of it has one (K10)', () => {
    const entries = [...documents().flatMap((path) => blocksOf(path)), ...examples()].flatMap(
      ({ place, code }) => [...code.matchAll(/sdJwtVc\(\{.*?vct:/gs)].map(([entry]) => ({ place, entry })),
    );
    expect(entries.length).toBeGreaterThan(0);
    expect(entries.filter(({ entry }) => !/\biss: /.test(entry))).toEqual([]);
  });

  it("show a flow's life with a row for everything that can happen", () => {
    const names = [...lifeTables().matchAll(/^\| `(\w+)` \| /gm)].map(([, name]) => name);
    expect(names).toEqual(Object.keys(transitions));
  });

  it('name no variable of the environment that nobody reads', () => {
    const readers = [
      'lib/options/options.ts',
      'lib/service/options.ts',
      'lib/dev/cli/simulate.ts',
      'package.json',
    ];
    const known = readers.map(read).join('');
    const named = documents().flatMap((path) =>
      [...read(path).matchAll(/\b(IDENTITY_[A-Z_]+|APP_URL)\b/g)].map(([name]) => `${path} ${name}`),
    );
    expect(named.filter((line) => !known.includes(line.split(' ')[1] ?? ''))).toEqual([]);
  });

  it('name no file that is not there', () => {
    const named = documents().flatMap((path) =>
      [...read(path).matchAll(/`((?:lib|test|docs|example-app|examples|tools|bench|\.ci)\/[\w./-]+)`/g)].map(
        ([, file = '']) => file,
      ),
    );
    expect(named).toContain('lib/flow/transitions.ts');
    expect(named.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });

  it.each(['flow', 'layers'])('show the picture %s as `dot` draws it from the text next to it', (name) => {
    const labels = [...read(`docs/diagrams/${name}.dot`).matchAll(/label="([^"]+)"/g)];
    const expected = labels.flatMap(([, label = '']) => label.split('\\n'));
    const drawn = [...read(`docs/diagrams/${name}.svg`).matchAll(/<text [^>]*>([^<]*)<\/text>/g)];
    const shown = drawn.map(([, text = '']) => text.replaceAll('&#45;', '-').replaceAll('&#160;', ' '));
    expect(shown.toSorted()).toEqual(expected.toSorted());
  });

  it('name at least one file in each step of a recipe, and a command that exists', () => {
    const [, recipes = ''] = read('docs/architecture.md').split('<!-- recipes -->');
    const steps = [...recipes.matchAll(/^\d\. (.*)$/gm)].map(([, step = '']) => step);
    expect(steps).not.toEqual([]);
    const top = [...recipes.matchAll(/`([\w-]+\.(?:md|mjs|json))`/g)].map(([, file = '']) => file);
    expect(top.filter((file) => !existsSync(join(root, file)))).toEqual([]);
    const named = /`(?:lib|test|docs|example-app|examples|tools|bench|\.ci)\b|`[\w-]+\.(?:md|mjs|json)`/;
    expect(steps.filter((step) => !named.test(step))).toEqual([]);
  });

  it('name every package that is installed with the kit, or inside it', () => {
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: Record<string, string> };
    const [, section = ''] = /## What you install\n(.*?)\n## /s.exec(read('SECURITY.md')) ?? [];
    const packages = [...Object.keys(dependencies), ...Object.keys(bundled)];
    expect(packages).toContain('zod');
    expect(packages.filter((name) => !section.includes(`\`${name}\``))).toEqual([]);
  });

  it('tell the options that there are, a line each, and the hooks in one', () => {
    const [, lists = ''] = read('docs/options.md').split('<!-- options -->');
    const lines = [...lists.matchAll(/^\| `(\w+)` +\|/gm)].map(([, name = '']) => name);
    const hooks = [...(lists.split('## Hooks')[1] ?? '').matchAll(/`(\w+)`/g)].map(([, name = '']) => name);
    expect([...lines, ...hooks].toSorted()).toEqual(Object.keys(optionMembers).toSorted());
  });
});

describe('a number that the documents have from the code', () => {
  const { hookTimeout } = configured().limits;
  const seconds = (ms: number): number => ms / 1_000;
  const [lock, lease] = [seconds(lockMs(hookTimeout)), seconds(leaseMs(hookTimeout))];
  const [besideLock, besideLease] = [seconds(lockMs(0)), seconds(leaseMs(0))];
  const counted = Object.values(checks).filter(
    (entry) => typeof entry === 'string' || entry.refusedAs.length > 0,
  );
  const tokens = mutants().length + entryMutants('nonce').mutants.length;

  it.each([
    [
      'docs/architecture.md',
      `twice \`limits.hookTimeout\` and ${besideLock} seconds, so ${lock} seconds by default`,
    ],
    [
      'docs/architecture.md',
      `twice \`limits.hookTimeout\` and ${besideLease} seconds, so ${lease} by default`,
    ],
    ['docs/errors.md', `for up to ${lease} seconds in the callback and ${lock} seconds in the return`],
    ['SECURITY.md', `it counts for ${lock} seconds at most`],
    ['docs/evidence.md', `otherwise good | ${tokens} |`],
    ['docs/evidence.md', `(\`npm --prefix bench run checks\`) | ${counted.length} |`],
  ])('is in %s: %s', (path, sentence) => {
    expect(read(path)).toContain(sentence);
  });
});
