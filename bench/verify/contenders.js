import { createHash } from 'node:crypto';
import { SDJwtVcInstance } from '@sd-jwt/sd-jwt-vc';
import { flattenedVerify, importJWK } from 'jose';
import { verifyPresentation } from '../../dist/verify/verify-presentation.js';
import { verifySdJwt } from '../../dist/verify/sd-jwt/verify.js';

const algorithms = { algorithms: ['ES256'] };
const split = (jws) => {
  const [header, payload, signature] = jws.split('.');
  return { protected: header, payload, signature };
};

/** verifyPresentation as a function of a token, by this entry; throws for a refusal. */
export function presentationVerifier(entry, expected, now) {
  const trust = { 'de-ausweis': entry };
  const runtime = { clock: () => new Date(now * 1000) };
  return async (token) => {
    const verdict = await verifyPresentation(token, expected, trust, runtime);
    if (!verdict.valid) throw new Error(`${verdict.check}: ${verdict.reason}`);
  };
}

/** Everyone who is measured, as functions of a token; all with the same jose. */
export async function contenders({ key, state, nonce, audience, vct, now }) {
  const issuerKey = await importJWK(key, 'ES256');
  const clock = () => new Date(now * 1000);

  /** The baseline: what no verifier of two signatures can go below. */
  async function baseline(token) {
    const parts = token.split('~');
    const issuerSigned = split(parts[0]);
    const { cnf } = JSON.parse(Buffer.from(issuerSigned.payload, 'base64url').toString());
    const walletKey = await importJWK(cnf.jwk, 'ES256');
    await Promise.all([
      flattenedVerify(issuerSigned, issuerKey, algorithms),
      flattenedVerify(split(parts.at(-1)), walletKey, algorithms),
    ]);
  }

  const options = { key, keyBinding: { nonce, audience }, clock };
  const reveal = ['family_name', 'given_name', 'birth_date', 'nationality'];
  const expected = { issuer: 'de-ausweis', state, reveal };
  const entry = {
    format: 'sd-jwt-vc',
    keys: { jwks: { keys: [key] } },
    vct: [vct],
    keyBinding: { nonce: 'state-sha256', audience },
  };

  const check = async (data, signature, jwk) => {
    const [header, payload] = data.split('.');
    const verifiedBy = jwk === undefined ? issuerKey : await importJWK(jwk, 'ES256');
    await flattenedVerify({ protected: header, payload, signature }, verifiedBy, algorithms);
    return true;
  };
  const peer = new SDJwtVcInstance({
    hasher: (data, name) =>
      createHash(name.replace('-', ''))
        .update(typeof data === 'string' ? data : new Uint8Array(data))
        .digest(),
    hashAlg: 'sha-256',
    verifier: async (data, signature) => await check(data, signature),
    kbVerifier: async (data, signature, payload) => await check(data, signature, payload.cnf.jwk),
  });
  const peerOptions = { currentDate: now, skewSeconds: 5, keyBindingNonce: nonce };

  return {
    'jose: two signatures, one key import': baseline,
    verifySdJwt: async (token) => await verifySdJwt(token, options),
    'verifyPresentation, 4 attributes': presentationVerifier(entry, expected, now),
    '@sd-jwt/sd-jwt-vc 0.19': async (token) => await peer.verify(token, peerOptions),
  };
}
