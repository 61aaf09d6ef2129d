import { type Server, createServer } from 'node:https';
import { configInvalid } from '../../../errors.js';
import { whenListening } from './listen.js';

/** How wallets on other machines reach their side of the sandbox. Certificates and keys are in PEM. */
export interface Outside {
  readonly hostname: string;
  readonly port: number;
  readonly tls: { readonly cert: string; readonly key: string };
  /** Who may ask a wallet, as the authority of a test environment certified it; the leaf first. */
  readonly access: { readonly certificate: string; readonly key: string };
  /** What the service may ask for, as a registrar signed it. */
  readonly registration?: string;
}

/** Listens where a name leads to, and nowhere else. */
export async function listenOutside({
  hostname,
  port,
  tls,
}: Outside): Promise<{ server: Server; url: string }> {
  const server = serverWith(tls);
  const { port: given } = await whenListening(server, port, hostname);
  return { server, url: new URL(`https://${hostname}:${given}`).origin };
}

function serverWith(tls: Outside['tls']): Server {
  try {
    return createServer(tls);
  } catch {
    throw configInvalid('The certificate and the key for TLS are not a pair in PEM.');
  }
}
