import { describe, expect, it } from '@jest/globals';
import { mediaType } from '../../lib/internal/fetch-bounded.js';

describe('mediaType', () => {
  it.each([
    ['application/json', 'application/json'],
    ['Application/JSON;charset=utf-8', 'application/json'],
    ['application/json ; a=b; c=d', 'application/json'],
    ['application/json, text/html', 'application/json, text/html'],
    ['', ''],
    [null, ''],
    [undefined, ''],
  ])('of %j is %j', (header, type) => {
    expect(mediaType(header)).toBe(type);
  });
});
