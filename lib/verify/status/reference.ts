import { secureUrl } from '../../internal/urls.js';
import { enforce } from '../jose/check-failed.js';
import { isObject } from '../jose/segment.js';
import { configInvalid } from '../../errors.js';
import { stringList } from '../../internal/former-validate.js';

/** The address of a credential's status: a list and an index in it. */
export interface StatusReference {
  readonly uri: string;
  readonly idx: number;
}

const maxOriginLength = 200;

/** Reads a `status` claim (T03, T04). The token chooses the address, so the configuration must allow it (K14). */
export function statusReference(status: unknown, origins: readonly string[]): StatusReference {
  const list = isObject(status) ? status['status_list'] : undefined;
  enforce('T03', isObject(list), 'The credential has a status that is not in a status_list.');
  const { uri, idx } = list;
  enforce(
    'T04',
    typeof idx === 'number' && Number.isSafeInteger(idx) && idx >= 0,
    "The credential's status has an idx that is no place in a list.",
  );
  const url = secureUrl(uri, true);
  enforce('T04', url !== undefined, "The credential's status has a uri that is no https URL.");
  enforce('K14', origins.includes(url.origin), () => {
    const origin = url.origin.slice(0, maxOriginLength);
    return `The status list is at ${origin}, which status.origins does not allow.`;
  });
  return { uri: uri as string, idx };
}

/**
 * Returns the origins that a status list may be fetched from (K14): the configured ones, or else the issuer's own.
 * Plain http is allowed only where the issuer itself is on this machine, as in tests.
 */
export function allowedOrigins(value: unknown, own: readonly unknown[], where: string): readonly string[] {
  const origins = own.flatMap((text) => secureUrl(text, true)?.origin ?? []);
  if (value === undefined) return origins;
  const isLocal = origins.some((origin) => origin.startsWith('http:'));
  return stringList(value, where).map((text, index) => {
    const url = secureUrl(text, isLocal);
    if (url !== undefined && url.href === `${url.origin}/`) return url.origin;
    throw configInvalid(`${where}[${index}] must be an https origin, such as https://status.example.`);
  });
}
