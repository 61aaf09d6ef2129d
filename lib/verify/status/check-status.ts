import { secureUrl } from '../../internal/urls.js';
import * as v from '../../internal/validate.js';
import type { SdJwtVcTrust } from '../../types/trust.js';
import type { Runtime } from '../jose/clock.js';
import { isObject, type JsonObject } from '../jose/decode.js';
import { enforce } from '../jose/enforce.js';
import { keepLists, type ListRules, loadList, readStatus } from './status-list.js';

const readOptions = v.objectWith(['mode', 'origins'], {
  mode: v.withDefault(v.oneOf(['ifPresent', 'require', 'dangerouslyIgnore']), 'ifPresent'),
  origins: v.optional(v.stringList),
} satisfies v.ChecksOf<NonNullable<SdJwtVcTrust['status']>>);

/**
 * Compiles the `status` of a trust entry: refuses a credential whose status is not VALID. It is called last, for one that
 * passed all else (T01). `issuerUrls` are values of the entry that may be URLs of the issuer.
 */
export function compileStatus(
  value: unknown = {},
  rules: ListRules,
  issuerUrls: readonly unknown[],
  optionPath: string,
): (claims: JsonObject, runtime: Runtime) => Promise<void> {
  const { mode, origins } = readOptions(value, optionPath);
  const allowed = allowedOrigins(origins, issuerUrls, `${optionPath}.origins`);
  if (mode === 'dangerouslyIgnore') return async () => {};
  if (mode === 'require' && allowed.length === 0) {
    throw v.invalid(`${optionPath}.origins`, 'must name where the required status lists come from');
  }
  const listAt = keepLists((uri, runtime) => loadList(uri, rules, runtime), rules.keys.generation);
  return async ({ status }, runtime) => {
    if (status === undefined && mode === 'ifPresent') return;
    enforce('T02', status !== undefined, 'The credential has no status, and one is required.');
    const { uri, idx } = readReference(status, allowed);
    const value = readStatus(await listAt(uri, runtime), idx);
    const why = reasons.get(value) ?? 'The credential has a status other than VALID.';
    enforce('T15', value === 0, why, 'credential_revoked');
  };
}

/**
 * Returns the origins that a status list may be fetched from (K14): the configured ones, or else the issuer's own.
 * Plain http is allowed only where the issuer itself is on this machine, as in tests.
 */
function allowedOrigins(
  configured: readonly string[] | undefined,
  issuerUrls: readonly unknown[],
  optionPath: string,
): readonly string[] {
  const issuerOrigins = issuerUrls.flatMap((text) => secureUrl(text, true)?.origin ?? []);
  const isLocal = issuerOrigins.some((origin) => origin.startsWith('http:'));
  const origins = configured?.map((text, index) => {
    const url = secureUrl(text, isLocal);
    if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
    throw v.invalid(`${optionPath}[${index}]`, 'must be an https origin, such as https://status.example');
  });
  return origins ?? issuerOrigins;
}

const maxOriginLength = 200;

/**
 * Reads a `status` claim: the address of a list, and an index in it (T03, T04). The token chooses the address, so the
 * configuration must allow it (K14).
 */
function readReference(status: unknown, origins: readonly string[]): { uri: string; idx: number } {
  const { status_list: list } = isObject(status) ? status : {};
  enforce('T03', isObject(list), 'The credential has a status that is not in a status_list.');
  const { uri, idx } = list;
  const isIndex = typeof idx === 'number' && Number.isSafeInteger(idx) && idx >= 0;
  enforce('T04', isIndex, "The credential's status has an idx that is no place in a list.");
  const url = secureUrl(uri, true);
  enforce('T04', url !== undefined, "The credential's status has a uri that is no https URL.");
  const origin = url.origin.slice(0, maxOriginLength);
  const unknown = `The status list is at ${origin}, which status.origins does not allow.`;
  enforce('K14', origins.includes(url.origin), unknown);
  return { uri: uri as string, idx };
}

/** The meaning of other values is private to the issuer (T15). */
const reasons: ReadonlyMap<number, string> = new Map([
  [1, 'The credential was revoked: its status is INVALID.'],
  [2, 'The credential is suspended: its status is SUSPENDED.'],
]);
