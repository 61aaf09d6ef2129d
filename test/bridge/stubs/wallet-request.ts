import { type webcrypto, type KeyObject, randomBytes } from 'node:crypto';
import { newKeys } from '../../../lib/dev/sandbox/issuers/certificates.js';
import { exportJWK } from 'jose';

const newId = (): string => randomBytes(16).toString('base64url');

/**
 * The way to the wallet, fixed before a wallet has the request: a link on the same device, or a QR code for another one.
 * The browser of the link gets the way back from the wallet; for a QR code only the browser that waits does.
 */
export interface WalletLeg {
  readonly way: 'link' | 'qr';
  readonly requestId: string;
  readonly responseId: string;
  /** OpenID4VP's own `state`, which comes back inside the response. The interface's is no part of this leg. */
  readonly state: string;
  /** The key that the wallet encrypts to, made for this job alone. */
  readonly key: {
    readonly publicJwk: webcrypto.JsonWebKey & { readonly kid: string };
    readonly privateKey: KeyObject;
  };
  /** A wallet has the request: from now on the way stands. */
  fetched: boolean;
  /** Answers that did not do. */
  refused: number;
  /** An answer fitted, or too many did not. */
  closed: boolean;
}

export async function createLeg(way: WalletLeg['way']): Promise<WalletLeg> {
  const { publicKey, privateKey } = newKeys();
  const kid = newId();
  const publicJwk = { ...(await exportJWK(publicKey)), kid, alg: 'ECDH-ES', use: 'enc' };
  return {
    way,
    requestId: newId(),
    responseId: newId(),
    state: newId(),
    key: { publicJwk, privateKey },
    fetched: false,
    refused: 0,
    closed: false,
  };
}
