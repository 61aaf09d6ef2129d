import { IdentityError } from '../../lib/errors.js';

/** What a call was refused with: the code, and every word that could reach a log. */
export async function failureOf(call: Promise<unknown>): Promise<{ code: string; words: string }> {
  try {
    await call;
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const { code, message, cause } = error;
    return { code, words: `${message}${cause === undefined ? '' : ' and a cause'}` };
  }
  throw new Error('It did not fail.');
}
