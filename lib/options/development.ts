import { X509Certificate } from 'node:crypto';
import { configInvalid } from '../errors.js';
import { isPlainObject } from '../internal/validate.js';
import { splitPem } from '../internal/pem.js';
import { isLoopback } from '../internal/urls.js';
import type { Access } from '../service/access.js';
import type { Clock } from '../types/json.js';
import type { CertificateTrust, SdJwtVcTrust, Trust } from '../types/trust.js';

// All that the kit knows of its own sandbox. `lib/dev` fills what is looked up here.

/** The issuer of the test environment: it always returns the same PID and proves nothing about anyone. */
export const sandboxIssuer = 'xx-sandbox';

/** What everything bears that a sandbox makes. */
export const sandboxMark = {
  /** Of each CA: 2.25.1364512830, as DER has it. */
  extension: Buffer.from('060669858ad3a03e', 'hex'),
  /** How client ids, key ids and types of tokens begin. */
  name: 'pidgate-sandbox',
} as const;

/** Where `globalThis` holds the sandboxes of this process, by their origins. */
export const sandboxSymbol = Symbol.for('pidgate.sandbox');

/** All that a sandbox hands the kit of an app that asks it. */
export interface RegisteredSandbox<C = never, Router = never> {
  /** The entries that verify what it answers. */
  readonly trust: Trust;
  /** Of a sandbox that plays wallets: who asks them with its access certificate. */
  readonly clientId?: string | undefined;
  /**
   * Returns the configuration, of which some functions tell the sandbox what they are used for, and what is to be done
   * with the router. It is given the options as the app wrote them, too: a number in them may be a mistake.
   */
  readonly accompany: (config: C, given: unknown) => Accompanied<C, Router>;
}

interface Accompanied<C, Router> {
  readonly config: C;
  readonly watchRouter?: (router: Router) => void;
}

interface Registry {
  readonly [sandboxSymbol]?: ReadonlyMap<string, RegisteredSandbox<unknown, unknown>>;
}

/** The sandbox that is registered in this process for the origin of this address. */
const sandboxAt = (address = ''): RegisteredSandbox<unknown, unknown> | undefined =>
  (globalThis as Registry)[sandboxSymbol]?.get(URL.canParse(address) ? new URL(address).origin : '');

/**
 * Where the sandbox is whose wallet an app asks: the address that is named, or that of the sandbox in this process which
 * has made its access certificate. Undefined for every other certificate.
 */
export function sandboxWalletOf(access: readonly Access[], named: string | undefined): string | undefined {
  if (!access.some(isSandboxAccess)) return undefined;
  if (named !== undefined) return isLocal(named) ? new URL(named).origin : undefined;
  const registered = [...((globalThis as Registry)[sandboxSymbol] ?? [])];
  return registered.find(([, { clientId }]) => access.some((one) => one.clientId === clientId))?.[0];
}

const provesNothing = 'a sandbox, which proves nothing: it needs NODE_ENV=development or test.';

/** Refuses outside development and test what only a sandbox hands an app that asks wallets. */
export function refuseSandboxWallet(access: readonly Access[] = []): void {
  if (!access.some(isSandboxAccess)) return;
  throw configInvalid(
    `Option wallets (or IDENTITY_ACCESS_CERTIFICATE) has a certificate of ${provesNothing}`,
  );
}

/** The same for the address. It is looked at first: what else a sandbox sets may be missing then, and is not the mistake. */
export function refuseSandboxAddress(named: string | undefined): void {
  if (named !== undefined) throw configInvalid(`IDENTITY_SANDBOX_URL is the address of ${provesNothing}`);
}

/** Whether a certificate of the chain has the sandbox's mark. */
const isSandboxAccess = ({ certificates }: Access): boolean =>
  certificates.some((der) => der.includes(sandboxMark.extension));

/**
 * Lets the sandbox that this app asks see what it asks and stores, and tell its developer of mistakes; without one, and in
 * production, nothing changes.
 */
export function accompanied<C extends Pick<App, 'sandboxAddress' | 'takesSandbox'>, Router>(
  config: C,
  given: unknown,
): Accompanied<C, Router> {
  const sandbox = config.takesSandbox ? sandboxAt(config.sandboxAddress) : undefined;
  return (sandbox as RegisteredSandbox<C, Router> | undefined)?.accompany(config, given) ?? { config };
}

/**
 * Where a router has a function that returns its `Kit`: `asVerified` and `pidgate doctor` call it. Who prints a router sees
 * a function, and no secret behind it.
 */
export const kitSymbol = Symbol.for('pidgate.kit');

/** The origin of this address, if a sandbox is registered for it. */
export const sandboxOf = (address = ''): string | undefined =>
  sandboxAt(address) === undefined ? undefined : new URL(address).origin;

