const defaultMs = 10 * 60_000;
const maxFreshMs = 24 * 60 * 60_000;

/** Returns for how many milliseconds a reply may be reused (RFC 9111, sections 4.2 and 5.2.2). */
export function freshFor(headers: Headers): number {
  const directives = (headers.get('cache-control') ?? '').toLowerCase();
  if (/\bno-(store|cache)\b/.test(directives)) return 0;
  const maxAge = /\bmax-age="?(\d{1,10})\b/.exec(directives)?.[1];
  if (maxAge === undefined) return defaultMs;
  const age = Math.max(Number(headers.get('age') ?? 0) || 0, 0);
  return Math.min(Math.max(Number(maxAge) - age, 0) * 1000, maxFreshMs);
}
