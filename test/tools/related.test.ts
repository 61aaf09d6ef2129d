import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, test } from '@jest/globals';
import config from '../../jest.config.mjs';
import { changesIn, loadersOf, type Sources } from '../../tools/related/changes.js';
import { type ExecutedMap, readMap } from '../../tools/related/map.js';
import { digest, partsOf } from '../../tools/related/parts.mjs';
import { isQuick, plan, report } from '../../tools/related/plan.js';
import { nearness, select } from '../../tools/related/select.js';
import { root } from '../support/root.js';

describe('the parts of a source', () => {
  const source = `
    import { b } from './b.js';
    /** A limit. */
    const limit = 3;
    export function make(n: number = limit): () => number {
      return wrap(() => n, { at: (x) => x });
    }
    export const short = (n: number) => n;
    class A { own = 1; run() { return b(this.own); } }
    interface Gone { a: string }`;

  it('have names that no line is part of, functions in the order of the source', () => {
    expect(partsOf(source).parts.map(({ name }) => name)).toEqual([
      'the top of limit',
      'make',
      'make › wrap()',
      'make › at',
      'short',
      'the top of A',
      'A › run',
    ]);
  });

  it('have a text without comments, types and other parts', () => {
    const textOf = (text: string, name: string) =>
      partsOf(text).parts.find((part) => part.name === name)?.text;
    const other = source.replace('A limit.', 'Another comment.').replaceAll(': number', ': bigint');
    for (const { name, text } of partsOf(source).parts) expect(textOf(other, name)).toBe(text);
    expect(textOf(source, 'make')).not.toContain('=> n');
    expect(textOf(source.replace('() => n,', '() => n + 1,'), 'make')).toBe(textOf(source, 'make'));
    expect(textOf(source.replace('() => n,', '() => n + 1,'), 'make › wrap()')).toBe('( ) => n + 1');
  });
});

/** Sources in memory, with what they were before. */
function sourcesOf(now: Readonly<Record<string, string>>, before: Readonly<Record<string, string>>): Sources {
  return {
    files: Object.keys(now),
    now: (file) => now[file],
    before: (file) => before[file] ?? now[file],
  };
}

const lib: Readonly<Record<string, string>> = {
  'lib/a/limits.ts': `export const max = 3;\nexport const least = 1;\nexport const both = [max, least];`,
  'lib/a/index.ts': `export { max as most } from './limits.js';\nexport * from './check.js';`,
  'lib/a/check.ts': `import * as limits from './limits.js';
    export function check(n: number) { return n > limits.least; }
    export const table = [1].map(check);
    export const listed = [check(1)];`,
  'lib/b/use.ts': `import { most, check } from '../a/index.js';
    export const use = (n: number) => (n > most ? 0 : check(n));
    export const other = () => 1;`,
  'test/a/limits.test.ts': `import { both } from '../../lib/a/limits.js';\nimport { help } from '../support/help.js';`,
  'test/b/use.test.ts': `import { use } from '../../lib/b/use.js';`,
  'test/support/help.ts': `import './deeper.js';\nexport const help = 1;`,
  'test/support/deeper.ts': `export const deeper = 1;`,
};

/** What is touched where one file has another text. */
function touchedBy(file: string, from: string, to: string) {
  const now = { ...lib, [file]: (lib[file] ?? '').replace(from, to) };
  expect(now[file]).not.toBe(lib[file]);
  const { touched, readers, unused } = changesIn([file], sourcesOf(now, lib));
  return {
    touched: touched.map(
      (part) => `${part.file} ${part.name}${part.via === undefined ? '' : ` (${part.via})`}`,
    ),
    readers: [...readers.keys()],
    unused: [...unused.keys()],
  };
}

