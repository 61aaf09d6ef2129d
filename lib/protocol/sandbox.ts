import type { SdJwtVcTrust } from '../contracts/trust.js';

/** What the sandbox signs and where its keys lie: the sandbox builds by it, the kit trusts by it. */
export const sandboxProfile = {
  vct: 'urn:eudi:pid:1',
  audience: 'pidgate-sandbox',
  jwksPath: '/jwks.json',
} as const;

/** Trust in the sandbox at this address. */
export function sandboxTrust(sandboxUrl: string): SdJwtVcTrust {
  return {
    format: 'sd-jwt-vc',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.vct],
    keyBinding: { nonce: 'state-sha256', audience: sandboxProfile.audience },
  };
}
