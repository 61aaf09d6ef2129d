import { X509Certificate } from 'node:crypto';
import { configInvalid } from '../errors.js';
import { clientIdInMarker, germanIssuer, germanSandboxTrust, sandboxProfile } from '../service/sandbox.js';
import { isLoopback } from '../internal/urls.js';
import type { Environment } from './environment.js';
import { certificatesIn, isDevelopment, markerOf } from './sandbox-mark.js';
import type { ShapedOptions } from './schema.js';

interface Addresses {
  readonly baseUrl: string;
  readonly appUrl: string | readonly string[];
}

const maxLife = 24 * 60 * 60 * 1000;

/**
 * Puts the sandbox in the place of the real German issuer, where `IDENTITY_SANDBOX_ANCHORS` asks for it. That opens
 * the app to anyone's made-up identity, so every sign must say that this is a developer's machine; `allowSandbox` is
 * not one of them.
 */
export function replaceBySandbox(
  shaped: ShapedOptions,
  { mode, sandboxUrl, sandboxAnchors }: Environment,
  { baseUrl, appUrl }: Addresses,
): ShapedOptions {
  if (sandboxAnchors === undefined) return shaped;
  if (!isDevelopment({ mode })) refuse('NODE_ENV is development or test');
  if (!isLocal(baseUrl)) refuse('baseUrl is on this machine');
  if (![appUrl].flat().every(isLocal)) refuse('every appUrl is on this machine');
  if (sandboxUrl === undefined || originOf(sandboxUrl) !== originOf(baseUrl)) {
    refuse("IDENTITY_SANDBOX_URL has baseUrl's origin");
  }
  const pems = certificatesIn(sandboxAnchors);
  if (pems.length === 0) refuse('it holds certificates in PEM');
  const now = shaped.clock?.() ?? new Date();
  const cas = pems.map((pem) => ({ pem, ...readMarker(pem, now) }));
  const clientIds = new Set(cas.map(({ clientId }) => clientId));
  const [clientId = ''] = clientIds;
  if (clientIds.size > 1) refuse('its certificates are of one sandbox');
  const signers = cas.flatMap(({ pem, signsLists }) => (signsLists ? [pem] : []));
  const anchors = pems.filter((pem) => !signers.includes(pem));
  if (anchors.length === 0) refuse('it holds the CA that certifies the PID provider');
  process.emitWarning(
    `pidgate: the sandbox at ${originOf(sandboxUrl) ?? ''} stands in for ${germanIssuer} in this process. It proves nothing.`,
    { type: 'PidgateWarning', code: 'PIDGATE_SANDBOX' },
  );
  const entry = germanSandboxTrust(
    sandboxUrl,
    { anchors, ...(signers.length > 0 && { statusAnchors: signers }) },
    clientId,
  );
  return { ...shaped, trust: { ...shaped.trust, [germanIssuer]: entry } };
}

/** Checks one anchor. Returns the client id that the sandbox has towards wallets, and what the CA is for. */
function readMarker(pem: string, now: Date): { clientId: string; signsLists: boolean } {
  const { from, until } = lifeOf(pem);
  const marker = markerOf(pem);
  const text = marker && clientIdInMarker(marker);
  if (text === undefined) refuse("each certificate bears the sandbox's own extension");
  if (!(from <= now.getTime())) refuse('each certificate is valid now');
  if (!(until - from <= maxLife)) refuse('each certificate expires within 24 hours');
  if (!(until > now.getTime())) refuse('no certificate has expired (start the sandbox anew)');
  const signsLists = text.startsWith(sandboxProfile.listMarker);
  return { clientId: signsLists ? text.slice(sandboxProfile.listMarker.length) : text, signsLists };
}

function lifeOf(pem: string): { from: number; until: number } {
  try {
    const { validFrom, validTo } = new X509Certificate(pem);
    return { from: Date.parse(validFrom), until: Date.parse(validTo) };
  } catch {
    refuse('each certificate can be read');
  }
}

function isLocal(url: string): boolean {
  return URL.canParse(url) && isLoopback(new URL(url));
}

function originOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).origin : undefined;
}

function refuse(condition: string): never {
  throw configInvalid(
    `IDENTITY_SANDBOX_ANCHORS is set, which puts the sandbox in the place of ${germanIssuer}. ` +
      `That is allowed only if ${condition}. Unset it to ask the real issuer.`,
  );
}
