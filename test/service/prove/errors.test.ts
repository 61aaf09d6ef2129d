import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '../../../lib/errors.js';
import {
  fromCallback,
  fromService,
  isServiceErrorCode,
  serviceErrors,
} from '../../../lib/service/prove/errors.js';

describe('the codes of the interface', () => {
  it('are those, at those statuses', () => {
    expect(serviceErrors).toEqual({
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
      expect(fromService('error_wrong_issuer', status)).toMatchObject({
        code: 'error_wrong_issuer',
        status: 400,
        retryable: false,
      });
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
      docs: 'pidgate/docs/errors/service_error.md',
      status,
      retryable,
    });
  });

  it.each(Object.keys(errorCodes))('does not believe %s, a code of ours', (code) => {
    expect(fromService(code)).toMatchObject({ code: 'service_error', serviceCode: code, status: 502 });
  });

  it.each(['', 'Error', 'a-b', 'a b', '1st', '_a', 'é', '<b>', 'a\nb', 'odd', 'access_denied', 'toString'])(
    'makes service_error of %j',
    (code) => {
      expect(fromService(code)).toMatchObject({ code: 'service_error', status: 502 });
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
    ['access_denied', 'declined'],
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
      docs: `pidgate/docs/errors/${code}.md`,
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

  it("leaves the interface's own", () => {
    expect(fromCallback('error_internal')).toMatchObject({ code: 'error_internal', status: 500 });
  });
});
