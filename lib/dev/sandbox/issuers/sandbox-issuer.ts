import { type webcrypto, randomBytes } from 'node:crypto';
import type { PidAttributes, Variant } from '../../../types/attributes.js';
import type { Clock } from '../../../types/json.js';
import { attributeIds, claimNames } from '../../../types/attributes.js';
import { nonceOf } from '../../../service/receipt.js';
import type { ReceivedProveRequest } from '../../../service/prove/schema.js';
import { sandboxProfile } from '../profile.js';
import { SignJWT, calculateJwkThumbprint, exportJWK } from '../jose.js';
import { derivedOf, pidClaims } from '../people/claims.js';
import { newKeys } from './certificates.js';
import { type PlantedFault, breakSignature, derivedWith, lifeFrom, retype, revealWith } from './faults.js';
import { sha256 } from '../../../internal/sha256.js';
import { disclosuresFor, hideClaims } from './sd-jwt.js';
import { type SignList, encodeStatus } from './status-lists.js';

/** What a presentation is made for. */
export interface Showing {
  readonly request: ReceivedProveRequest;
  readonly person: Readonly<PidAttributes>;
  readonly fault?: PlantedFault | undefined;
}

/** `xx-sandbox`: the issuer of the credential and its holder in one. */
export interface SandboxIssuer {
  readonly jwks: { readonly keys: readonly (webcrypto.JsonWebKey & { readonly kid: string })[] };
  present(showing: Showing): Promise<string>;
  readonly signList: SignList;
  /** Signs what the service states itself, with the same key set. */
  sign(typ: string, claims: Record<string, unknown>, fault?: PlantedFault): Promise<string>;
}

const alg = 'ES256';

/** Makes new keys, so that no app believes what was signed by another sandbox. */
export async function createSandboxIssuer(
  iss: string,
  variant: Variant,
  clock: Clock,
): Promise<SandboxIssuer> {
  const [issuer, holder, stranger] = [newKeys(), newKeys(), newKeys()];
  const publicJwk = await exportJWK(issuer.publicKey);
  const cnf = { jwk: await exportJWK(holder.publicKey) };
  const kid = `${sandboxProfile.kidPrefix}${await calculateJwkThumbprint(publicJwk)}`;
  return { jwks: { keys: [{ ...publicJwk, kid, alg, use: 'sig' }] }, present, sign, signList };

  async function present({ request, person, fault }: Showing): Promise<string> {
    const now = Math.floor(clock().getTime() / 1000);
    const shown = revealWith(request.revealed, attributeIds, fault).map((id) => claimNames[id][0]);
    // The credential holds a digest for every attribute; only the asked Disclosures travel with it.
    const { _sd, disclosures } = hideClaims(retype(pidClaims(person, variant), shown, fault), false);
    const derived = derivedWith(derivedOf(person, request.derived), fault);
    const hasStatus = fault === 'revoked' || fault === 'status_unreachable';
    const credential = await sign(
      'dc+sd-jwt',
      {
        iss,
        vct: sandboxProfile.vct,
        ...lifeFrom(now, fault),
        cnf,
        _sd_alg: 'sha-256',
        _sd,
        ...(hasStatus && { status: encodeStatus(`${iss}/status/xx`, fault) }),
        ...(derived.nationality !== undefined && { derived, derived_for: request.derived }),
      },
      fault,
    );
    const asked = disclosuresFor(
      { disclosures },
      shown.map((name) => [name]),
    );
    const presented = [credential, ...asked, ''].join('~');
    const binding = {
      nonce: fault === 'wrong_nonce' ? randomBytes(32).toString('base64url') : nonceOf(request.state),
      aud: fault === 'wrong_audience' ? 'somebody-else' : sandboxProfile.audience,
      iat: now,
      sd_hash: sha256(presented),
    };
    const key = fault === 'wrong_key' ? stranger.privateKey : holder.privateKey;
    return presented + (await new SignJWT(binding).setProtectedHeader({ alg, typ: 'kb+jwt' }).sign(key));
  }

  async function sign(typ: string, claims: Record<string, unknown>, fault?: PlantedFault): Promise<string> {
    // A key that is not known yet makes the app ask for the keys again.
    const signedBy = fault === 'keys_unreachable' ? `new-${randomBytes(8).toString('base64url')}` : kid;
    const jws = await new SignJWT(claims)
      .setProtectedHeader({ alg, typ, kid: signedBy })
      .sign(issuer.privateKey);
    return fault === 'invalid_signature' ? breakSignature(jws) : jws;
  }

  async function signList(claims: Record<string, unknown>): Promise<string> {
    return await sign('statuslist+jwt', claims);
  }
}
