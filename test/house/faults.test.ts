import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { faults, filesByFault, index, later, page } from '../faults/index.mjs';

describe('the index of faults', () => {
  it('is what `node test/faults/index.mjs --write` writes', () => {
    expect(readFileSync(page, 'utf8')).toBe(index());
  });

  it('has every number that a test bears', () => {
    expect([...filesByFault().keys()].filter((name) => !Object.hasOwn(faults, name))).toEqual([]);
  });

  it('has a test of every number, but for those that come later', () => {
    const found = filesByFault();
    expect(Object.keys(faults).filter((name) => !found.has(name) && !later.includes(name))).toEqual([]);
  });
});
