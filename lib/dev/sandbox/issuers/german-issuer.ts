import type { webcrypto } from 'node:crypto';
import type { PidAttributes, Variant } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import { type SandboxAnchors, sandboxProfile } from '../profile.js';
import { SignJWT } from '../jose.js';
import { germanClaims } from '../people/claims.js';
import { type Certified, certify, pemOf, x5cOf } from './certificates.js';
import { type PlantedFault, breakSignature, lifeFrom, retype } from './faults.js';
import { type HiddenClaims, hideClaims } from './sd-jwt.js';
import { type SignList, encodeStatus } from './status-lists.js';

/** A credential as its holder keeps it. */
export interface IssuedPid extends HiddenClaims {
  readonly credential: string;
}

export interface PidOrder {
  /** The public key of the wallet. */
  readonly holder: webcrypto.JsonWebKey;
  readonly person: Readonly<PidAttributes>;
  readonly fault?: PlantedFault | undefined;
  /** The claims that will be shown, for the fault `wrong_type`. */
  readonly shown?: readonly string[];
}

/** `de-ausweis`, simulated: the provider of the German PID. As in Germany, status lists are signed below another CA. */
export interface GermanIssuer {
  readonly anchors: SandboxAnchors;
  issue(order: PidOrder): Promise<IssuedPid>;
  readonly signList: SignList;
}

const alg = 'ES256';
const clockSkew = 60;

export function createGermanIssuer(iss: string, variant: Variant, clock: Clock): GermanIssuer {
  const from = Math.floor(clock().getTime() / 1000) - clockSkew;
  const pidCa = certify({ name: 'Sandbox PID CA', from, marked: true });
  const provider = certify({ name: 'Sandbox PID provider', from, issuer: pidCa });
  const listCa = certify({ name: 'Sandbox status list CA', from, marked: true });
  const listSigner = certify({ name: 'Sandbox status list signer', from, issuer: listCa });
  const anchors = { anchors: [pemOf(pidCa)], statusAnchors: [pemOf(listCa)] };
  return { anchors, issue, signList };

  async function issue({ holder, person, fault, shown = [] }: PidOrder): Promise<IssuedPid> {
    const now = clock();
    const claims = retype(germanClaims(person, variant, now), shown, fault);
    const { _sd, disclosures } = hideClaims(claims, true);
    const { kty, crv, x, y } = holder;
    const credential = await sign(provider, 'dc+sd-jwt', {
      iss,
      vct: sandboxProfile.germanVct,
      ...lifeFrom(Math.floor(now.getTime() / 1000), fault),
      cnf: { jwk: { kty, crv, x, y } },
      status: encodeStatus(`${iss}/status/de`, fault),
      _sd_alg: 'sha-256',
      _sd,
    });
    return {
      credential: fault === 'invalid_signature' ? breakSignature(credential) : credential,
      _sd,
      disclosures,
    };
  }

  async function signList(claims: Record<string, unknown>): Promise<string> {
    return await sign(listSigner, 'statuslist+jwt', claims);
  }
}

async function sign(by: Certified, typ: string, claims: Record<string, unknown>): Promise<string> {
  return await new SignJWT(claims).setProtectedHeader({ alg, typ, x5c: x5cOf(by) }).sign(by.privateKey);
}
