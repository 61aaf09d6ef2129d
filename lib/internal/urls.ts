/** True for a URL that reaches only this machine, as any name below `localhost` does (RFC 6761, section 6.3). */
export const isLoopback = ({ hostname }: URL): boolean =>
  /(?:^|\.)localhost$/.test(hostname) || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

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

/** True for a path that has one spelling: no character is escaped, and no segment is empty or another place. */
export const isPlainPath = (path: string): boolean =>
  /^(?:\/(?!\.{1,2}(?:\/|$))[A-Za-z0-9_.~-]+)+$/.test(path);

/** The prefix of a base such as `https://shop.example/shop`: what a proxy takes off before the app sees an address. */
export function prefixOf(base: string): string {
  const slash = base.indexOf('/', 'https://'.length);
  return slash < 0 ? '' : base.slice(slash);
}

/**
 * Returns a path of the app as it will be written behind its base in a Location header, or undefined if it could lead
 * anywhere else. The check reads the URL after parsing, as a browser does.
 */
export function safePath(path: unknown, base: string): string | undefined {
  if (typeof path !== 'string' || path.length > 2_000) return undefined;
  // Browsers drop tabs and newlines and read a backslash as a slash; encoded ones may be decoded on the way.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]|%(?:5c|0[0-9a-f]|1[0-9a-f]|7f)/iu.test(path)) {
    return undefined;
  }
  const whole = `${base}${path}`;
  if (!URL.canParse(whole)) return undefined;
  const url = new URL(whole);
  const prefix = prefixOf(base);
  if (`${url.origin}${prefix}` !== base || url.username !== '' || url.password !== '') return undefined;
  if (!url.pathname.startsWith(`${prefix}/`)) return undefined; // `/../bank` is another app of the same origin
  const rest = url.pathname.slice(prefix.length);
  // A proxy may decode `%2f` before it looks at the dots.
  if (/(?:\/|%2f)(?:\.|%2e){2}(?:\/|%2f|$)/i.test(rest)) return undefined;
  // `/.//evil.example` parses to the path `//evil.example`, which is another origin once it stands alone.
  return /^(?:\/|%2f){2}/i.test(rest) ? undefined : `${rest}${url.search}${url.hash}`;
}

/** A path to return to is stored with every start, which costs anybody nothing: a longer one is not kept. */
const maxReturnTo = 500;

/** The same, for a path that a browser is to come back to. */
export function returnToPath(path: unknown, base: string): string | undefined {
  const safe = safePath(path, base);
  return safe !== undefined && safe.length <= maxReturnTo ? safe : undefined;
}
