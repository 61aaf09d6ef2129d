import { expect, test } from '@jest/globals';
import { lostInJson } from '../../lib/internal/find-unserializable.js';

const member = (value: unknown): string | undefined => lostInJson({ a: [1, { b: value }] }, 'kept');

test.each([
  null,
  undefined,
  '',
  0,
  -1.5,
  true,
  {},
  [],
  [undefined],
  Object.create(null),
  new Date(0),
  { toJSON: () => 1, more: () => 1 },
  { x: undefined },
])('nothing is lost of %p', (value) => {
  expect(member(value)).toBeUndefined();
});

test.each([Number.NaN, Infinity, () => 1, Symbol('x'), new Map([[1, 2]]), new Set([1]), /x/, new Error('x')])(
  '%p is lost, and its place is named',
  (value) => {
    expect(member(value)).toBe('kept.a.1.b');
  },
);
