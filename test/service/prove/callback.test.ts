import { describe, expect, it } from '@jest/globals';
import { callbackReply, callbackReplySchema, parseCallback } from '../../../lib/service/prove/callback.js';
import { everythingIn, failureOf } from '../failure.js';

const state = 'STATE-MARKER';
const presentation = 'PRESENTATION-MARKER';

describe('parseCallback', () => {
  it('reads the success callback', () => {
    expect(parseCallback({ presentation, state })).toEqual({ kind: 'presentation', presentation, state });
  });

  it('reads the error callback', () => {
    expect(parseCallback({ error: 'user_cancelled', error_description: 'Declined.', state })).toEqual({
      kind: 'error',
      state,
      error: 'user_cancelled',
      errorDescription: 'Declined.',
    });
  });

  it('understands a service that leaves out the description', () => {
    expect(parseCallback({ error: 'user_cancelled', state })).toMatchObject({ errorDescription: '' });
    expect(parseCallback({ error: 'user_cancelled', error_description: '', state })).toMatchObject({
      errorDescription: '',
    });
  });

  it('reads what body parsers make: objects without a prototype, and parameters that nobody named', () => {
    const body = Object.assign(Object.create(null) as object, { presentation, state, extra: ['a', 'b'] });
    expect(parseCallback(body)).toEqual({ kind: 'presentation', presentation, state });
  });

  it.each<[string, unknown, string]>([
    ['nothing', undefined, 'The callback has no parameters.'],
    ['null', null, 'The callback has no parameters.'],
    ['text', `state=${state}&presentation=${presentation}`, 'The callback has no parameters.'],
    ['an empty body', {}, 'The callback has no state.'],
    ['bytes', Buffer.from(`state=${state}`), 'The callback has no state.'],
    ['a list', [{ state, presentation }], 'The callback has no state.'],
    ['no state', { presentation }, 'The callback has no state.'],
    ['a state in another letter case', { State: state, presentation }, 'The callback has no state.'],
    ['neither', { state }, 'The callback must have either a presentation or an error.'],
    [
      'only a description',
      { state, error_description: 'x' },
      'The callback must have either a presentation or an error.',
    ],
    [
      'both',
      { state, presentation, error: 'x' },
      'The callback must have either a presentation or an error.',
    ],
    [
      'both, one of them empty',
      { state, presentation, error: '' },
      'The callback must have either a presentation or an error.',
    ],
    [
      'a presentation with a description',
      { state, presentation, error_description: 'x' },
      'A callback with a presentation must have no error_description.',
    ],
    ['an empty state', { state: '', presentation }, 'A value of the callback is empty.'],
    ['an empty state of an error', { state: '', error: 'x' }, 'A value of the callback is empty.'],
    ['an empty presentation', { state, presentation: '' }, 'A value of the callback is empty.'],
    ['an empty error', { state, error: '' }, 'A value of the callback is empty.'],
    ['an error of control characters', { state, error: '\u0000\r\n ' }, 'A value of the callback is empty.'],
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
    ['brackets', { 'state[]': state, presentation }, 'A parameter name of the callback has brackets.'],
    [
      'brackets beside',
      { state, presentation, 'more[x]': '1' },
      'A parameter name of the callback has brackets.',
    ],
    [
      'half a bracket',
      { state, presentation, 'state]': '1' },
      'A parameter name of the callback has brackets.',
    ],
    ['inherited values', Object.create({ state, presentation }), 'The callback has no state.'],
    [
      'an own __proto__',
      JSON.parse(`{"__proto__":{"state":"${state}","presentation":"${presentation}"}}`),
      'The callback has no state.',
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
  it('F26 is exactly one absolute address', () => {
    expect(callbackReply('https://shop.example/done?code=a.b')).toEqual({
      redirect_uri: 'https://shop.example/done?code=a.b',
    });
    expect(callbackReply('http://localhost:3000/done')).toEqual({
      redirect_uri: 'http://localhost:3000/done',
    });
  });

  it.each([
    '/done',
    '//evil.example',
    'http://shop.example/',
    'javascript:alert(1)',
    'https://a:b@shop.example',
    '',
  ])('refuses %j', async (address) => {
    const error = await failureOf(() => callbackReply(address));
    expect(error).toMatchObject({ code: 'config_invalid' });
    expect(error.message).toBe('redirect_uri must be an absolute https URL (http only on loopback).');
  });
});

describe('callbackReplySchema', () => {
  it('takes what callbackReply makes', () => {
    const reply = callbackReply('https://shop.example/done');
    expect(callbackReplySchema.parse(reply)).toEqual(reply);
    expect(callbackReplySchema.safeParse({ redirect_uri: 'http://localhost:3000/' }).success).toBe(true);
  });

  it.each([
    {},
    { redirect_uri: '/done' },
    { redirect_uri: 'javascript:alert(1)' },
    { redirect_uri: 'https://shop.example', state: 's' },
    { redirect_url: 'https://shop.example' },
  ])('refuses %j', (reply) => {
    expect(callbackReplySchema.safeParse(reply).success).toBe(false);
  });
});
