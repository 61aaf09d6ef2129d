import { configInvalid } from '../../errors.js';
import { secureUrl } from '../../safe/urls.js';
import { stringList } from '../../safe/check-options.js';

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
