import { describe, expect, it } from '@jest/globals';
import { isLoopback, safePath, secureUrl } from '../../lib/internal/urls.js';

/** The words of a text: addresses, without a space in them. */
const words = (text: string): string[] => text.trim().split(/\s+/);

describe('isLoopback', () => {
  const local = 'localhost LOCALHOST:1 127.0.0.1 127.9.9.9 [::1]:80 2130706433 0x7f.1';
  it.each(words(local))('is true for http://%s', (host) => {
    expect(isLoopback(new URL(`http://${host}`))).toBe(true);
  });

  const foreign = `localhost.evil.example 127.0.0.1.evil.example evil.example/localhost localhost@evil.example
    0.0.0.0 [::] 128.0.0.1 192.168.0.1 a127.0.0.1.nip.io`;
  it.each(words(foreign))('is false for http://%s', (host) => {
    expect(isLoopback(new URL(`http://${host}`))).toBe(false);
  });
});

describe('secureUrl', () => {
  it('takes https anywhere', () => {
    expect(secureUrl('https://service.example/x', false)?.href).toBe('https://service.example/x');
    expect(secureUrl('https://localhost:1/', false)?.href).toBe('https://localhost:1/');
    expect(secureUrl('HTTPS:\\\\service.example', true)?.href).toBe('https://service.example/');
  });

  it('takes http on this machine only where that is allowed', () => {
    expect(secureUrl('http://127.0.0.1:3000', true)?.href).toBe('http://127.0.0.1:3000/');
    expect(secureUrl('http://127.0.0.1:3000', false)).toBeUndefined();
    expect(secureUrl('http://service.example', true)).toBeUndefined();
  });

  const bad = `service.example /path //service.example https:// javascript:alert(1)
    javascript://localhost/%0aalert(1) ftp://localhost/ ws://localhost/ file:///etc/passwd data:text/html,x
    blob:https://service.example/1 https://user@service.example https://:password@service.example
    http://user@localhost`;
  const noText = [undefined, null, 5, {}, new URL('https://service.example')];
  it.each([...words(bad), '', ...noText])('refuses %p', (value) => {
    expect(secureUrl(value, true)).toBeUndefined();
  });
});

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

  const noPaths =
    'club https://evil.example/ https://shop.example/club https:/evil.example javascript:alert(1) ?a=b #a';
  const elsewhere = `//evil.example ///evil.example /.//evil.example /..//evil.example /a/..//evil.example
    /%2e//evil.example /%2E%2e//evil.example /..%2fbank /club%2f%2e./..%2Fbank /club%2F%2E%2e /%2fevil.example
    /%2F/evil.example /.%2f/../%2fevil.example /%5cevil.example /%5Cevil.example`;
  const backslashes = ['/\\evil.example', '\\\\evil.example', '/a\\b'];
  const controls = [
    '/\tevil.example',
    '/\n/evil.example',
    '\t//evil.example',
    ' //evil.example',
    '/a\u0085b',
  ];
  const encodedControls = '/a%0d%0aset-cookie:x /a%00 /a%7f';
  const noText = [undefined, null, ['/club'], { toString: () => '/club' }];
  it.each([
    ...words(noPaths),
    ...words(elsewhere),
    ...backslashes,
    ...controls,
    ...words(encodedControls),
    `/${'a'.repeat(2_000)}`,
    '',
    ...noText,
  ])('refuses %j', (path) => {
    expect(safePath(path, origin)).toBeUndefined();
  });

  it('returns undefined if the origin is none', () => {
    expect(safePath('/club', 'null')).toBeUndefined();
  });

  it.each([
    ['/', '/'],
    ['/../app/club', '/club'],
    ['/club/../x', '/x'],
    ['/a%2f...%2fb', '/a%2f...%2fb'],
    ['/../application', undefined],
    ['/../app', undefined],
    ['/..', undefined],
    ['/%2e%2e/bank', undefined],
    ['/..%2fbank', undefined],
    ['/.//evil.example', undefined],
  ])('%s below a prefix: %s', (path, location) => {
    expect(safePath(path, 'https://shop.example/app')).toBe(location);
  });
});
