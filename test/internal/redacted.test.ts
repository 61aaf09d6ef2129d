import { format, inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { redacted, withHidden } from '../../lib/internal/redacted.js';

describe('F38 hidden', () => {
  it('prints names without values, at any depth and with hidden members shown', () => {
    const result = { attributes: redacted({ given_name: 'MARKER', nationality: ['MARKER'] }) };
    for (const shown of [
      inspect(result),
      format('%s %o %O', result.attributes, result.attributes, result),
      inspect(result, { showHidden: true, depth: 9 }),
    ]) {
      expect(shown).not.toContain('MARKER');
      expect(shown).toContain('[hidden]');
      expect(shown).toContain('given_name');
    }
  });

  it('is the same object to everyone else', () => {
    const values = { given_name: 'Erika' };
    expect(redacted(values)).toBe(values);
    expect(redacted(values).given_name).toBe('Erika');
    expect(Object.keys(values)).toEqual(['given_name']);
    expect(JSON.stringify(values)).toBe('{"given_name":"Erika"}');
    expect(values).toEqual({ given_name: 'Erika' });
  });

  it('a hidden text is read by its name, and is in no copy, JSON or print', () => {
    const args = withHidden({ step: 1 }, 'text', 'MARKER');
    expect(args.text).toBe('MARKER');
    expect([JSON.stringify(args), { ...args }]).toEqual(['{"step":1}', { step: 1 }]);
    for (const shown of [
      inspect(args),
      inspect({ args }, { showHidden: true }),
      format('%o %O', args, args),
    ]) {
      expect(shown).toContain('text: [hidden]');
      expect(shown).not.toContain('MARKER');
    }
  });

  it('may be asked twice', () => {
    expect(inspect(redacted(redacted({ a: 'MARKER' })))).toBe('{ a: [hidden] }');
  });
});
