import { describe, expect, it } from '@jest/globals';
import { callbackReply, parseCallback } from '../../../lib/index.js';
import { everythingIn, failureOf } from '../failure.js';

const state = 'STATE-MARKER';
const presentation = 'PRESENTATION-MARKER';

const noParameters = 'The callback has no parameters.';
const noState = 'The callback has no state.';
const either = 'The callback must have either a presentation or an error.';
const empty = 'A value of the callback is empty.';
const brackets = 'A parameter name of the callback has brackets.';

describe('parseCallback', () => {
  it('reads a success, and an error with or without its description', () => {
    const error = 'user_cancelled';
    const parsed = { kind: 'error', state, error, errorDescription: '' };
    expect(parseCallback({ presentation, state })).toEqual({ kind: 'presentation', presentation, state });
    expect(parseCallback({ error, error_description: 'Declined.', state })).toEqual({
      ...parsed,
      errorDescription: 'Declined.',
    });
    expect(parseCallback({ error, error_description: '', state })).toEqual(parsed);
    expect(parseCallback({ error, state })).toEqual(parsed);
  });

  it('reads what body parsers make: objects without a prototype, and parameters that nobody named', () => {
    const body = Object.assign(Object.create(null) as object, { presentation, state, extra: ['a', 'b'] });
    expect(parseCallback(body)).toEqual({ kind: 'presentation', presentation, state });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, noParameters],
    ['null', null, noParameters],
    ['text', `state=${state}&presentation=${presentation}`, noParameters],
    ['an empty body', {}, noState],
    ['bytes', Buffer.from(`state=${state}`), noState],
    ['a list', [{ state, presentation }], noState],
    ['no state', { presentation }, noState],
    ['a state in another letter case', { State: state, presentation }, noState],
    ['neither', { state }, either],
    ['only a description', { state, error_description: 'x' }, either],
    ['both', { state, presentation, error: 'x' }, either],
    ['both, one of them empty', { state, presentation, error: '' }, either],
    [
      'a presentation with a description',
      { state, presentation, error_description: 'x' },
      'A callback with a presentation must have no error_description.',
    ],
    ['an empty state', { state: '', presentation }, empty],
    ['an empty state of an error', { state: '', error: 'x' }, empty],
    ['an empty presentation', { state, presentation: '' }, empty],
    ['an empty error', { state, error: '' }, empty],
    ['an error of control characters', { state, error: '\u0000\r\n ' }, empty],
    ['a repeated state', { state: [state, state], presentation }, 'The callback has no single state.'],
    [
      'a repeated presentation',
      { state, presentation: [presentation] },
      'The callback has no single presentation.',
    ],
    ['a repeated error', { state, error: ['a', 'b'] }, 'The callback has no single error.'],
    [
      'a repeated description',
      { state, error: 'a', error_description: ['b'] },
      'The callback has no single error_description.',
    ],
    ['a nested state', { state: { x: state }, presentation }, 'The callback has no single state.'],
    ['a state that is no string', { state: 5, presentation }, 'The callback has no single state.'],
    ['a presentation of null', { state, presentation: null }, 'The callback has no single presentation.'],
    ['an error of undefined', { state, presentation, error: undefined }, 'The callback has no single error.'],
    ['brackets', { 'state[]': state, presentation }, brackets],
    ['brackets beside', { state, presentation, 'more[x]': '1' }, brackets],
    ['half a bracket', { state, presentation, 'state]': '1' }, brackets],
    ['inherited values', Object.create({ state, presentation }), noState],
    [
      'an own __proto__',
      JSON.parse(`{"__proto__":{"state":"${state}","presentation":"${presentation}"}}`),
      noState,
    ],
  ])('F17 refuses %s', async (_what, body, message) => {
    const error = await failureOf(() => parseCallback(body));
    expect(error).toMatchObject({ code: 'callback_malformed', status: 400, retryable: false, message });
    expect(everythingIn(error)).not.toMatch(/MARKER/);
  });

  it('F29 caps strings from outside and takes control characters out', () => {
    const callback = parseCallback({
      state,
      error: `bad\u0000\r\n\u001b[31mcode${'x'.repeat(200)}`,
      error_description: `\u202eevil\u2028${'d'.repeat(600)}`,
    });
    if (callback.kind !== 'error') throw new Error('not an error callback');
    expect(callback.error).toMatch(/^bad {4}\[31mcodex+$/);
    expect(callback.error).toHaveLength(100);
    expect(callback.errorDescription).toMatch(/^evil d+$/);
    expect(callback.errorDescription.length).toBeLessThanOrEqual(500);
  });

  it('leaves state and presentation as they came', () => {
    expect(parseCallback({ state: ' s\n', presentation: ' p\u0000' })).toEqual({
      kind: 'presentation',
      state: ' s\n',
      presentation: ' p\u0000',
    });
  });
});

describe('callbackReply', () => {
  it.each(['https://shop.example/done?code=a.b', 'http://localhost:3000/done'])(
    'F26 is exactly one absolute address: %s',
    (address) => {
      expect(callbackReply(address)).toEqual({ redirect_uri: address });
    },
  );

  const relative = ['/done', '//evil.example', ''];
  it.each([...relative, 'http://shop.example/', 'javascript:alert(1)', 'https://a:b@shop.example'])(
    'refuses %j',
    async (address) => {
      const error = await failureOf(() => callbackReply(address));
      const message = 'redirect_uri must be an absolute https URL (http only on loopback).';
      expect(error).toMatchObject({ code: 'config_invalid', message });
    },
  );
});
