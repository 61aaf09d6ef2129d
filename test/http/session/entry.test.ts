import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  type SessionFlow,
  readKept,
  readOwn,
  withFlow,
  withKept,
  writeOwn,
} from '../../../lib/http/session/session-data.js';
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

  const flow = { id: 'a', state: 'b', request: 'default', expiresAt: 1 };
  const own = (...flows: unknown[]): string => JSON.stringify({ flows, kept: {} });
  const keeping = (kept: unknown): string => JSON.stringify({ flows: [], kept: { default: kept } });

  it.each([
    keeping(keptRecord({ name: 'Erika' })).slice(0, -3),
    keeping({ as: 'an-older-version-kept-it' }),
    keeping({ ...keptRecord(1), until: 'soon' }),
    keeping({ ...keptRecord(1), origin: undefined }),
    keeping(null),
    own('flow'),
    own(null),
    'null',
    '{}',
    '',
    'undefined',
    { flows: 'all' },
    undefined,
    own({ ...flow, expiresAt: 'soon' }),
    own({ ...flow, state: undefined }),
    own({ ...flow, destination: 'twice' }),
    own({ ...flow, destination: 'javascript:alert(1)' }),
  ])('count as nothing where they cannot be read (%p), and no error quotes them', (broken) => {
    expect(readOwn({ [key]: broken }, key)).toEqual(nothing);
    expect(readKept({ [key]: broken }, key)).toEqual({});
  });
});

describe('F85 what leaves with the next write', () => {
  const flow = (id: string, more: Partial<SessionFlow> = {}): SessionFlow => {
    return { id, state: 's', request: 'default', expiresAt: 1_000, ...more };
  };
  const to = { destination: 'https://app.example/' };
  const late = 1_000 + 2 * 60_000; // a flow that was verified late may have so much more

  it.each([
    [late - 1, ['a', 'b']],
    [late, ['b']],
  ])('at a start at %i: flows that can no longer come back', (now, ids) => {
    const own = { flows: [flow('a')], kept: {} };
    expect(withFlow(own, flow('b'), now, 5).flows.map(({ id }) => id)).toEqual(ids);
  });

  it('at a start: of the finished ones all but the last', () => {
    const own = { flows: [flow('a', to), flow('b'), flow('c', to)], kept: {} };
    expect(withFlow(own, flow('d'), 0, 5).flows.map(({ id }) => id)).toEqual(['c', 'b', 'd']);
  });

  it('at a release: the other finished ones; this one leads there from now on', () => {
    const own = { flows: [flow('a', to), flow('b'), flow('c')], kept: {} };
    const ended = { id: 'c', destination: 'https://app.example/club' };
    const record = keptRecord(1);
    expect(withKept(own, ended, 'default', record)).toEqual({
      flows: [flow('b'), flow('c', { destination: 'https://app.example/club' })],
      kept: { default: record },
    });
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
    const broken = { [key]: JSON.stringify({ flows: ['a b'], kept: { default: record('Erika') } }) };
    expect(readOwn(broken, key)).toEqual({ flows: [], kept: { default: record('Erika') } });
  });

  it('comes back as it was, whatever the app keeps and the issuer is called', () => {
    const words = fc.stringMatching(/^[\w-]{1,43}$/);
    const members = {
      issuer: fc.string({ minLength: 1, unit: 'grapheme' }),
      sandbox: fc.boolean(),
      verifiedAt: fc.nat(),
      receipt: fc.record({ id: words, presentationSha256: words }),
      kept: fc.jsonValue(),
      until: fc.nat(),
      releasedAt: fc.nat(),
      question: words,
      origin: fc.webUrl(),
      subject: words.filter((word) => word !== '-'),
    };
    const requiredKeys = (Object.keys(members) as (keyof typeof members)[]).filter(
      (key) => key !== 'subject',
    );
    const records = fc.record(members, { noNullPrototype: true, requiredKeys });
    const flows = fc.record(
      {
        id: words,
        state: words,
        request: words,
        expiresAt: fc.nat(),
        returnTo: fc.webPath().map((path) => `/${path}`),
        destination: fc.webUrl().map((url) => new URL(url).href),
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

  it.each(['\n', '\r', '\u2028', '\u2029', '"'])('is nothing else than it was (%j in a name)', (end) => {
    const name = `Erika${end}}],"flows":[{}]`;
    expect(readOwn({ [key]: text(name) }, key)).toEqual({ flows: [], kept: { default: record(name) } });
  });
});
