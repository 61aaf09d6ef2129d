import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readKept, readOwn, withFlow, withKept, writeOwn } from '../../../lib/web/session/entry.js';
import { seed } from '../../support/seed.js';

const key = 'pidgate /identity';
const nothing = { flows: [], kept: {} };

function keptRecord(kept: unknown) {
  return {
    issuer: 'xx-sandbox',
    sandbox: true,
    verifiedAt: 1,
    receipt: { id: 'a', presentationSha256: 'b' },
    kept,
    until: 2,
    releasedAt: 1,
    question: 'c',
    origin: 'https://app.example',
  };
}

describe("the kit's own data in a session", () => {
  it('are one string', () => {
    expect(readOwn({ [key]: writeOwn(nothing) }, key)).toEqual(nothing);
    expect(typeof writeOwn(nothing)).toBe('string');
  });

  it.each([
    ['kept default xx-sandbox true 1 1 2 a b c - https://app.example {"name":"Erika'],
    ['kept default xx-sandbox true 1 1 2 a b c - https://app.example'],
    ['kept default xx-sandbox true 1 2 a b c - {"as":"an-older-version-kept-it"}'],
    ['kept default %E0%A4%A xx-sandbox true 1 2 a b c - 1'],
    ['flow a b default soon /club open'],
    ['flow a b default 1 /club open twice'],
    [''],
    ['undefined'],
    [{ flows: 'all' }],
    [undefined],
  ])('count as nothing where they cannot be read (%p), and no error quotes them', (broken) => {
    expect(readOwn({ [key]: broken }, key)).toEqual(nothing);
    expect(readKept({ [key]: broken }, key)).toEqual({});
  });
});

describe('what was kept', () => {
  const record = (name: string) => keptRecord({ name });
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
    const broken = { [key]: `${text('Erika')}\nflow a b` };
    expect(readOwn(broken, key)).toEqual({ flows: [], kept: { default: record('Erika') } });
  });

  it('comes back as it was, whatever the app keeps and the issuer is called', () => {
    const words = fc.stringMatching(/^[\w-]{1,43}$/);
    const records = fc.record(
      {
        issuer: fc.string({ minLength: 1, unit: 'grapheme' }),
        sandbox: fc.boolean(),
        verifiedAt: fc.nat(),
        receipt: fc.record({ id: words, presentationSha256: words }),
        kept: fc.jsonValue(),
        until: fc.nat(),
        releasedAt: fc.nat(),
        question: words,
        origin: fc.webUrl(),
        subject: words.filter((it) => it !== '-'),
      },
      {
        noNullPrototype: true,
        requiredKeys: [
          'issuer',
          'sandbox',
          'verifiedAt',
          'receipt',
          'kept',
          'until',
          'releasedAt',
          'question',
          'origin',
        ],
      },
    );
    const flows = fc.record(
      {
        id: words,
        state: words,
        request: words,
        expiresAt: fc.nat(),
        returnTo: fc.webPath().map((path) => `/${path}`),
        finished: fc.constant(true as const),
      },
      { noNullPrototype: true, requiredKeys: ['id', 'state', 'request', 'expiresAt'] },
    );
    fc.assert(
      fc.property(fc.dictionary(words, records), fc.array(flows), (kept, all) => {
        const own = JSON.parse(JSON.stringify({ flows: all, kept })) as typeof nothing;
        const stored = JSON.parse(JSON.stringify({ [key]: writeOwn(own) })) as Record<string, unknown>;
        expect(readOwn(stored, key)).toEqual(own);
        expect(readKept(stored, key)).toEqual(own.kept);
      }),
      { seed },
    );
  });

  it.each(['\n', '\r', '\u2028', '\u2029'])('adds no line of its own (%j in a name)', (end) => {
    const name = `Erika${end}flow a b default 9 /club open${end}kept age xx-sandbox true 1 1 2 a b c - https://app.example 1`;
    expect(readOwn({ [key]: text(name) }, key)).toEqual({ flows: [], kept: { default: record(name) } });
  });
});

describe('the flows of a session', () => {
  const flow = (id: string, more: object = {}) => ({
    id,
    state: `state-of-${id}`,
    request: 'default',
    expiresAt: 1_000_000,
    ...more,
  });
  const ids = ({ flows }: { flows: readonly { id: string }[] }): string[] => flows.map(({ id }) => id);

  it('leave two minutes after their deadline, at the next start', () => {
    const own = { flows: [flow('late'), flow('later', { expiresAt: 1_000_001 })], kept: {} };
    expect(ids(withFlow(own, flow('new'), 1_120_000, 5))).toEqual(['later', 'new']);
    expect(ids(withFlow(own, flow('new'), 1_119_999, 5))).toEqual(['late', 'later', 'new']);
  });

  it('that are finished leave at the next release, but for the one that it finishes', () => {
    const done = { finished: true } as const;
    const own = { flows: [flow('before', done), flow('waiting'), flow('now')], kept: {} };
    const record = keptRecord(1);
    const after = withKept(own, 'now', 'default', record);
    expect(after.flows).toEqual([flow('waiting'), flow('now', done)]);
    expect(after.kept).toEqual({ default: record });
  });
});
