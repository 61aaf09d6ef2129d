import { describe, expect, it } from '@jest/globals';
import { findEntry, nodeArguments } from '../../../lib/dev/cli/entry.js';
import { folder } from './terminal.js';

describe('The entry', () => {
  const order: [string[], string][] = [
    [['server.ts', 'server.js', 'app.ts', 'index.ts', 'src/server.ts'], 'server.ts'],
    [['server.js', 'app.ts'], 'server.js'],
    [['app.ts', 'app.js'], 'app.ts'],
    [['app.js', 'index.ts'], 'app.js'],
    [['index.ts', 'src/server.ts'], 'index.ts'],
    [['index.js', 'src/server.ts'], 'index.js'],
    [['src/index.js', 'src/app.ts'], 'src/app.ts'],
  ];
  it.each(order)('of %j is %s', (names, expected) => {
    const cwd = folder(Object.fromEntries(names.map((name) => [name, ''])));
    expect(findEntry(cwd, undefined)).toBe(`${cwd}/${expected}`);
  });

  it('is "main" of package.json where nothing else is there', () => {
    const cwd = folder({ 'package.json': '{"main": "lib/start.js"}', 'lib/start.js': '' });
    expect(findEntry(cwd, undefined)).toBe(`${cwd}/lib/start.js`);
  });

  it('in TypeScript uses the tsx beside it before the one of the working folder', () => {
    const files = {
      'node_modules/tsx/package.json': '{"name": "tsx", "exports": "./own.mjs"}',
      'node_modules/tsx/own.mjs': '',
      'server.ts': '',
    };
    const own = folder(files);
    expect(nodeArguments(`${own}/server.ts`, process.cwd())).toEqual([
      '--import',
      `file://${own}/node_modules/tsx/own.mjs`,
      `${own}/server.ts`,
    ]);
  });
});
