/** True for a URL that only this machine can answer. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(url.hostname);
}

/**
 * The URL, if it is one that may be trusted with what the kit sends there: https, or http on this machine where
 * `loopback` allows it; no user information.
 */
export function secureUrl(value: unknown, loopback: boolean): URL | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  return loopback && url.protocol === 'http:' && isLoopback(url) ? url : undefined;
}