describe('what a change touches', () => {
  const nothing = { touched: [], readers: [], unused: [] };

  it('is the function in which something was changed', () => {
    expect(touchedBy('lib/b/use.ts', '=> 1', '=> 2')).toEqual({
      ...nothing,
      touched: ['lib/b/use.ts other'],
    });
  });

  it('is nothing where only a comment, a type or a place was changed', () => {
    expect(touchedBy('lib/b/use.ts', 'export const other', '\n// why\nexport const other')).toEqual(nothing);
    expect(touchedBy('lib/b/use.ts', '(n: number)', '(n: bigint)')).toEqual(nothing);
  });

  it('of a constant is what uses it, under any name and through any file, and the tests that import it', () => {
    expect(touchedBy('lib/a/limits.ts', 'max = 3', 'max = 4')).toEqual({
      touched: ['lib/b/use.ts use (max of lib/a/limits.ts)'],
      readers: ['test/a/limits.test.ts'],
      unused: [],
    });
    expect(touchedBy('lib/a/limits.ts', 'least = 1', 'least = 2').touched).toEqual([
      'lib/a/check.ts check (least of lib/a/limits.ts)',
    ]);
  });

  it('of what no function uses is told', () => {
    expect(touchedBy('lib/a/check.ts', '[1]', '[2]')).toEqual({ ...nothing, unused: ['lib/a/check.ts'] });
  });

  it('is a function that is new, and one that is gone', () => {
    expect(touchedBy('lib/b/use.ts', 'other', 'another').touched).toEqual([
      'lib/b/use.ts another',
      'lib/b/use.ts other',
    ]);
  });

  it('is what uses a name that is imported from elsewhere now', () => {
    expect(touchedBy('lib/b/use.ts', '../a/index.js', '../a/others.js').touched).toEqual([
      'lib/b/use.ts use (most, which lib/b/use.ts imports)',
    ]);
  });

  it('of a helper is every test file that loads it, through others too', () => {
    expect(loadersOf(new Set(['test/support/deeper.ts']), sourcesOf(lib, {}))).toEqual([
      'test/a/limits.test.ts',
    ]);
  });
});

const tests = ['test/a/check.test.ts', 'test/a/limits.test.ts', 'test/b/use.test.ts', 'test/b/wide.test.ts'];
const textOf = (name: string): string =>
  digest(partsOf(lib['lib/b/use.ts'] ?? '').parts.find((part) => part.name === name)?.text ?? '');
const map: ExecutedMap = {
  made: '2026-01-01T00:00:00.000Z',
  tests: tests.map((file) => ({ file, text: digest(lib[file] ?? ''), ms: 1, passed: true })),
  files: {
    'lib/b/use.ts': {
      loaded: [0, 1, 2, 3],
      functions: {
        use: { text: textOf('use'), ran: [0, 1, 2, 3], arms: [[3], [0, 1, 2]] },
        other: { text: textOf('other'), ran: [], arms: [] },
      },
    },
  },
};

describe('the test files that are chosen', () => {
  const [use] = changesIn(
    ['lib/b/use.ts'],
    sourcesOf({ ...lib, 'lib/b/use.ts': (lib['lib/b/use.ts'] ?? '').replace('? 0', '? 1') }, lib),
  ).touched;
  const touched = use === undefined ? [] : [use];
  const chosen = (most: number, first: readonly string[] = []) => {
    const wanted = { first: first.map((file) => ({ file, why: '' })), lists: [], most };
    const { run, left } = select(touched, map, tests, wanted);
    return [run.map(({ file }) => file), left.map(({ file }) => file)];
  };

  it('are those that executed it: first the test of its file and those that take a rare branch', () => {
    expect(chosen(2)).toEqual([
      ['test/b/wide.test.ts', 'test/b/use.test.ts'],
      ['test/a/check.test.ts', 'test/a/limits.test.ts'],
    ]);
    expect(nearness('lib/b/use.ts', 'test/b/use.test.ts')).toBe(1);
    expect(nearness('lib/b/use.ts', 'test/b/wide.test.ts')).toBe(0.5);
    expect(nearness('lib/b/use.ts', 'test/a/check.test.ts')).toBe(0);
  });

  it('begin with what must run in any case, and no file is there twice', () => {
    expect(chosen(1, ['test/a/check.test.ts', 'test/b/wide.test.ts'])[0]).toEqual([
      'test/a/check.test.ts',
      'test/b/wide.test.ts',
    ]);
  });

  it('are those of its folder where the map does not know it, and the function is named', () => {
    const [unknown] = touched.map((part) => ({ ...part, name: 'new' }));
    const wanted = { first: [], lists: [], most: 9 };
    const selection = select(unknown === undefined ? [] : [unknown], map, tests, wanted);
    expect(selection.run.map(({ file }) => file)).toEqual(['test/b/use.test.ts', 'test/b/wide.test.ts']);
    expect(selection.unknown).toEqual([unknown]);
  });

  it('are none where nothing executed it, which is said', () => {
    const part = partsOf(lib['lib/b/use.ts'] ?? '').parts.find(({ name }) => name === 'other');
    const other = { file: 'lib/b/use.ts', name: 'other', before: part?.text, now: '( ) => 2' };
    const selection = select([other], map, tests, { first: [], lists: [], most: 9 });
    expect(selection).toMatchObject({ run: [], unknown: [], untested: [other] });
  });
});

