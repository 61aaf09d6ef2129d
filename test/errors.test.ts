import { inspect } from 'node:util';
import { describe, expect, it } from '@jest/globals';
import { errorCodes, IdentityError, type KitErrorCode } from '../lib/index.js';
import { configInvalid, isKitErrorCode } from '../lib/errors.js';

const codes = Object.keys(errorCodes) as KitErrorCode[];

describe('errorCodes', () => {
  it('is closed', () => {
    expect(Object.isFrozen(errorCodes)).toBe(true);
    expect(() => Object.assign(errorCodes, { busy: 'changed' })).toThrow(TypeError);
    expect(errorCodes.busy).toBe('Too many verifications are in progress in this process.');
  });

  it.each(codes)('%s: lower snake case, one sentence, a status that fits', (code) => {
    const { status, retryable, message } = new IdentityError(code);
    expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
    expect(errorCodes[code]).toMatch(/^[A-Z].*\.$/);
    expect(message).toBe(errorCodes[code]);
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(600);
    // What the caller did wrong stays wrong: only a fault on our side, or the service's, may pass by itself, or what another
    // request did at the same moment.
    expect(retryable && status < 500).toBe(code === 'session_changed');
  });

  it('takes no code of the interface', () => {
    expect(codes.filter((code) => code.startsWith('error_'))).toEqual([]);
  });
});

describe('isKitErrorCode', () => {
  it('knows its own codes only', () => {
    expect(isKitErrorCode('busy')).toBe(true);
    expect(isKitErrorCode('error_api_key')).toBe(false);
    expect(isKitErrorCode('')).toBe(false);
  });

  it.each(['constructor', 'toString', '__proto__', 'hasOwnProperty'])('F41 %s is no code', (name) => {
    expect(isKitErrorCode(name)).toBe(false);
    expect(new IdentityError(name)).toMatchObject({ code: name, status: 502, retryable: false });
  });
});

describe('IdentityError', () => {
  it('takes everything from its code', () => {
    const error = new IdentityError('store_full');
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'IdentityError',
      code: 'store_full',
      message: 'The flow store is full.',
      status: 503,
      retryable: true,
      docs: 'pidgate/docs/errors.md#store_full',
    });
  });

  it('has no member for what is not known', () => {
    const error = new IdentityError('busy');
    expect(Object.keys(error).toSorted()).toEqual(['code', 'docs', 'name', 'retryable', 'status']);
    expect('cause' in error).toBe(false);
    expect(inspect(error)).not.toContain('undefined');
  });

  it('takes details over the defaults of its code', () => {
    const cause = new Error('below');
    const error = new IdentityError('presentation_invalid', {
      message: 'The nonce is another.',
      serviceCode: 'odd',
      check: 'B07',
      status: 418,
      retryable: true,
      cause,
    });
    expect(error).toMatchObject({
      message: 'The nonce is another.',
      serviceCode: 'odd',
      check: 'B07',
      status: 418,
      retryable: true,
    });
    expect(error.cause).toBe(cause);
  });

  it('keeps a cause that is falsy', () => {
    expect(new IdentityError('hook_failed', { cause: null })).toHaveProperty('cause', null);
    expect(new IdentityError('hook_failed', { cause: 0 })).toHaveProperty('cause', 0);
  });

  it('leads from a code that is not its own to the page that is named, else to the general one', () => {
    const docs = (code: string, page?: string): string =>
      new IdentityError(code, page === undefined ? {} : { page }).docs;
    expect(docs('error_api_key', 'error_api_key')).toBe('pidgate/docs/errors.md#error_api_key');
    expect(docs('error_invented')).toBe('pidgate/docs/errors.md#service_error');
    expect(docs('../../secret')).toBe('pidgate/docs/errors.md#service_error');
    expect(docs('busy', 'error_api_key')).toBe('pidgate/docs/errors.md#busy');
  });
});

describe('configInvalid', () => {
  it('says what is wrong', () => {
    expect(configInvalid('reveal is empty.')).toMatchObject({
      code: 'config_invalid',
      message: 'reveal is empty.',
      status: 500,
      retryable: false,
    });
  });
});
