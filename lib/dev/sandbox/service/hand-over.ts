import { type WalletLinks, linkPage, qrPage } from '../pages/hand-over.js';
import type { Html } from '../pages/html.js';
import type { Job } from './jobs.js';
import { walletLink } from './request-object.js';
import type { Service } from './service.js';
import type { WalletLeg } from './wallet-request.js';

/** The page that leads to the wallet and waits for it. */
export function handOver(service: Service, job: Job, leg: WalletLeg, follow: string): Html {
  const links = walletLinks(service, leg);
  return leg.way === 'link' ? linkPage(job, links, follow) : qrPage(job, links, follow);
}

export function walletLinks(
  { url, walletUrl, access, isOutside, requestUriMethod }: Service,
  leg: WalletLeg,
): WalletLinks {
  const requestUri = `${walletUrl}/request/${leg.requestId}`;
  const link = (scheme: string): string => walletLink(scheme, access.clientId, requestUri, requestUriMethod);
  return {
    openid4vp: link('openid4vp://'),
    haip: link('haip-vp://'),
    builtIn: isOutside ? undefined : link(`${url}/holder`),
  };
}
