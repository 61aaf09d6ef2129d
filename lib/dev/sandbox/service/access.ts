import { splitPem } from '../../../internal/pem.js';
import { type KeyObject, X509Certificate, createPrivateKey } from 'node:crypto';
import { configInvalid } from '../../../errors.js';
import { certify, pemOf, x5cOf, type Certified } from '../issuers/certificates.js';
import { sha256 } from '../../../internal/sha256.js';
import { attributeIds } from '../../../types/attributes.js';
import { sandboxProfile } from '../profile.js';
import { SignJWT } from '../jose.js';
import { claimPath } from '../people/claims.js';

export type ClientIdPrefix = 'x509_hash' | 'x509_san_dns';

/** Who the service is towards a wallet: a client id, proved by a certificate. */
export interface Access {
  readonly clientId: string;
  readonly privateKey: KeyObject;
  /** The chain without its anchor. */
  readonly x5c: readonly string[];
  /** The authority that certifies who may ask a wallet, in PEM, where it is the sandbox's own. */
  readonly anchors: readonly string[];
  /** What the service may ask for, as a registrar signed it. */
  readonly registration?: string | undefined;
}

/** Makes an authority that certifies the service, for the host that wallets answer to, and a registrar. */
export async function createAccess(prefix: ClientIdPrefix, host: string, now: Date): Promise<Access> {
  const from = Math.floor(now.getTime() / 1000) - 60;
  const ca = certify({ name: 'Sandbox access CA', from });
  const service = certify({ name: 'Sandbox identity service', from, issuer: ca, dnsName: host });
  const clientId = prefix === 'x509_hash' ? `x509_hash:${sha256(service.der)}` : `x509_san_dns:${host}`;
  const registrar = certify({ name: 'Sandbox registrar', from, issuer: ca });
  return {
    clientId,
    privateKey: service.privateKey,
    x5c: x5cOf(service),
    anchors: [pemOf(ca)],
    registration: await register(service, registrar, from),
  };
}

/** Reads what an authority of a test environment has certified. */
export function accessFrom(
  { certificate, key }: { readonly certificate: string; readonly key: string },
  registration: string | undefined,
): Access {
  const [leaf, ...above] = splitPem(certificate).map((pem) => parsed(pem));
  const privateKey = keyIn(key);
  if (leaf?.checkPrivateKey(privateKey) !== true) {
    throw configInvalid(
      'The access certificate and its key do not belong together, or are not PEM. Pass both as PEM, the leaf first.',
    );
  }
  if (leaf.verify(leaf.publicKey)) {
    throw configInvalid(
      'The access certificate is self-signed, which wallets refuse (HAIP 1.0, section 5). Use the one that the test environment issued.',
    );
  }
  const chain = [leaf, ...above.filter((ca) => !ca.checkIssued(ca))];
  return {
    clientId: `x509_hash:${sha256(leaf.raw)}`,
    privateKey,
    x5c: chain.map(({ raw }) => raw.toString('base64')),
    anchors: [],
    registration,
  };
}

/** The names in the service's certificate. */
export function certifiedBy({ x5c: [der = ''] }: Access): {
  readonly service: string;
  readonly authority: string;
} {
  const { subject, issuer } = new X509Certificate(Buffer.from(der, 'base64'));
  return { service: commonName(subject), authority: commonName(issuer) };
}

const commonName = (name: string): string => /^CN=(.*)$/m.exec(name)?.[1] ?? name;

function parsed(pem: string): X509Certificate {
  try {
    return new X509Certificate(pem);
  } catch {
    throw configInvalid('The access certificate cannot be read. Pass it as PEM, the leaf first.');
  }
}

function keyIn(pem: string): KeyObject {
  try {
    const key = createPrivateKey(pem);
    if (key.asymmetricKeyDetails?.namedCurve === 'prime256v1') return key;
  } catch {
    // said below
  }
  throw configInvalid('The key of the access certificate must be a P-256 key in PEM.');
}

const registrationType = 'rc-wrp+jwt';

const day = 24 * 60 * 60;

/**
 * Signs what the service may ask a wallet for: every attribute of the interface, and nothing else of the PID (ETSI TS
 * 119 475, section 5.2; its table 9 names the list of claims `claim`).
 *
 * @internal
 */
export async function register(service: Certified, registrar: Certified, from: number): Promise<string> {
  const claim = attributeIds.map((id) => ({ path: claimPath(id) }));
  const credential = { format: 'dc+sd-jwt', meta: { vct_values: [sandboxProfile.germanVct] }, claim };
  return await new SignJWT({
    name: service.name,
    sub: new X509Certificate(service.der).subject.split('\n').join(', '),
    country: 'DE',
    purpose: [{ lang: 'en', value: 'Trying an app with made-up people' }],
    entitlements: ['https://uri.etsi.org/19475/Entitlement/Service_Provider'],
    credentials: [credential],
    iat: from,
    exp: from + day,
  })
    .setProtectedHeader({ alg: 'ES256', typ: registrationType, x5c: x5cOf(registrar) })
    .sign(registrar.privateKey);
}
