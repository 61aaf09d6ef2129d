import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '../../../lib/index.js';
import { isListedCode } from '../../../lib/service/contract.js';
import {
  fromCallback,
  fromService,
  isServiceErrorCode,
  serviceErrors,
} from '../../../lib/service/prove/errors.js';

describe('the codes of the interface', () => {
  it('are those, at those statuses', () => {
    const statuses = Object.entries(serviceErrors).map(([code, { status }]) => [code, status]);
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
    expect(isServiceErrorCode('error_account')).toBe(true);
    expect(isServiceErrorCode('error_other')).toBe(false);
    expect(isServiceErrorCode('toString')).toBe(false);
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
