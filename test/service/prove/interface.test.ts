import { describe, expect, it } from '@jest/globals';
import { callbackReply, errorCodes, parseCallback, type Variant } from '../../../lib/index.js';
import { isListedCode } from '../../../lib/service/contract.js';
import {
  fromCallback,
  fromService,
  isProveErrorCode,
  proveErrors,
} from '../../../lib/service/prove/errors.js';
import { parseProveRequest } from '../../../lib/service/prove/schema.js';
import { attributeIds } from '../../../lib/types/attributes.js';
import { everythingIn, failureOf } from '../failure.js';

describe('schema', () => {
  const minimal = { issuer: 'de-ausweis', revealed: ['given_name'], state: 's' };

  const noObject = 'The body must be a JSON object.';
  const wrongIssuer = 'issuer is not one of the supported issuers.';
  const wrongList = 'revealed must be a list of at least one attribute id.';
  const wrongIds = `revealed may hold ${attributeIds.join(', ')}.`;
  const wrongDerived = 'derived is not valid.';

  describe('parseProveRequest', () => {
    const judge = (body: unknown, variant: Variant = 'derived', issuers?: readonly string[]) =>
      parseProveRequest(body, variant, issuers);

    it('fills in the defaults', () => {
      expect(judge(minimal)).toEqual({ ok: true, request: { ...minimal, same_device: false, derived: {} } });
      expect(judge(minimal, 'base')).toEqual({ ok: true, request: { ...minimal, same_device: false } });
    });

    it.each<[string, unknown, string]>([
      ['error_invalid_body', undefined, noObject],
      ['error_invalid_body', null, noObject],
      ['error_invalid_body', 'text', noObject],
      ['error_invalid_body', [minimal], noObject],
      ['error_missing_parameter', {}, 'issuer is missing.'],
      ['error_missing_parameter', { ...minimal, issuer: undefined }, 'issuer is missing.'],
      ['error_missing_parameter', { issuer: 'de-ausweis', state: 's' }, 'revealed is missing.'],
      ['error_missing_state', { issuer: 'de-ausweis', revealed: ['given_name'] }, 'state is missing.'],
      ['error_missing_state', { ...minimal, state: '' }, 'state is missing.'],
      ['error_wrong_issuer', { ...minimal, issuer: '' }, wrongIssuer],
      ['error_wrong_issuer', { ...minimal, issuer: null }, wrongIssuer],
      ['error_wrong_issuer', { ...minimal, issuer: 5 }, wrongIssuer],
      ['error_invalid_body', { ...minimal, revealed: [] }, wrongList],
      ['error_invalid_body', { ...minimal, revealed: null }, wrongList],
      ['error_invalid_body', { ...minimal, revealed: 'given_name' }, wrongList],
      ['error_invalid_attribute', { ...minimal, revealed: ['given_name', 'portrait'] }, wrongIds],
      ['error_invalid_attribute', { ...minimal, revealed: ['constructor'] }, wrongIds],
      ['error_invalid_attribute', { ...minimal, revealed: [null] }, wrongIds],
      ['error_invalid_attribute', { ...minimal, derived: { age: '18' } }, 'derived may hold nationality.'],
      ['error_invalid_body', { ...minimal, derived: { nationality: 5 } }, wrongDerived],
      ['error_invalid_body', { ...minimal, derived: { nationality: '' } }, wrongDerived],
      ['error_invalid_body', { ...minimal, derived: null }, wrongDerived],
      ['error_invalid_body', { ...minimal, derived: ['nationality'] }, wrongDerived],
      ['error_invalid_body', { ...minimal, derived: 'nationality' }, wrongDerived],
      ['error_invalid_body', { ...minimal, state: 5 }, 'state is not valid.'],
      ['error_invalid_body', { ...minimal, state: null }, 'state is not valid.'],
      ['error_invalid_body', { ...minimal, same_device: 'true' }, 'same_device is not valid.'],
      ['error_invalid_body', { ...minimal, sameDevice: true }, 'The body has an unknown field.'],
    ])('%s for %j', (code, body, description) => {
      expect(judge(body)).toEqual({ ok: false, code, description });
    });

    it('refuses derived in the base variant, empty or not', () => {
      const description = 'derived is not part of the base variant.';
      const refusal = { ok: false, code: 'error_invalid_body', description };
      expect(judge({ ...minimal, derived: {} }, 'base')).toEqual(refusal);
      expect(judge({ ...minimal, derived: { nationality: 'DE' } }, 'base')).toEqual(refusal);
    });

    it('closes the union of issuers where they are known', () => {
      expect(judge(minimal, 'derived', ['xx-sandbox'])).toMatchObject({ code: 'error_wrong_issuer' });
      expect(judge(minimal, 'derived', ['xx-sandbox', 'de-ausweis'])).toMatchObject({ ok: true });
      expect(judge({ ...minimal, issuer: 'zz-future' })).toMatchObject({ ok: true });
    });

    it('asks in the order missing, issuer, attributes, the rest', () => {
      let body: object = { revealed: ['portrait'], same_device: 'no' };
      for (const [code, better] of [
        ['error_missing_parameter', { issuer: 5 }],
        ['error_missing_state', { state: 's' }],
        ['error_wrong_issuer', { issuer: 'de-ausweis' }],
        ['error_invalid_attribute', { revealed: ['given_name'] }],
        ['error_invalid_body', { same_device: false }],
      ] as const) {
        expect(judge(body)).toMatchObject({ code });
        body = { ...body, ...better };
      }
      expect(judge(body)).toMatchObject({ ok: true });
    });

    it('takes own fields only', () => {
      const smuggled: unknown = JSON.parse(
        '{"__proto__":{"issuer":"de-ausweis","revealed":["given_name"],"state":"s"}}',
      );
      expect(judge(smuggled)).toMatchObject({ code: 'error_missing_parameter' });
      const beside: unknown = JSON.parse(
        `{"__proto__":{"same_device":true},${JSON.stringify(minimal).slice(1)}`,
      );
      expect(judge(beside)).toMatchObject({ ok: false, description: 'The body has an unknown field.' });
    });

    it('never repeats a value in its words', () => {
      const marker = 'MARKER';
      for (const wrong of [
        { issuer: { marker } },
        { issuer: marker },
        { revealed: [marker] },
        { state: [marker] },
        { same_device: marker },
        { derived: { [marker]: marker } },
        { [marker]: marker },
      ]) {
        const judged = judge({ ...minimal, ...wrong }, 'derived', ['de-ausweis']);
        expect(JSON.stringify(judged)).not.toContain(marker);
      }
    });
  });
});

