import type { AppRequest } from '../../options/options.js';

/** Whether the wallet is likely on the device that asks: a phone or tablet, by client hint or else user agent. */
export function looksMobile(req: AppRequest): boolean {
  const hint = req.headers['sec-ch-ua-mobile'];
  if (hint === '?1') return true;
  if (hint === '?0') return false;
  return /\b(?:android|iphone|ipad|ipod|mobile)\b/i.test(req.headers['user-agent'] ?? '');
}
