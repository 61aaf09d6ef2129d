import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createPartedMap } from '../../lib/stores/memory/parted-map.js';

const key = fc.oneof(fc.constantFrom('', 'a', 'ab', 'ba'), fc.string({ maxLength: 3 }));
const step = fc.tuple(fc.constantFrom('set', 'delete', 'get'), key, fc.nat());

test('does what a Map does', () => {
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const parted = createPartedMap<number>();
      const plain = new Map<string, number>();
      for (const [what, name, value] of steps) {
        if (what === 'set') {
          parted.set(name, value);
          plain.set(name, value);
        } else if (what === 'delete') {
          parted.delete(name);
          plain.delete(name);
        }
        expect(parted.get(name)).toBe(plain.get(name));
        expect(parted.size()).toBe(plain.size);
      }
    }),
  );
});

test('counts what it holds', () => {
  const parted = createPartedMap<number>();
  const ids = Array.from({ length: 5_000 }, () => randomBytes(32).toString('base64url'));
  for (const [index, id] of ids.entries()) parted.set(id, index);
  expect(parted.size()).toBe(5_000);
  expect(ids.map((id) => parted.get(id))).toEqual([...ids.keys()]);
  for (const id of ids) parted.delete(id);
  expect(parted.size()).toBe(0);
});
