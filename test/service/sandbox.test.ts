import { describe, expect, it } from '@jest/globals';
import { sandboxIssuer, sandboxTrust } from '../../lib/service/sandbox.js';

describe('the sandbox', () => {
  it('is the issuer of the test environment', () => {
    expect(sandboxIssuer).toBe('xx-sandbox');
  });

  it('is trusted at its own address and bound to the flow', () => {
    expect(sandboxTrust('http://localhost:4010/some/path')).toMatchObject({
      format: 'sd-jwt-vc',
      keys: { jwksUri: 'http://localhost:4010/jwks.json' },
      iss: 'http://localhost:4010',
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'pidgate-sandbox' },
    });
  });
});
