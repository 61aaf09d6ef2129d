import { sandboxMark } from '../../options/development.js';
import { claimNames } from '../../types/attributes.js';
import type { CertificateTrust, SdJwtVcTrust } from '../../types/trust.js';

/** The issuers that the sandbox plays. */
export type SandboxIssuerId = 'xx-sandbox' | 'de-ausweis';

/** The German national identity card. */
export const germanIssuer = 'de-ausweis';

/** What the sandbox signs and where its keys are: it builds by it, and its trust entries check by it. */
export const sandboxProfile = {
  vct: 'urn:eudi:pid:1',
  audience: sandboxMark.name,
  jwksPath: '/jwks.json',
  /** Where a preloaded process reads the trust entries. */
  trustPath: '/trust.json',
  germanVct: 'urn:eudi:pid:de:1',
  /** What the service states itself, because a wallet cannot prove it. */
  statementType: `${sandboxMark.name}-statement+jwt`,
  /** How the kid of a sandbox's key begins. */
  kidPrefix: `${sandboxMark.name}-`,
} as const;

/** Returns the trust entry of `xx-sandbox` for the sandbox at this address. */
export function sandboxTrust(sandboxUrl: string): SdJwtVcTrust {
  return {
    format: 'sd-jwt-vc',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.vct],
    keyBinding: { nonce: 'state-sha256', audience: sandboxProfile.audience },
  };
}

/** The CAs of a sandbox, in PEM: that of the PID provider, and that of the signer of status lists. */
export type SandboxAnchors = Pick<CertificateTrust, 'anchors' | 'statusAnchors'>;

/** Returns the trust entry that takes the place of `de-ausweis` for the sandbox at this address. */
export function germanSandboxTrust(sandboxUrl: string, anchors: SandboxAnchors): SdJwtVcTrust {
  const derivedBy = {
    format: 'jwt',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    audience: sandboxProfile.audience,
    typ: sandboxProfile.statementType,
    binding: { claim: 'nonce', value: 'state-sha256' },
    claims: { ...claimNames, age_over: false },
    derived: {
      nationality: { result: ['derived', 'nationality'], value: ['derived_for', 'nationality'] },
    },
  } as const;
  return {
    format: 'sd-jwt-vc',
    keys: { x5c: { ...anchors } },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.germanVct],
    keyBinding: { nonce: 'state-sha256', audience: sandboxProfile.audience },
    derivedBy,
  };
}
