import { lookup } from 'node:dns/promises';
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

const everyAddress = ['0.0.0.0', '::', '::ffff:0.0.0.0'];

/** Listens where a name leads to, and nowhere else. */
export async function listenOutside({
  hostname,
  port,
  tls,
}: Outside): Promise<{ server: Server; url: string }> {
  const server = serverWith(tls);
  const address = await addressOf(hostname);
  const { port: given } = await whenListening(server, port, address);
  return { server, url: new URL(`https://${hostname}:${given}`).origin };
}

/** What the name leads to is looked up once: the address that is checked is the one that is listened at. */
async function addressOf(hostname: string): Promise<string> {
  const { address } = await lookup(hostname).catch(() => {
    throw configInvalid(`--host: no address was found for the name ${hostname}.`);
  });
  if (!everyAddress.includes(address)) return address;
  throw configInvalid(
    `--host: ${hostname} is every address of this machine. Give the name or address of one.`,
  );
}

function serverWith(tls: Outside['tls']): Server {
  try {
    return createServer(tls);
  } catch {
    throw configInvalid('The certificate and the key for TLS are not a pair in PEM.');
  }
}
