/** The only file that imports jose. The build bundles it, because jose has no CommonJS form. */
export {
  CompactEncrypt,
  SignJWT,
  calculateJwkThumbprint,
  compactVerify,
  decodeProtectedHeader,
  exportJWK,
  importJWK,
} from 'jose';
