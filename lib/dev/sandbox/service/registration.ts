import { X509Certificate } from 'node:crypto';
import { attributeIds } from '../../../service/attributes.js';
import { sandboxProfile } from '../../../service/sandbox.js';
import { type Certified, x5cOf } from '../issuers/certificates.js';
import { SignJWT } from '../jose.js';
import { claimPath } from '../people/claims.js';

const registrationType = 'rc-wrp+jwt';

const day = 24 * 60 * 60;

/**
 * Signs what the service may ask a wallet for: every attribute of the interface, and nothing else of the PID (ETSI TS
 * 119 475, section 5.2; its table 9 names the list of claims `claim`).
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
