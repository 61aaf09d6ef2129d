import { X509Certificate } from 'node:crypto';
import { AsnConvert } from '@peculiar/asn1-schema';
import { Certificate } from '@peculiar/asn1-x509';
import { configInvalid } from '../errors.js';
import type { Trust } from '../types/trust.js';
import { isPlainObject } from '../internal/former-validate.js';
import { isSandboxName, sandboxIssuer, sandboxProfile } from '../service/sandbox.js';
import type { Environment } from './environment.js';

/** Returns true where NODE_ENV is exactly one of the two words: any other spelling is a production of somebody's. */
export function isDevelopment({ mode }: Pick<Environment, 'mode'>): boolean {
  return mode === 'development' || mode === 'test';
}

/** Returns the issuers of a trust whose results prove nothing: the test environment's, and each with a sandbox's entry. */
export function sandboxIssuersOf(trust: Trust): ReadonlySet<string> {
  const marked = Object.entries(trust).filter(([, entry]) => bearsMark(entry));
  return new Set([sandboxIssuer, ...marked.map(([issuer]) => issuer)]);
}

/** Refuses entries of a sandbox outside development: under a real issuer's name always, under its own unless allowed. */
export function refuseSandboxTrust(trust: Trust, allowSandbox: boolean, environment: Environment): void {
  if (isDevelopment(environment)) return;
  for (const [issuer, entry] of Object.entries(trust)) {
    if (!bearsMark(entry) || (issuer === sandboxIssuer && allowSandbox)) continue;
    throw configInvalid(
      issuer === sandboxIssuer
        ? needsPermission
        : `Option trust.${issuer} trusts a sandbox, which proves nothing: it needs NODE_ENV=development or test.`,
    );
  }
}

export const needsPermission = `The issuer ${sandboxIssuer} proves nothing: it needs NODE_ENV=development or test, or allowSandbox: true.`;

const deepest = 8;

/**
 * Returns true for an entry that a sandbox's presentations pass, however it was copied: what they are checked by bears
 * the mark itself. The sandbox's CAs have an extension; its client id, key ids and token types begin with its name.
 */
function bearsMark(value: unknown, depth = 0): boolean {
  if (typeof value === 'string') {
    return isSandboxName(value) || certificatesIn(value).some((pem) => markerOf(pem) !== undefined);
  }
  // A store beside the options may be anything else, and is not looked into.
  const isOption = Array.isArray(value) || isPlainObject(value);
  return isOption && depth < deepest && Object.values(value).some((inner) => bearsMark(inner, depth + 1));
}

/** Returns the certificates in a PEM text, each by itself. */
export function certificatesIn(text: string): readonly string[] {
  return text.match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g) ?? [];
}

/** Returns what the sandbox's extension of a certificate holds; undefined without one, or where it cannot be read. */
export function markerOf(pem: string): Uint8Array | undefined {
  try {
    const { raw } = new X509Certificate(pem);
    const { extensions = [] } = AsnConvert.parse(raw, Certificate).tbsCertificate;
    const found = extensions.find(({ extnID }) => extnID === sandboxProfile.markerId);
    return found && new Uint8Array(found.extnValue.buffer);
  } catch {
    return undefined;
  }
}
