import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyPairKeyObjectResult,
} from 'node:crypto';

/** New keys, read anew: Node can wait for itself for ever when it exports the very objects that it has made. */
export function keyPair(
  type: 'ec' | 'rsa' | 'ed25519' | 'dsa',
  options: Readonly<Record<string, unknown>> = {},
): KeyPairKeyObjectResult {
  const made = generateKeyPairSync(type as 'ec', {
    ...(options as { namedCurve: string }),
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const privateKey = createPrivateKey(made.privateKey);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}
