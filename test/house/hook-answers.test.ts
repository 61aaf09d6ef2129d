import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { root } from '../support/root.js';

/** Hooks whose answer has a wrong key: the compiler names it, or the one that was meant. */
const wrongKeys: readonly string[] = [
  `() => ({ refused: 'x' })`,
  `() => ({ Refuse: 'x' })`,
  `() => ({ refusal: 'x' })`,
  `() => ({ refuses: 'x' })`,
  `() => ({ error: 'x' })`,
  `() => ({ redirect: '/x' })`,
  `() => ({ redirectto: '/x' })`,
  `async () => ({ refused: 'x' })`,
  `async () => { if (c) return { refused: 'x' }; return { redirectTo: '/x' }; }`,
  `async () => { if (c) return { refused: 'x' }; return; }`,
  `async () => { if (c) return { refuse: 'x' }; return { redirectto: '/x' }; }`,
  `() => ({ redirectTo: '/x', refused: 'y' })`,
  `async () => ({ redirectTo: '/x', refused: 'y' })`,
  `async () => { if (c) return { redirectTo: '/x', refused: 'y' }; return { redirectTo: '/x' }; }`,
  `() => ({ redirectTo: '/x', refusal: 'y' })`,
  `() => ({ redirectTo: '/x', Refuse: 'y' })`,
  `() => ({ redirectTo: '/x', error: 'y' })`,
  `() => ({ redirectTo: '/x', reject: 'y' })`,
  `() => ({ redirectTo: '/x', _refuse: 'y' })`,
  `() => ({ refuse: 'x', reason: 'y' })`,
  `async () => ({ refuse: 'x', refuseReason: 'y' })`,
  `() => ({ refuse: 'x', redirectUrl: '/y' })`,
];
const namesTheKey =
  /Property '(refuse|redirectTo)' is missing in type|Property '\w+' is incompatible with index signature/;

/** Hooks whose answer is of a wrong kind. */
const wrongKinds: readonly string[] = [
  `() => ({ refuse: null })`,
  `() => ({ refuse: true })`,
  `() => ({ refuse: 403 })`,
  `() => ({ refuse: ['x'] })`,
  `() => ({ refuse: Promise.resolve('x') })`,
  `() => ({ redirectTo: 7 })`,
  `() => ({ redirectTo: null })`,
  `() => ({ redirectTo: new URL('https://app.example/') })`,
  `() => false`,
  `() => c && console.log('new')`,
  `async () => c && (await mail())`,
  `() => 'too_young'`,
  `() => 7`,
  `() => Symbol('too_young')`,
  `() => []`,
  `() => [{ refuse: 'x' }]`,
  `() => () => ({ refuse: 'x' })`,
  `() => new Date()`,
  `() => new Map([['refuse', 'x']])`,
  `async () => await insert()`,
  `({ result }) => result.attributes`,
  `({ result }) => result`,
  `async () => await mail().then(() => true)`,
];
const namesTheKind = /TS2322: Type .* is not assignable to type/;

const wrongOfOnError: readonly string[] = [
  `() => ({ refuse: 'x' })`,
  `() => ({ redirectTo: '/x', refuse: 'y' })`,
  `async () => ({ redirect: '/x' })`,
  `() => '/x'`,
];

const line = (option: string, hook: string): string =>
  `identityVerification({ reveal: ['given_name'], ${option}: ${hook} });`;

const lines: readonly (readonly [line: string, said: RegExp])[] = [
  ...['onSuccess', 'onVerified'].flatMap((option) => [
    ...wrongKeys.map((hook) => [line(option, hook), namesTheKey] as const),
    ...wrongKinds.map((hook) => [line(option, hook), namesTheKind] as const),
  ]),
  ...wrongOfOnError.map((hook) => [line('onError', hook), namesTheKind] as const),
];

/** What the compiler says of each line, its continuation lines included. */
function compile(compilerOptions: object): string[] {
  mkdirSync(join(root, 'test-results'), { recursive: true });
  const cwd = mkdtempSync(join(root, 'test-results/answers-')); // 'pidgate' is found by its own name
  try {
    const head =
      `import { identityVerification } from 'pidgate'; declare const c: boolean; ` +
      `declare function mail(): Promise<void>; interface Row { id: number; name: string } declare function insert(): Promise<Row>;`;
    writeFileSync(join(cwd, 'answers.ts'), [head, ...lines.map(([code]) => code)].join('\n'));
    const common = {
      module: 'nodenext',
      target: 'es2023',
      types: ['node'],
      strict: true,
      skipLibCheck: true,
    };
    writeFileSync(
      join(cwd, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: { ...common, noEmit: true, ...compilerOptions } }),
    );
    const tsc = join(root, 'node_modules/@typescript/native/bin/tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '--pretty', 'false'], { cwd, encoding: 'utf8' });
    const said = new Map<number, string>();
    for (const part of stdout.split(/^(?=answers\.ts\()/m)) {
      const at = Number(/^answers\.ts\((\d+),/.exec(part)?.[1]) - 2;
      said.set(at, (said.get(at) ?? '') + part);
    }
    return lines.map((_line, index) => said.get(index) ?? '');
  } finally {
    rmSync(cwd, { recursive: true });
  }
}

describe('F66 a wrong answer of a hook is a compile error', () => {
  it.each([
    ['strict', {}],
    ['with exactOptionalPropertyTypes', { exactOptionalPropertyTypes: true }],
  ])(
    'F66 %s, and the compiler says what was meant',
    (_name, compilerOptions) => {
      expect(wrongKeys.length + wrongKinds.length).toBeGreaterThanOrEqual(40);
      const said = compile(compilerOptions);
      const missed = lines.flatMap(([code, pattern], index) =>
        pattern.test(said[index] ?? '') ? [] : [`${code}: ${said[index]}`],
      );
      expect(missed).toEqual([]);
    },
    60_000,
  );
});