interface App {
  /** Where a sandbox may be that the app asks: the `baseUrl` of a service, or the wallet's. */
  readonly sandboxAddress: string | undefined;
  readonly appUrl: string | readonly string[];
  /** NODE_ENV is one of the two words that allow a sandbox. */
  readonly takesSandbox: boolean;
  readonly clock: Clock;
}

/**
 * Returns the entries of the sandbox that the app asks, for the issuers that the app asks
 * without an entry of the sandbox in its code; undefined where there is none. With these entries any made-up
 * identity opens the app, so every sign must say that this is a developer's machine; `allowSandbox` is not one of them.
 */
export function standIns(trust: Trust, issuers: readonly string[], app: App): Trust | undefined {
  const { sandboxAddress } = app;
  const replaced = Object.entries(sandboxAt(sandboxAddress)?.trust ?? {}).filter(
    ([issuer]) =>
      issuers.includes(issuer) &&
      (issuer === sandboxIssuer ? trust[issuer] === undefined : !bearsMark(trust[issuer])),
  );
  if (replaced.length === 0 || sandboxAddress === undefined) return undefined;
  for (const [issuer, entry] of replaced) {
    const condition = unmetCondition(issuer, entry, { ...app, sandboxAddress });
    if (condition === undefined) continue;
    const remedy = condition.startsWith('every appUrl')
      ? 'Leave appUrl out of the code, and set APP_URL only where that address leads to the app: without it, pidgate dev ' +
        'sets one for this machine.'
      : 'Start the app without it to ask the real issuer.';
    throw configInvalid(
      `The sandbox at ${new URL(sandboxAddress).origin} is registered in this process, to stand in for ${issuer}. That is ` +
        `allowed only if ${condition}. ${remedy}`,
    );
  }
  return Object.fromEntries(replaced);
}

/** Returns true for an address on this machine. */
export const isLocal = (url: string): boolean => URL.canParse(url) && isLoopback(new URL(url));

/** Returns true for an entry that accepts a sandbox's presentations: its issuer, key or certificate has the sandbox's mark. */
export function bearsMark(entry: unknown): boolean {
  return stringsIn(entry).some((text) => text.startsWith(sandboxMark.name) || splitPem(text).some(isMarked));
}

/** Returns the issuers of a trust whose results prove nothing: the test environment's, and each with a sandbox's entry. */
export function sandboxIssuersOf(trust: Trust): ReadonlySet<string> {
  const marked = Object.entries(trust).filter(([, entry]) => bearsMark(entry));
  return new Set([sandboxIssuer, ...marked.map(([issuer]) => issuer)]);
}

const maxLife = 24 * 60 * 60 * 1000;

function unmetCondition(
  issuer: string,
  entry: Trust[string],
  { sandboxAddress, appUrl, takesSandbox, clock }: App & { readonly sandboxAddress: string },
): string | undefined {
  if (!takesSandbox) return 'NODE_ENV is development or test';
  if (!isLocal(sandboxAddress)) return 'baseUrl is on this machine';
  const elsewhere = [appUrl].flat().find((origin) => !isLocal(origin));
  if (elsewhere !== undefined) {
    if (!/^https?:\/\//i.test(elsewhere))
      return `every appUrl begins with http://, and ${elsewhere} does not`;
    return (
      `every appUrl is on this machine, and ${elsewhere} is not: its host must be localhost, or end with .localhost, ` +
      'or be 127.0.0.1 or [::1]'
    );
  }
  const { x5c } = ((entry as Partial<SdJwtVcTrust>).keys ?? {}) as { readonly x5c?: CertificateTrust };
  if (issuer !== sandboxIssuer && stringsIn(x5c?.anchors).flatMap(splitPem).length === 0) {
    return 'its anchors are certificates';
  }
  const now = clock().getTime();
  for (const pem of stringsIn(entry).flatMap(splitPem)) {
    if (!isMarked(pem)) return "each certificate bears the sandbox's own extension";
    const { validFrom, validTo } = new X509Certificate(pem);
    const [from, until] = [Date.parse(validFrom), Date.parse(validTo)];
    if (!(from <= now)) return "each certificate is valid by this machine's clock";
    if (!(until - from <= maxLife)) return 'each certificate expires within 24 hours';
    if (!(until > now)) return 'no certificate has expired (start the sandbox anew)';
  }
  return undefined;
}

const maxDepth = 8;

function stringsIn(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value];
  // A store among the options may be of any class, and is not searched.
  if (depth === maxDepth || !(Array.isArray(value) || isPlainObject(value))) return [];
  return Object.values(value).flatMap((inner) => stringsIn(inner, depth + 1));
}

function isMarked(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.includes(sandboxMark.extension);
  } catch {
    return false;
  }
}
