/**
 * The address inside the app that this path means, as it will stand in a Location header; undefined where it could
 * lead anywhere else. Judged after parsing, on what a browser would make of it.
 */
export function safePath(path: unknown, origin: string): string | undefined {
  if (typeof path !== 'string' || path.length > 2_000) return undefined;
  // Browsers drop tabs and newlines and read a backslash as a slash; encoded ones may be decoded on the way.
  if (!/^\/(?![/\\])/.test(path) || /[\\\p{Cc}]|%(?:5c|0[0-9a-f]|1[0-9a-f]|7f)/iu.test(path))
    return undefined;
  if (!URL.canParse(path, origin)) return undefined;
  const url = new URL(path, origin);
  if (url.origin !== origin || url.username !== '' || url.password !== '') return undefined;
  // `/.//evil.example` parses to the path `//evil.example`, which is another origin once it stands alone.
  return /^(?:\/|%2f){2}/i.test(url.pathname) ? undefined : `${url.pathname}${url.search}${url.hash}`;
}
