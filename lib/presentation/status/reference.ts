import { secureUrl } from '../../safe/urls.js';
import { refusal } from '../token/check-failed.js';
import { isObject } from '../token/segment.js';

/** Where a credential's status stands. */
export interface StatusReference {
  readonly uri: string;
  readonly idx: number;
}

const longestOrigin = 200;

/** Reads a `status` claim (T03, T04). The token chose the address: it must be one that the configuration allows (K14). */
export function statusReference(status: unknown, origins: readonly string[]): StatusReference {
  const list = isObject(status) ? status['status_list'] : undefined;
  if (!isObject(list)) throw refusal('T03', 'The credential has a status that is not in a status_list.');
  const { uri, idx } = list;
  if (typeof idx !== 'number' || !Number.isSafeInteger(idx) || idx < 0) {
    throw refusal('T04', "The credential's status has an idx that is no place in a list.");
  }
  const url = secureUrl(uri, true);
  if (url === undefined) throw refusal('T04', "The credential's status has a uri that is no https URL.");
  if (origins.includes(url.origin)) return { uri: uri as string, idx };
  const origin = url.origin.slice(0, longestOrigin);
  throw refusal('K14', `The status list is at ${origin}, which status.origins does not allow.`);
}
