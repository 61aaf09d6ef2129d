import {
  type JsonWebKey,
  type KeyPairKeyObjectResult,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
} from 'node:crypto';

type Options = Readonly<Record<string, unknown>>;

/** New keys, read anew: Node can wait for itself for ever when it exports the very objects that it has made. */
export function keyPair(
  type: 'ec' | 'rsa' | 'ed25519' | 'dsa',
  options: Options = {},
): KeyPairKeyObjectResult {
  const hasJwk = type !== 'dsa' && options['namedCurve'] !== 'brainpoolP256r1';
  const privateKey = hasJwk ? fromJwk(type, options) : fromDer(type, options);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** By JWK, which Node reads ten times as fast as PEM, and which the types of Node 20 do not know. */
function fromJwk(type: string, options: Options) {
  const format = { publicKeyEncoding: { format: 'jwk' }, privateKeyEncoding: { format: 'jwk' } };
  const made: { readonly privateKey: unknown } = generateKeyPairSync(type as 'ec', {
    ...(options as { namedCurve: string }),
    ...format,
  });
  return createPrivateKey({ key: made.privateKey as JsonWebKey, format: 'jwk' });
}

function fromDer(type: string, options: Options) {
  const { privateKey } = generateKeyPairSync(type as 'ec', {
    ...(options as { namedCurve: string }),
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  return createPrivateKey({ key: privateKey, format: 'der', type: 'pkcs8' });
}
