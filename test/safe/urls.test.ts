import { describe, expect, it } from '@jest/globals';
import { isLoopback, secureUrl } from '../../lib/safe/urls.js';

describe('isLoopback', () => {
  it.each([
    'http://localhost',
    'https://LOCALHOST:1',
    'http://127.0.0.1',
    'http://127.9.9.9',
    'http://[::1]:80',
    'http://2130706433',
    'http://0x7f.1',
  ])('is true for %s', (url) => {
    expect(isLoopback(new URL(url))).toBe(true);
  });

  it.each([
    'http://localhost.evil.example',
    'http://127.0.0.1.evil.example',
    'http://evil.example/localhost',
    'http://localhost@evil.example',
    'http://0.0.0.0',
    'http://[::]',
    'http://128.0.0.1',
    'http://192.168.0.1',
    'http://a127.0.0.1.nip.io',
  ])('is false for %s', (url) => {
    expect(isLoopback(new URL(url))).toBe(false);
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

  it.each([
    '',
    'service.example',
    '/path',
    '//service.example',
    'https://',
    'javascript:alert(1)',
    'javascript://localhost/%0aalert(1)',
    'ftp://localhost/',
    'ws://localhost/',
    'file:///etc/passwd',
    'data:text/html,x',
    'blob:https://service.example/1',
    'https://user@service.example',
    'https://:password@service.example',
    'http://user@localhost',
    undefined,
    null,
    5,
    {},
    new URL('https://service.example'),
  ])('refuses %p', (value) => {
    expect(secureUrl(value, true)).toBeUndefined();
  });
});
