/** True for a URL that reaches only this machine. */
export function isLoopback(url: URL): boolean {
  return url.hostname === 'localhost' || url.hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(url.hostname);
}

/**
 * Returns the URL if the kit may send secrets there: https, or http on this machine if `loopback` allows it, without
 * user information. Returns undefined for everything else.
 */
export function secureUrl(value: unknown, loopback: boolean): URL | undefined {
  if (typeof value !== 'string' || !URL.canParse(value)) return undefined;
  const url = new URL(value);
  if (url.username !== '' || url.password !== '') return undefined;
  if (url.protocol === 'https:') return url;
  return loopback && url.protocol === 'http:' && isLoopback(url) ? url : undefined;
}

/**
 * Returns a path of the app as it will be written in a Location header, or undefined if it could lead anywhere else.
 * The check reads the URL after parsing, as a browser does.
 */
export function safePath(path: unknown, origin: string): string | undefined {
  if (typeof path !== 'string' || path.length > 2_000) return undefined;
  // Browsers drop tabs and newlines and read a backslash as a slash; encoded ones may be decoded on the way.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]|%(?:5c|0[0-9a-f]|1[0-9a-f]|7f)/iu.test(path)) {
    return undefined;
  }
  if (!URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
  // `/.//evil.example` parses to the path `//evil.example`, which is another origin once it stands alone.
  return /^(?:\/|%2f){2}/i.test(url.pathname) ? undefined : `${url.pathname}${url.search}${url.hash}`;
}
