import type { Environment } from './environment.js';
import { configInvalid } from '../errors.js';
import type { ShapedOptions } from './schema.js';
import type { Trust } from '../types/trust.js';
import { sandboxIssuer, sandboxTrust } from '../service/sandbox.js';
import { secureUrl } from '../internal/urls.js';
import { isDevelopment, needsPermission, refuseSandboxTrust } from './sandbox-mark.js';

/**
 * Returns the trust entries. `loopback` is true if the service runs on this machine: only then may keys come over plain
 * http. The environment can add trust for the sandbox only, and only where the sandbox is allowed.
 */
export function resolveTrust(
  { trust = {}, allowSandbox }: ShapedOptions,
  environment: Environment,
  issuer: string,
  loopback: boolean,
): Trust {
  if (issuer === sandboxIssuer && !allowSandbox && !isDevelopment(environment)) {
    throw configInvalid(needsPermission);
  }
  refuseSandboxTrust(trust as Trust, allowSandbox, environment);
  for (const [name, entry] of Object.entries(trust)) {
    for (const [place, uri] of keyAddressesOf(entry)) {
      if (uri === undefined || secureUrl(uri, loopback) !== undefined) continue;
      throw configInvalid(
        `Option trust.${name}.${place}: must be https (http only on loopback, where baseUrl is too).`,
      );
    }
  }
  const { sandboxUrl } = environment;
  // The content of an entry is checked where it is compiled.
  if (Object.hasOwn(trust, issuer)) return trust as Trust;
  if (issuer === sandboxIssuer && sandboxUrl !== undefined) {
    const url = secureUrl(sandboxUrl, loopback);
    if (url !== undefined) return { ...(trust as Trust), [issuer]: sandboxTrust(url.href) };
    throw configInvalid('IDENTITY_SANDBOX_URL must be https (http only on loopback, where baseUrl is too).');
  }
  throw configInvalid(`Option trust has no entry for the issuer ${issuer}: nothing could be verified.`);
}

/** The addresses that keys and anchors are fetched from, and their places in the entry: `derivedBy` is one in itself. */
function keyAddressesOf(entry: unknown, above = ''): [place: string, address: unknown][] {
  const keys = memberOf(entry, 'keys');
  const derivedBy = memberOf(entry, 'derivedBy');
  return [
    [`${above}keys.jwksUri`, memberOf(keys, 'jwksUri')],
    [`${above}keys.x5c.trustedList.url`, memberOf(memberOf(memberOf(keys, 'x5c'), 'trustedList'), 'url')],
    ...(derivedBy === undefined ? [] : keyAddressesOf(derivedBy, `${above}derivedBy.`)),
  ];
}

function memberOf(value: unknown, name: string): unknown {
  return (value as Record<string, unknown> | null | undefined)?.[name];
}
