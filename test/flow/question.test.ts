import { describe, expect, test } from '@jest/globals';
import { type StartInput, createFlow } from '../../lib/flow/flow.js';
import { flowSettings, world } from './flow-kit.js';

type Plan = StartInput['question'];

const asked = { path: '/identity', isSandbox: (issuer: string): boolean => issuer === 'xx-sandbox' };
const question: Plan = {
  name: 'default',
  issuer: 'xx-test',
  reveal: ['given_name', 'birth_date'],
  derived: { nationality: 'DE' },
};

const digest = (more: Partial<typeof asked> = {}, of: Partial<Plan> = {}): string =>
  createFlow(flowSettings(world(), { ...asked, ...more })).questionDigestOf({ ...question, ...of });

describe('F53 the digest of a question', () => {
  test.each<[string, Partial<typeof asked>, Partial<Plan>]>([
    ['path', { path: '/age' }, {}],
    ['issuer', {}, { issuer: 'de-ausweis' }],
    ['sandbox', { isSandbox: () => true }, {}],
    ['name of the request', {}, { name: 'age' }],
    ['attribute more', {}, { reveal: ['given_name', 'birth_date', 'family_name'] }],
    ['attribute less', {}, { reveal: ['given_name'] }],
    ['value of a derived result', {}, { derived: { nationality: 'FR' } }],
    ['derived result less', {}, { derived: {} }],
  ])('F53 another %s is another question', (_, more, of) => {
    expect(digest(more, of)).not.toBe(digest());
  });

  test('F53 the order in which attributes are written is no part of it', () => {
    expect(digest({}, { reveal: ['birth_date', 'given_name'] })).toBe(digest());
    const derived = { other: 'x', nationality: 'DE' };
    const turned = { nationality: 'DE', other: 'x' };
    expect(digest({}, { derived })).toBe(digest({}, { derived: turned }));
    expect(digest({}, { derived })).not.toBe(digest());
  });

  test('F53 a flow that the app asked otherwise when it began does not count for what it asks now', () => {
    const { questionDigestOf } = createFlow(flowSettings(world(), asked));
    const now = questionDigestOf(question);
    expect(questionDigestOf({ ...question, reveal: ['given_name'] })).not.toBe(now);
    expect(questionDigestOf({ ...question }, true)).not.toBe(now);
    expect(questionDigestOf({ ...question })).toBe(now);
  });

  test('F53 two requests of one factory never share it', () => {
    const { questionDigestOf } = createFlow(flowSettings(world(), asked));
    const both = [questionDigestOf(question), questionDigestOf({ ...question, name: 'age' })];
    expect(new Set(both).size).toBe(2);
    expect([questionDigestOf(question), questionDigestOf({ ...question, name: 'age' })]).toEqual(both);
  });
});