describe('errors', () => {
  describe('the codes of the interface', () => {
    it('are those, at those statuses', () => {
      const statuses = Object.entries(proveErrors).map(([code, { status }]) => [code, status]);
      expect(Object.fromEntries(statuses)).toEqual({
        error_invalid_body: 400,
        error_missing_parameter: 400,
        error_missing_state: 400,
        error_invalid_attribute: 400,
        error_wrong_issuer: 400,
        error_api_key: 401,
        error_account: 401,
        error_internal: 500,
      });
    });

    it('are own names only', () => {
      expect(isProveErrorCode('error_account')).toBe(true);
      expect(isProveErrorCode('error_other')).toBe(false);
      expect(isProveErrorCode('toString')).toBe(false);
    });
  });

  describe('fromService', () => {
    it('gives a code of the interface its own status, whatever the reply had', () => {
      for (const status of [undefined, 200, 418, 503]) {
        const facts = { code: 'error_wrong_issuer', status: 400, retryable: false };
        expect(fromService('error_wrong_issuer', status)).toMatchObject(facts);
      }
      expect(fromService('error_internal')).toMatchObject({ status: 500, retryable: true });
    });

    it.each([
      [undefined, 502, false],
      [200, 502, false],
      [399, 502, false],
      [400, 400, false],
      [429, 429, false],
      [500, 500, true],
      [599, 599, true],
      [600, 502, false],
    ])('gives an unknown code at %p the status %d, retryable %p', (given, status, retryable) => {
      expect(fromService('user_cancelled', given)).toMatchObject({
        code: 'service_error',
        serviceCode: 'user_cancelled',
        message: 'The service reported an error.',
        docs: 'pidgate/docs/errors.md#service_error',
        status,
        retryable,
      });
    });

    const strange = ['', 'Error', 'a-b', 'a b', '1st', '_a', 'é', '<b>', 'odd', 'access_denied', 'toString'];
    it.each([...Object.keys(errorCodes), ...strange])(
      'does not believe %j, which is no code of the interface',
      (code) => {
        expect(fromService(code)).toMatchObject({ code: 'service_error', serviceCode: code, status: 502 });
      },
    );

    it('F29 shows a foreign code capped and without control characters', () => {
      const { serviceCode } = fromService(`a\r\nforged log line\u001b[0m${'x'.repeat(500)}`);
      expect(serviceCode).toMatch(/^a {2}forged log line \[0mx+$/);
      expect(serviceCode).toHaveLength(100);
    });
  });

  describe('fromCallback', () => {
    it.each([
      ['access_denied', 'not_shared'],
      ['card_blocked', 'card_blocked'],
      ['user_declined', 'declined'],
      ['user_cancelled', 'declined'],
      ['wallet_timeout', 'timed_out'],
      ['session_expired', 'timed_out'],
      ['identity_unavailable', 'credential_missing'],
      ['no_matching_credential', 'credential_missing'],
      ['declined', 'declined'],
    ])('%s means %s', (serviceCode, code) => {
      expect(fromCallback(serviceCode)).toMatchObject({
        code,
        serviceCode,
        retryable: false,
        docs: `pidgate/docs/errors.md#${code}`,
      });
    });

    it.each([
      'made_up',
      'Access_Denied',
      'access_denied ',
      'constructor',
      '__proto__',
      'hook_failed',
      'refused',
    ])('F41 %s means nothing that we know', (code) => {
      expect(fromCallback(code)).toMatchObject({ code: 'service_error', status: 502 });
    });

    it("leaves the interface's own, and lists these and the kit's alone", () => {
      expect(fromCallback('error_internal')).toMatchObject({ code: 'error_internal', status: 500 });
      const listed = ['error_internal', 'refused', 'access_denied', 'made_up', 'toString'].filter((code) =>
        isListedCode({ errorOf: fromCallback }, code),
      );
      expect(listed).toEqual(['error_internal', 'refused']);
    });
  });
});

describe('callback', () => {
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
      [
        'an error of undefined',
        { state, presentation, error: undefined },
        'The callback has no single error.',
      ],
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
});