describe('the plan', () => {
  const projects = [
    { testMatch: ['<rootDir>/test/a/**/*.test.ts', '<rootDir>/test/b/*.test.ts'] },
    {
      testMatch: ['<rootDir>/test/house/*.test.ts'],
      testPathIgnorePatterns: ['/test/(house/slow)\\.test\\.ts$'],
    },
  ];
  const files = {
    ...lib,
    'test/a/check.test.ts': '',
    'test/b/wide.test.ts': '',
    'test/house/source.test.ts': `sourcesIn('lib')`,
    'test/house/words.test.ts': '',
    'test/house/slow.test.ts': '',
  };
  const house = ['test/house/source.test.ts', 'test/house/words.test.ts'] as const;
  const known: ExecutedMap = {
    ...map,
    tests: [...map.tests, ...house.map((file) => ({ file, text: digest(files[file]), ms: 1, passed: true }))],
  };
  const planned = (changed: Readonly<Record<string, string>>, its: ExecutedMap = known) =>
    plan({
      changed: Object.keys(changed),
      sources: sourcesOf({ ...files, ...changed }, files),
      map: its,
      projects,
      most: 25,
    });
  const changedUse = { 'lib/b/use.ts': (lib['lib/b/use.ts'] ?? '').replace('? 0', '? 1') };

  it('has the tests of what was changed, and those that read the sources of lib as text', () => {
    const text = report(planned(changedUse), 'abc (a commit)');
    expect(text).toContain('1 file changed since abc (a commit).\n5 test files to run:\n');
    expect(text).toContain('  test/house/source.test.ts: reads the sources of lib\n');
    expect(text).toContain('  test/b/use.test.ts: executes use of lib/b/use.ts\n');
    expect(text).not.toContain('words.test.ts');
    expect(text).toContain('was made at 2026-01-01T00:00:00.000Z; npm test -- --coverage renews it.');
    expect(text).toMatch(/\nNot looked at: deep tests .* and types .*\.\n$/);
  });

  it('has a test file that was changed, those that load a changed helper, and the house beside both', () => {
    const changed = { 'test/b/wide.test.ts': '// more', 'test/support/deeper.ts': '// more' };
    expect(planned(changed).run.map(({ file, why }) => `${file}: ${why}`)).toEqual([
      'test/b/wide.test.ts: was changed',
      'test/house/source.test.ts: reads documents, titles and sources',
      'test/house/words.test.ts: reads documents, titles and sources',
      'test/a/limits.test.ts: loads test/support/deeper.ts',
    ]);
  });

  it('says what it does not know', () => {
    const old = {
      ...known,
      tests: known.tests.map((its, at) => ({
        ...its,
        passed: at !== 0,
        text: at === 1 ? 'another' : its.text,
      })),
    };
    const changed = {
      'lib/b/use.ts': `${lib['lib/b/use.ts']}\nexport const third = () => 3;`,
      'test/house/slow.test.ts': '// more',
      'bench/main.ts': '',
      'package.json': '{}',
    };
    const text = report(planned(changed, old), 'abc');
    expect(text).toContain('not as they are now, so their folders were added: third of lib/b/use.ts\n');
    expect(text).toContain(
      'does not know what they execute now: test/a/check.test.ts, test/a/limits.test.ts\n',
    );
    expect(text).toContain('Deep tests were changed: npm run test:deep --: test/house/slow.test.ts\n');
    expect(text).toContain('Nothing is known of who depends on: bench/main.ts\n');
    expect(text).toContain('Every test depends on package.json: run npm test.\n');
  });

  it('takes folders where there is no map, and says how it is made', () => {
    const text = report(
      plan({
        changed: ['lib/b/use.ts'],
        sources: sourcesOf({ ...files, ...changedUse }, files),
        map: undefined,
        projects,
        most: 25,
      }),
      'abc',
    );
    expect(text).toContain('  test/b/use.test.ts: is in test/b, the folder of lib/b/use.ts\n');
    expect(text).toContain('There is no map of what each test file executes, so the folders were taken');
    expect(text).not.toContain('It does not know');
  });

  it('knows the files of npm test', () => {
    const isOurs = (file: string) => isQuick(file, config.projects);
    expect(
      [
        'test/errors.test.ts',
        'test/flow/flow.test.ts',
        'test/tools/related.test.ts',
        'test/faults/flood.test.ts',
      ].map(isOurs),
    ).toEqual([true, true, false, false]);
  });
});

