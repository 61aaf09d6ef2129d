import { isSecret } from './secrets.js';

/** The two halves of a return code: the flow's public name and the secret that fits it. */
export interface ReturnCode {
  readonly id: string;
  readonly secret: string;
}

/** The code, if it is one that we can have made. */
export function readReturnCode(given: unknown): ReturnCode | undefined {
  const [id, secret, more] = typeof given === 'string' ? given.split('.') : [];
  if (id === undefined || secret === undefined || more !== undefined) return undefined;
  return isSecret(id) && isSecret(secret) ? { id, secret } : undefined;
}
