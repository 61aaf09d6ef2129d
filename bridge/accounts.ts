import * as z from 'zod';
import { sha256 } from './seal.js';
import { secureUrl } from './urls.js';

const keyRule = 'must be of printable characters without spaces; two are a list';
const key = z.string(keyRule).regex(/^[\x21-\x7e]+$/, keyRule);
const nameRule = 'must be a text of up to 60 characters';

const account = z.strictObject({
  /** One, or a list of two while it is being changed. */
  apiKey: z.preprocess((given) => [given].flat(), z.array(key).max(2, keyRule).min(1, keyRule)),
  /** Without one the account is known, but not set up: `error_account`. */
  redirectUrl: secureUrl.optional(),
  /** Who asks, as people know them, and where they find them. Without these it is the host of the callback. */
  name: z.string(nameRule).trim().min(1, nameRule).max(60, nameRule).optional(),
  url: secureUrl.optional(),
});

/** An app that may ask: its keys, and where its callbacks go. */
export type Account = z.infer<typeof account>;

export const accounts = z
  .array(account, 'must be a list of at least one account')
  .min(1, 'must be a list of at least one account')
  .refine((all) => {
    const keys = all.flatMap(({ apiKey }) => apiKey);
    return new Set(keys).size === keys.length;
  }, 'two accounts have one apiKey');

/** Finds an account by the header of a request. Digests are compared, so that the time tells nothing of a key. */
export function accountFinder(all: readonly Account[]): (authorization?: string) => Account | undefined {
  const byDigest = new Map(all.flatMap((one) => one.apiKey.map((text) => [sha256(text), one] as const)));
  return (authorization = '') => {
    const given = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    return given === undefined ? undefined : byDigest.get(sha256(given));
  };
}
