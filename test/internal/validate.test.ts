import { describe, expect, test } from '@jest/globals';
import { nearMiss } from '../../lib/internal/validate.js';

describe('near misses', () => {
  const known = ['reveal', 'requests', 'routes', 'path', 'keep', 'keepFor'];
  test.each([
    ['revael', 'reveal'],
    ['Reveal', 'reveal'],
    ['request', 'requests'],
    ['keepfor', 'keepFor'],
    ['pth', 'path'],
    ['', undefined],
    ['completelyElse', undefined],
  ])('%s means %p', (name, meant) => {
    expect(nearMiss(name, known)).toBe(meant);
  });

  test('nothing is near where nothing is known', () => {
    expect(nearMiss('x', [])).toBeUndefined();
  });
});
