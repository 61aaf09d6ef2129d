import type { CryptoKey, JWK } from 'jose';
import type { SdJwtOptions } from '../../lib/verify/sd-jwt/verify.js';

// A key of jose fits as it is, though no type of ours names jose.
export const keyOf = (key: JWK | CryptoKey): SdJwtOptions['key'] => key;
export const findKey = (find: () => Promise<JWK>): SdJwtOptions['key'] => find;
