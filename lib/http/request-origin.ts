import type { AppRequest } from '../options/options.js';

/**
 * The public origin that this request came in under, with its prefix, out of the allow-list. Only the host decides: a
 * proxy that ends TLS may leave the scheme unknown, and an origin that is not listed is never returned.
 */
export function originOf(req: AppRequest, origins: readonly string[]): string | undefined {
  const asked = hostOf(req).toLowerCase();
  // Compared as text: a URL parser would read this host out of `evil.example@shop.example` and `shop%2eexample` too.
  const fits = origins.filter((base) => {
    const { host, port, protocol } = new URL(base);
    return asked === host || (port === '' && asked === `${host}:${standardPorts[protocol]}`);
  });
  return fits.find((base) => base.startsWith(`${req.protocol}:`)) ?? fits[0];
}

const standardPorts: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Whether the request was made by a page of this app (a browser tells, or else names the page's origin). */
export function fromThisApp(req: AppRequest, origins: readonly string[]): boolean {
  const site = req.headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  return (
    req.headers.origin !== undefined && origins.some((base) => new URL(base).origin === req.headers.origin)
  );
}

const purposes = ['sec-purpose', 'purpose', 'x-moz'];

/** Whether a browser only looks ahead. */
export function isPrefetch(req: AppRequest): boolean {
  return purposes.some((name) => /prefetch/i.test(String(req.headers[name] ?? '')));
}

function hostOf(req: AppRequest): string {
  const trusts = req.app.get('trust proxy fn') as
    ((address: string | undefined, hop: number) => boolean) | undefined;
  const forwarded = trusts?.(req.socket.remoteAddress, 0) ? req.headers['x-forwarded-host'] : undefined;
  return (
    String(forwarded ?? req.headers.host ?? '')
      .split(',', 1)[0]
      ?.trim() ?? ''
  );
}
