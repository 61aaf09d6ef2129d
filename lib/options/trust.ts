import { configInvalid } from '../errors.js';
import { secureUrl } from '../internal/urls.js';
import { invalid, nearMiss } from '../internal/validate.js';
import type { Access } from '../service/access.js';
import type { JwtTrust, SdJwtVcTrust, Trust } from '../types/trust.js';
import { bearsMark, sandboxIssuer } from './development.js';

/**
 * Makes a trust entry for SD-JWT VCs that a wallet presents with key binding. The compiler then compares a mistake with
 * this format alone; a plain object with `format: 'sd-jwt-vc'` is the same.
 *
 * @example
 * ```ts
 * import { identityVerification, sdJwtVc } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['given_name'],
 *   trust: {
 *     'xx-issuer': sdJwtVc({
 *       keys: { jwksUri: 'https://issuer.example/jwks.json' },
 *       iss: 'https://issuer.example',
 *       vct: ['urn:eudi:pid:1'],
 *       keyBinding: { nonce: 'state-sha256', audience: 'x509_san_dns:shop.example' },
 *     }),
 *   },
 * })
 * ```
 */
export const sdJwtVc = (entry: Omit<SdJwtVcTrust, 'format'>): SdJwtVcTrust =>
  Object.freeze({ ...entry, format: 'sd-jwt-vc' });

/**
 * Makes a trust entry for a service that signs the result itself, as a JWT of its own; a plain object with
 * `format: 'jwt'` is the same.
 *
 * @example
 * ```ts
 * import { identityVerification, signedJwt } from 'pidgate'
 *
 * const identity = identityVerification({
 *   reveal: ['given_name'],
 *   trust: {
 *     'xx-service': signedJwt({
 *       keys: { jwksUri: 'https://service.example/jwks.json' },
 *       iss: 'https://service.example',
 *       audience: 'shop',
 *       typ: 'identity-result+jwt',
 *       binding: { claim: 'nonce', value: 'state-sha256' },
 *       claims: { given_name: ['given_name'] },
 *     }),
 *   },
 * })
 * ```
 */
export const signedJwt = (entry: Omit<JwtTrust, 'format'>): JwtTrust =>
  Object.freeze({ ...entry, format: 'jwt' });

/**
 * Checks the trust entries as far as they are about the app; the content of each is checked where it is compiled. Only
 * if the service runs on this machine (`loopback`), keys may come over plain http.
 */
export function checkTrust(
  trust: Trust,
  issuers: readonly string[],
  app: { readonly allowSandbox: boolean; readonly takesSandbox: boolean; readonly loopback: boolean },
): void {
  if (!app.takesSandbox) refuseSandbox(trust, issuers, app.allowSandbox);
  for (const [name, entry] of Object.entries(trust)) {
    for (const [place, uri] of keyAddressesOf(entry)) {
      if (uri === undefined || secureUrl(uri, app.loopback) !== undefined) continue;
      throw configInvalid(
        `Option trust.${name}.${place}: must be https (http only on loopback, where baseUrl is too).`,
      );
    }
  }
  const missing = issuers.find((issuer) => !Object.hasOwn(trust, issuer));
  if (missing === undefined) return;
  const meant = nearMiss(missing, Object.keys(trust));
  const near = meant === undefined ? '' : ` It has one for ${meant}: the names must be equal.`;
  const hint =
    missing === 'xx-sandbox'
      ? ' That of the sandbox comes from pidgate dev, or with the NODE_OPTIONS that pidgate sandbox prints; both need NODE_ENV=development or test. Bun and Deno ignore NODE_OPTIONS: there, start the sandbox in the process of the app.'
      : near;
  throw configInvalid(
    `Option trust has no entry for the issuer ${missing}: nothing could be verified.${hint}`,
  );
}

/**
 * Returns the entries of an app that asks wallets itself, bound to its own requests. Of each entry a query is made, so it
 * must be one of SD-JWT VCs; and what binds a presentation is the kit's own, so nothing of that is said twice.
 */
export function boundTo(trust: Trust, access: readonly Access[]): Trust {
  const audience = access.map(({ clientId }) => clientId);
  const entries = Object.entries(trust).map(([issuer, entry]) => {
    const place = `Option trust.${issuer}`;
    if (issuer === sandboxIssuer)
      throw invalid(place, 'is the test environment of a service: no wallet holds its ID');
    const { format, keyBinding = {}, derivedBy, ...more } = entry as Partial<SdJwtVcTrust>;
    if (format !== 'sd-jwt-vc') {
      throw invalid(place, 'must be made by sdJwtVc: wallets are asked for what such an entry accepts');
    }
    if (derivedBy !== undefined)
      throw invalid(`${place}.derivedBy`, 'is of a service: a wallet derives nothing');
    const twice = (['nonce', 'audience'] as const).find((name) =>
      Object.hasOwn(Object(keyBinding) as object, name),
    );
    if (twice !== undefined) {
      throw invalid(
        `${place}.keyBinding.${twice}`,
        "must go: with wallets, nonce and audience are pidgate's own",
      );
    }
    return [
      issuer,
      { ...more, format, keyBinding: { ...keyBinding, nonce: 'state-sha256', audience } },
    ] as const;
  });
  return Object.fromEntries(entries) as Trust;
}

/**
 * Returns the entries of an app that asks a service. One that is bound to nothing, of an issuer that no question asks, is for
 * the wallets that the same app asks in production, and verifies nothing here.
 */
export function withoutWallets(trust: Trust, issuers: readonly string[]): Trust {
  const isForWallets = (entry: Trust[string]): boolean =>
    typeof entry === 'object' && entry.format === 'sd-jwt-vc' && !Object.hasOwn(entry, 'keyBinding');
  const entries = Object.entries(trust);
  return Object.fromEntries(
    entries.filter(([issuer, entry]) => issuers.includes(issuer) || !isForWallets(entry)),
  );
}

/** Refuses a sandbox outside development: under a real issuer's name always, under its own unless it is allowed. */
function refuseSandbox(trust: Trust, issuers: readonly string[], allowSandbox: boolean): void {
  const marked = Object.keys(trust).filter((issuer) => bearsMark(trust[issuer]));
  if (!allowSandbox && [...issuers, ...marked].includes(sandboxIssuer)) {
    throw configInvalid(
      `The issuer ${sandboxIssuer} proves nothing: it needs NODE_ENV=development or test, or allowSandbox: true.`,
    );
  }
  const disguised = marked.find((issuer) => issuer !== sandboxIssuer);
  if (disguised === undefined) return;
  throw configInvalid(
    `Option trust.${disguised} trusts a sandbox, which proves nothing: it needs NODE_ENV=development or test` +
      // The options of a sandbox bring it along.
      `${issuers.includes(disguised) ? '' : '. The entry comes with ...sandbox.options: leave these out of any other NODE_ENV'}.`,
  );
}

/** The addresses that keys and anchors are fetched from, and their places in the entry: `derivedBy` is one in itself. */
function keyAddressesOf(entry: unknown, prefix = ''): [place: string, address: unknown][] {
  const { keys, derivedBy } = (entry ?? {}) as { keys?: KeyAddresses; derivedBy?: unknown };
  return [
    [`${prefix}keys.jwksUri`, keys?.jwksUri],
    [`${prefix}keys.x5c.trustedList.url`, keys?.x5c?.trustedList?.url],
    ...(derivedBy === undefined ? [] : keyAddressesOf(derivedBy, `${prefix}derivedBy.`)),
  ];
}

type KeyAddresses = { jwksUri?: unknown; x5c?: { trustedList?: { url?: unknown } } } | undefined;
