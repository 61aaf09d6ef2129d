import { IdentityError } from '../../../lib/errors.js';
import { type SdJwtOptions, type VerifiedSdJwt, verifySdJwt } from '../../../lib/verify/sd-jwt/verify.js';
import { audience, clock, issuerKeys, nonce } from './issuer.js';

export const binding = { nonce, audience };

/** Verifies as the issuer of the tests' own tokens wants it, but for what the test changes. */
export async function verify(compact: unknown, change: Partial<SdJwtOptions> = {}): Promise<VerifiedSdJwt> {
  return await verifySdJwt(compact as string, { key: issuerKeys.jwk, keyBinding: binding, clock, ...change });
}

/** What an operator can read: every refusal is one sentence, or a few. */
export function isSentence(reason: string): boolean {
  return /^\S+ .+[^ :]\.$/.test(reason);
}

/** The number of the check that refused the token, its code before it where that is not `presentation_invalid`. */
export async function checkOf(compact: unknown, change: Partial<SdJwtOptions> = {}): Promise<string> {
  try {
    await verify(compact, change);
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    if (error.cause !== undefined) throw new Error('A refusal must have no cause.', { cause: error });
    if (!isSentence(error.message)) throw new Error('A refusal must say why.', { cause: error });
    return [error.code, error.check].filter((part) => part !== 'presentation_invalid').join(' ');
  }
  return 'accepted';
}

/** What is thrown, for options and trust that are wrong. */
export async function thrown(run: () => unknown): Promise<unknown> {
  try {
    await run();
  } catch (error) {
    return error;
  }
  return undefined;
}
