import type { SdJwtVcTrust, Trust } from '../contracts/trust.js';

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

/** Marks a trust entry as the sandbox's, under whatever issuer id it is. A copy by spreading keeps the mark. */
const sandboxMark = Symbol('pidgate sandbox');

/** Returns the trust entry for the sandbox at this address. */
export function sandboxTrust(sandboxUrl: string): SdJwtVcTrust {
  const entry: SdJwtVcTrust = {
    format: 'sd-jwt-vc',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.vct],
    keyBinding: { nonce: 'state-sha256', audience: sandboxProfile.audience },
  };
  return Object.assign(entry, { [sandboxMark]: true });
}

/**
 * Returns true if presentations of this issuer prove nothing: its trust entry is the sandbox's, or it is the issuer of
 * the test environment, whoever signs for it.
 */
export function isSandbox(trust: Trust, issuer: string): boolean {
  const entry: unknown = Object.hasOwn(trust, issuer) ? trust[issuer] : undefined;
  return issuer === sandboxIssuer || (typeof entry === 'object' && entry !== null && sandboxMark in entry);
}
