import { describe, expect, it } from '@jest/globals';
import { readOwn, writeOwn } from '../../../lib/web/session/entry.js';

const key = 'pidgate /identity';
const nothing = { flows: [], kept: {} };

describe("the kit's own data in a session", () => {
  it('are one string', () => {
    expect(readOwn({ [key]: writeOwn(nothing) }, key)).toEqual(nothing);
    expect(typeof writeOwn(nothing)).toBe('string');
  });

  it.each([['{"kept":{"default":"Erika'], [''], ['undefined'], [{ flows: 'all' }], [undefined]])(
    'count as nothing where they cannot be read (%p), and no error quotes them',
    (broken) => {
      expect(readOwn({ [key]: broken }, key)).toEqual(nothing);
    },
  );
});
