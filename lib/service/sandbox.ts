import type { CertificateTrust, SdJwtVcTrust } from '../types/trust.js';

/** The issuers of the interface. The union is open, because the service may add others. */
export type IssuerId = 'de-ausweis' | 'xx-sandbox' | (string & {});

/** The issuer of the test environment: it always returns the same PID and proves nothing about anyone. */
export const sandboxIssuer = 'xx-sandbox';

/** The German national identity card. */
export const germanIssuer = 'de-ausweis';

/** How every name begins that a sandbox gives: a client id, the kid of a key, the type of a token. */
const sandboxName = 'pidgate-sandbox';

/** What the sandbox signs and where its keys are: the sandbox builds by it, the kit trusts by it. */
export const sandboxProfile = {
  vct: 'urn:eudi:pid:1',
  audience: sandboxName,
  jwksPath: '/jwks.json',
  germanVct: 'urn:eudi:pid:de:1',
  /** What the service states itself, because a wallet cannot prove it. */
  statementType: `${sandboxName}-statement+jwt`,
  /** How the kid of a sandbox's key begins. */
  kidPrefix: `${sandboxName}-`,
  /** The extension that each CA of a sandbox bears. */
  markerId: '2.25.1364512830',
  /** Stands before the client id in the marker of the CA for status lists. */
  listMarker: 'status-lists ',
} as const;

/** Returns true for a name that only a sandbox gives. */
export function isSandboxName(text: string): boolean {
  return text.startsWith(sandboxName);
}

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
export function germanSandboxTrust(
  sandboxUrl: string,
  anchors: SandboxAnchors,
  clientId: string,
): SdJwtVcTrust {
  const derivedBy = {
    format: 'jwt',
    keys: { jwksUri: new URL(sandboxProfile.jwksPath, sandboxUrl).href },
    iss: new URL(sandboxUrl).origin,
    audience: clientId,
    typ: sandboxProfile.statementType,
    binding: { claim: 'nonce', value: 'state-sha256' },
    claims: {
      family_name: ['family_name'],
      given_name: ['given_name'],
      birth_date: ['birthdate'],
      nationality: ['nationalities'],
    },
    derived: {
      nationality: { result: ['derived', 'nationality'], value: ['derived_for', 'nationality'] },
    },
  } as const;
  return { ...germanSandboxPid(sandboxUrl, anchors, clientId), derivedBy };
}

/** Returns the part of that entry that a wallet's presentation is judged by. */
export function germanSandboxPid(
  sandboxUrl: string,
  anchors: SandboxAnchors,
  clientId: string,
): SdJwtVcTrust {
  return {
    format: 'sd-jwt-vc',
    keys: { x5c: { ...anchors } },
    iss: new URL(sandboxUrl).origin,
    vct: [sandboxProfile.germanVct],
    keyBinding: { nonce: 'state-sha256', audience: clientId },
  };
}

/** The marker's content: the client id that the sandbox's service has towards wallets, as a DER UTF8String. */
export function markerContent(clientId: string): Uint8Array {
  const text = Buffer.from(clientId);
  if (text.length > 127) throw new RangeError('The client id is too long for the marker.');
  return Uint8Array.of(0x0c, text.length, ...text);
}

/** Returns the client id in a marker; undefined where it has another form. */
export function clientIdInMarker(content: Uint8Array): string | undefined {
  const [tag, length, ...text] = content;
  return tag === 0x0c && length === text.length ? Buffer.from(text).toString() : undefined;
}
