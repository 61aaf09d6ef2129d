/** The only file that imports jose. The build bundles it, because jose has no CommonJS form. */
export { type JWK, SignJWT, calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
