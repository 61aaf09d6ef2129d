import { describe, expect, it } from '@jest/globals';
import { readKept, readOwn, writeOwn } from '../../../lib/web/session/entry.js';

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
      expect(readKept({ [key]: broken }, key)).toEqual({});
    },
  );
});

describe('what was kept', () => {
  const record = (name: string) => ({
    issuer: 'xx-sandbox',
    sandbox: true,
    verifiedAt: 1,
    receipt: { id: 'a', presentationSha256: 'b' },
    kept: { name },
    until: 2,
    question: 'c',
  });
  const text = (name: string): string => writeOwn({ flows: [], kept: { default: record(name) } });

  it('is the same object for all that read one session, and no member of it', () => {
    const session = { [key]: text('Erika') };
    const kept = readKept(session, key);
    expect(kept).toEqual({ default: record('Erika') });
    expect(readKept(session, key)).toBe(kept);
    expect(readKept({ ...JSON.parse(JSON.stringify(session)) }, key)).not.toBe(kept);
    expect(Object.keys(session)).toEqual([key]);
    expect(JSON.stringify(session)).toBe(JSON.stringify({ [key]: text('Erika') }));
  });

  it('is read again where the session has changed', () => {
    const session: Record<string, unknown> = { [key]: text('Erika') };
    readKept(session, key);
    session[key] = text('Max');
    expect(readKept(session, key)).toEqual({ default: record('Max') });
    delete session[key];
    expect(readKept(session, key)).toEqual({});
  });

  it('is found where the flows beside it cannot be read', () => {
    const [kept = ''] = text('Erika').split('\n');
    const broken = { [key]: `${kept}\n[{"id"` };
    expect(readOwn(broken, key)).toEqual({ flows: [], kept: { default: record('Erika') } });
  });
});
