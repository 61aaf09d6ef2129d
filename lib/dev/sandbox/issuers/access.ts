import { X509Certificate } from 'node:crypto';
import { sha256 } from '../../../internal/sha256.js';
import { attributeIds, claimNames } from '../../../types/attributes.js';
import { SignJWT } from '../jose.js';
import { sandboxProfile } from '../profile.js';
import { type Certified, certify, pemOf, x5cOf } from './certificates.js';

/** What an app needs to ask wallets itself, as `wallets` takes it, and who has certified it. */
export interface Access {
  /** What requests, links and audiences name (OpenID4VP 1.0, section 5.9.3). */
  readonly clientId: string;
  readonly certificate: string;
  readonly key: string;
  readonly registration: string;
  /** The authority, in PEM: a wallet trusts whom it has certified. */
  readonly anchors: readonly string[];
}

/** Plays the authority that certifies who may ask a wallet, and the registrar who says what for. */
export async function createAccess(now: Date, marked = true): Promise<Access> {
  const from = Math.floor(now.getTime() / 1000) - 60;
  const ca = certify({ name: 'Sandbox access CA', from, marked });
  const app = certify({ name: 'Sandbox app', from, issuer: ca, dnsName: 'localhost', marked });
  const registrar = certify({ name: 'Sandbox registrar', from, issuer: ca });
  return {
    clientId: `x509_hash:${sha256(app.der)}`,
    certificate: pemOf(app),
    key: app.privateKey.export({ type: 'pkcs8', format: 'pem' }) as string,
    registration: await register(app, registrar, from),
    anchors: [pemOf(ca)],
  };
}

const day = 24 * 60 * 60;

/**
 * Signs what the app may ask a wallet for: every attribute of the interface, the ages, and nothing else of the PID (ETSI TS
 * 119 475, section 5.2; its table 9 names the list of claims `claim`).
 *
 * @internal
 */
export async function register(app: Certified, registrar: Certified, from: number): Promise<string> {
  const claim = [
    ...attributeIds.map((id) => ({
      path: id === 'nationality' ? [...claimNames[id], null] : claimNames[id],
    })),
    { path: claimNames.age_over }, // with all ages in it
  ];
  const credential = { format: 'dc+sd-jwt', meta: { vct_values: [sandboxProfile.germanVct] }, claim };
  return await new SignJWT({
    name: app.name,
    sub: new X509Certificate(app.der).subject.split('\n').join(', '),
    country: 'DE',
    purpose: [{ lang: 'en', value: 'Trying an app with made-up people' }],
    entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'],
    credentials: [credential],
    iat: from,
    exp: from + day,
  })
    .setProtectedHeader({ alg: 'ES256', typ: 'rc-wrp+jwt', x5c: x5cOf(registrar) })
    .sign(registrar.privateKey);
}