describe('the map', () => {
  /** A run of jest with coverage over two files of tests. */
  async function run(...more: readonly string[]): Promise<ExecutedMap | undefined> {
    const folder = await mkdtemp(join(tmpdir(), 'pidgate-related-'));
    const write = async (file: string, text: string) => await writeFile(join(folder, file), text);
    await mkdir(join(folder, 'lib'));
    await write(
      'lib/a.ts',
      `interface A { n: number }
      export const half = ({ n }: A): number => (n > 9 ? n / 2 : never());
      function never(): number { return 0; }`,
    );
    const half = `import { half } from './lib/a.js';`;
    await write('one.test.ts', `${half} test('a', () => { half({ n: 10 }); half({ n: 1 }); });`);
    await write('two.test.ts', `${half} test('a', () => void half({ n: 10 }));`);
    await write('bad.test.ts', `test('a', () => { throw new Error('on purpose'); });`);
    await write('package.json', '{}');
    const settings = {
      rootDir: folder,
      testMatch: ['**/*.test.ts'],
      extensionsToTreatAsEsm: ['.ts'],
      moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
      transform: {
        '\\.ts$': [
          join(root, 'node_modules/@swc/jest/index.js'),
          { jsc: { target: 'es2023', parser: { syntax: 'typescript' } } },
        ],
      },
      collectCoverageFrom: ['lib/**/*.ts'],
      coverageReporters: ['json'],
      reporters: [join(root, 'tools/related/map-reporter.mjs')],
    };
    await write('jest.config.json', JSON.stringify(settings));
    const jest = join(root, 'node_modules/jest/bin/jest.js');
    await new Promise((resolve) => {
      execFile(
        process.execPath,
        ['--experimental-vm-modules', jest, '--config', join(folder, 'jest.config.json'), ...more],
        { cwd: folder },
        resolve,
      );
    });
    const made = readMap(join(folder, 'coverage/executed.json'));
    await rm(folder, { recursive: true });
    return made;
  }

  test('is made by a whole run with coverage: who executes which function and branch, and what failed', async () => {
    const made = await run('--coverage');
    const names = made?.tests.map(({ file }) => file) ?? [];
    const [one, two] = [names.indexOf('one.test.ts'), names.indexOf('two.test.ts')];
    expect(made?.tests.filter(({ passed }) => !passed).map(({ file }) => file)).toEqual(['bad.test.ts']);
    const { half, never } = made?.files['lib/a.ts']?.functions ?? {};
    expect(new Set(half?.ran)).toEqual(new Set([one, two]));
    expect([half?.arms, never?.ran, never?.arms]).toEqual([[[one]], [one], []]);
  });

  test('is not made by a part of a run, or without coverage', async () => {
    expect(await run()).toBeUndefined();
    expect(await run('--coverage', 'one')).toBeUndefined();
    expect(await run('--coverage', '-t', 'a')).toBeUndefined();
  });

  test('is read in vain where it is not there, and refused where it is broken', async () => {
    expect(readMap(join(root, 'no-such-folder/executed.json'))).toBeUndefined();
    expect(() => readMap(join(root, 'README.md'))).toThrow('JSON');
    expect(await readFile(join(root, '.gitignore'), 'utf8')).toContain('coverage\n');
  });
});

describe('the command', () => {
  const related = async (...args: readonly string[]) =>
    await new Promise<{ code: unknown; out: string; told: string }>((resolve) => {
      const main = join(root, 'tools/related/main.ts');
      execFile(
        process.execPath,
        ['--import', 'tsx', main, ...args],
        { cwd: root, encoding: 'utf8' },
        (error, out, told) => {
          resolve({ code: error?.code ?? 0, out, told });
        },
      );
    });

  test('says what it would run, and runs nothing, with --list', async () => {
    const { code, out } = await related('--list', '--since', 'HEAD');
    expect([code, out]).toEqual([0, expect.stringMatching(/ changed since /)]);
    expect(out).not.toContain('Test Suites:');
  });

  test('refuses what it does not know, with how it is called', async () => {
    expect(await related('--all')).toMatchObject({
      code: 2,
      told: expect.stringContaining('--most <number>'),
    });
    expect(await related('--most', 'none')).toMatchObject({
      code: 2,
      told: expect.stringContaining('--most must be'),
    });
    expect(await related('--since', 'nowhere')).toMatchObject({
      code: 2,
      told: 'git knows no commit nowhere.\n',
    });
    expect(await related('--help')).toMatchObject({
      code: 0,
      out: expect.stringContaining('--since <commit>'),
    });
  });
});
