/** An address of this network. One with a password would be in logs. */
export function httpUrl(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    throw new Error('must be an http or https address');
  if (url.username || url.password) throw new Error('must have no user and no password in it');
  return url.href;
}

/** An address that browsers, codes or proofs go to: https, or http on this machine. */
export function secureUrl(text: unknown): string {
  const url = new URL(httpUrl(text));
  if (url.protocol === 'https:' || isLoopback(url)) return url.href;
  throw new Error('must be https (http only on this machine)');
}

/** For an address that paths are put behind. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);

const runsScripts = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'];

/** A link that opens a wallet and fits a QR code, whatever scheme wallets use, but none that would do something else. */
export function walletLink(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && url.href.length <= 2_000 && !runsScripts.includes(url.protocol)) return url.href;
  throw new Error('The verifier answered without a link that opens a wallet.');
}
