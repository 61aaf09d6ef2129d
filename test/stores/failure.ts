import { IdentityError } from '../../lib/errors.js';
import type { FlowStore } from '../../lib/types/store.js';

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

/** What several calls were refused with, each once. */
export async function failures(calls: Promise<unknown>[]): Promise<string[]> {
  const failed = await Promise.all(calls.map(failureOf));
  return [...new Set(failed.map(({ code, words }) => `${code}: ${words}`))];
}

export const minute = 60_000;
export const secret = 'Erika Mustermann';

/** Every call of a store, with a value that no message may repeat. */
export const fourCalls = (store: FlowStore): Promise<unknown>[] => [
  store.create('a', secret, minute),
  store.read('a'),
  store.replace('a', 1, secret, minute),
  store.delete('a'),
];
