import { createHash, randomBytes } from 'node:crypto';
import { type JWK, SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from '../jose.js';
import type { PidAttributes, Variant } from '../../../contracts/attributes.js';
import type { Clock } from '../../../contracts/values.js';
import { attributeIds } from '../../../protocol/attributes.js';
import { nonceOf } from '../../../protocol/nonce.js';
import type { ReceivedProveRequest } from '../../../protocol/prove.js';
import { sandboxProfile } from '../../../protocol/sandbox.js';
import { claimNames, derivedOf, pidClaims } from '../people/claims.js';

/** The government that issues the credential, and the wallet that shows it. */
export interface Issuer {
  readonly jwks: { readonly keys: readonly JWK[] };
  present(request: ReceivedProveRequest): Promise<string>;
}

const algorithm = 'ES256';
const lifetime = 14 * 24 * 60 * 60;

/** Makes new keys, so that nothing signed by one sandbox is believed by the app of another. */
export async function createIssuer(
  iss: string,
  variant: Variant,
  clock: Clock,
  person: Readonly<PidAttributes>,
): Promise<Issuer> {
  const issuer = await generateKeyPair(algorithm);
  const holder = await generateKeyPair(algorithm);
  const issuerJwk = await exportJWK(issuer.publicKey);
  const holderJwk = await exportJWK(holder.publicKey);
  const kid = await calculateJwkThumbprint(issuerJwk);

  return { jwks: { keys: [{ ...issuerJwk, kid, alg: algorithm, use: 'sig' }] }, present };

  async function present(request: ReceivedProveRequest): Promise<string> {
    const iat = Math.floor(clock().getTime() / 1000);
    // The credential holds a digest for every attribute; only the asked Disclosures travel with it.
    const values = pidClaims(person, variant);
    const claims = attributeIds.map((id) => ({
      id,
      disclosure: disclose(claimNames[id], values[claimNames[id]]),
    }));
    const derived = derivedOf(person, request.derived);
    const credential = await new SignJWT({
      iss,
      vct: sandboxProfile.vct,
      iat,
      exp: iat + lifetime,
      cnf: { jwk: holderJwk },
      _sd_alg: 'sha-256',
      _sd: claims.map(({ disclosure }) => sha256(disclosure)).toSorted(),
      ...(Object.keys(derived).length > 0 && { derived, derived_for: request.derived }),
    })
      .setProtectedHeader({ alg: algorithm, typ: 'dc+sd-jwt', kid })
      .sign(issuer.privateKey);
    const shown = claims.filter(({ id }) => request.revealed.includes(id));
    const presented = [credential, ...shown.map(({ disclosure }) => disclosure), ''].join('~');
    const binding = await new SignJWT({
      nonce: nonceOf(request.state),
      aud: sandboxProfile.audience,
      iat,
      sd_hash: sha256(presented),
    })
      .setProtectedHeader({ alg: algorithm, typ: 'kb+jwt' })
      .sign(holder.privateKey);
    return presented + binding;
  }
}

function disclose(name: string, value: unknown): string {
  const salt = randomBytes(16).toString('base64url');
  return Buffer.from(JSON.stringify([salt, name, value])).toString('base64url');
}

function sha256(ascii: string): string {
  return createHash('sha256').update(ascii).digest('base64url');
}
