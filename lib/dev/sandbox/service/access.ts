import { sha256Of } from './digest.js';
import { type Certified, certify, pemOf, x5cOf } from '../issuers/certificates.js';

export type ClientIdPrefix = 'x509_hash' | 'x509_san_dns';

/** Who the service is towards a wallet: a client id, proved by a certificate. */
export interface Access {
  readonly clientId: string;
  readonly privateKey: Certified['privateKey'];
  /** The chain without its anchor. */
  readonly x5c: readonly string[];
  /** The authority that certifies who may ask a wallet, in PEM. */
  readonly anchors: readonly string[];
}

/** Makes an authority and lets it certify the service, for the host that wallets answer to. */
export function createAccess(prefix: ClientIdPrefix, host: string, now: Date): Access {
  const from = Math.floor(now.getTime() / 1000) - 60;
  const ca = certify({ name: 'Sandbox access CA', from });
  const service = certify({ name: 'Sandbox identity service', from, issuer: ca, dnsName: host });
  const clientId = prefix === 'x509_hash' ? `x509_hash:${sha256Of(service.der)}` : `x509_san_dns:${host}`;
  return { clientId, privateKey: service.privateKey, x5c: x5cOf(service), anchors: [pemOf(ca)] };
}
