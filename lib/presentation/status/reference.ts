import { secureUrl } from '../../safe/urls.js';
import { checkFailed } from '../token/check-failed.js';
import { isObject } from '../token/segment.js';

/** The address of a credential's status: a list and an index in it. */
export interface StatusReference {
  readonly uri: string;
  readonly idx: number;
}

const longestOrigin = 200;

/** Reads a `status` claim (T03, T04). The token chooses the address, so the configuration must allow it (K14). */
export function statusReference(status: unknown, origins: readonly string[]): StatusReference {
  const list = isObject(status) ? status['status_list'] : undefined;
  if (!isObject(list)) throw checkFailed('T03', 'The credential has a status that is not in a status_list.');
  const { uri, idx } = list;
  if (typeof idx !== 'number' || !Number.isSafeInteger(idx) || idx < 0) {
    throw checkFailed('T04', "The credential's status has an idx that is no place in a list.");
  }
  const url = secureUrl(uri, true);
  if (url === undefined) throw checkFailed('T04', "The credential's status has a uri that is no https URL.");
  if (origins.includes(url.origin)) return { uri: uri as string, idx };
  const origin = url.origin.slice(0, longestOrigin);
  throw checkFailed('K14', `The status list is at ${origin}, which status.origins does not allow.`);
}
