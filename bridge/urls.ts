import * as z from 'zod';

/** An address of this network. One with a password would be in logs. */
const httpUrl = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => new URL(text))
  .refine(({ username, password }) => username + password === '', 'must have no user and no password in it')
  .transform(({ href }) => href);

/** An address that browsers, codes or proofs go to: https, or http on this machine. */
export const secureUrl = httpUrl.refine(isSecure, 'must be https (http only on this machine)');

/** An address that paths are put behind. */
const asBase = (text: string): string => text.replace(/\/+$/, '');
const hasOnlyPath = (text: string): boolean => !/[?#]/.test(text);
const onlyPath = 'must have no ? and no # in it';
export const httpBase = httpUrl.refine(hasOnlyPath, onlyPath).transform(asBase);
export const secureBase = secureUrl.refine(hasOnlyPath, onlyPath).transform(asBase);

function isSecure(text: string): boolean {
  const { protocol, hostname } = new URL(text);
  const isLoopback =
    /(?:^|\.)localhost$/.test(hostname) || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
  return protocol === 'https:' || isLoopback;
}

const runsScripts = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:'];

/** A link that opens a wallet and fits a QR code, whatever scheme wallets use, but none that would do something else. */
export function walletLink(text: unknown): string {
  const url = typeof text === 'string' && URL.canParse(text) ? new URL(text) : undefined;
  const opensWallet =
    url !== undefined &&
    url.href.length <= 2_000 &&
    !runsScripts.includes(url.protocol) &&
    (url.protocol !== 'http:' || isSecure(url.href));
  if (opensWallet) return url.href;
  throw new Error('The verifier answered without a link that opens a wallet.');
}
