import { describe, expect, it } from '@jest/globals';
import { safePath } from '../../lib/safe/safe-path.js';

const origin = 'https://shop.example';

describe('F13 safePath', () => {
  it.each([
    ['/', '/'],
    ['/club', '/club'],
    ['/club/7?tab=a&next=//evil.example#part', '/club/7?tab=a&next=//evil.example#part'],
    ['/a/../b', '/b'],
    ['/a//b', '/a//b'],
    ['/@evil.example', '/@evil.example'],
    ['/https://evil.example', '/https://evil.example'],
    ['/größe', '/gr%C3%B6%C3%9Fe'],
    ['/a b', '/a%20b'],
  ])('%s stands as %s', (path, location) => {
    expect(safePath(path, origin)).toBe(location);
    expect(new URL(location, origin).origin).toBe(origin);
  });

  it.each([
    '',
    'club',
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/a\\b',
    '/.//evil.example',
    '/..//evil.example',
    '/a/..//evil.example',
    '/%2e//evil.example',
    '/%2E%2e//evil.example',
    '/%2fevil.example',
    '/%2F/evil.example',
    '/.%2f/../%2fevil.example',
    '/%5cevil.example',
    '/%5Cevil.example',
    '/\tevil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/a%0d%0aset-cookie:x',
    '/a%00',
    '/a%7f',
    '/a\u0085b',
    'https://evil.example/',
    'https://shop.example/club',
    'https:/evil.example',
    'javascript:alert(1)',
    '?a=b',
    '#a',
    `/${'a'.repeat(2_000)}`,
    undefined,
    null,
    ['/club'],
    { toString: () => '/club' },
  ])('refuses %j', (path) => {
    expect(safePath(path, origin)).toBeUndefined();
  });

  it('answers nothing where the origin is none', () => {
    expect(safePath('/club', 'null')).toBeUndefined();
    expect(safePath('/club', 'https://shop.example/app')).toBeUndefined();
  });
});
