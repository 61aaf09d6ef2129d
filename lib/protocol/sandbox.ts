import type { SdJwtVcTrust } from '../contracts/trust.js';

/** The issuers of the interface. The union is open, because the service may add others. */
export type IssuerId = 'de-ausweis' | 'xx-sandbox' | (string & {});

/** The issuer of the test environment: it always returns the same PID and proves nothing about anyone. */
export const sandboxIssuer = 'xx-sandbox';

/** The credential type, audience and key address of the sandbox. The sandbox issues by it, the kit trusts by it. */
export const sandboxProfile = {
  vct: 'urn:eudi:pid:1',
  audience: 'pidgate-sandbox',
  jwksPath: '/jwks.json',
} as const;

/** Returns the trust entry for the sandbox at this address. */
export function sandboxTrust(sandboxUrl: string): SdJwtVcTrust {
  return {
    format: 'sd-jwt-vc',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.vct],
    keyBinding: { nonce: 'state-sha256', audience: sandboxProfile.audience },
  };
}
