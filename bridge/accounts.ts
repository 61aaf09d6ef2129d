import { sha256 } from './seal.js';
import { readJson } from './json.js';
import { secureUrl } from './urls.js';

/** An app that may ask: its key, and where its callbacks go. */
export interface Account {
  readonly apiKey: string;
  /** Without one the account is known, but not set up: `error_account`. */
  readonly redirectUrl?: string;
  /** Who asks, as people know them, and where they find them. Without these it is the host of the callback. */
  readonly name?: string;
  readonly url?: string;
}

/** Reads the file of accounts, and says in which entry a mistake is. */
export function readAccounts(text: string): readonly Account[] {
  const entries = readJson(text);
  if (!Array.isArray(entries) || entries.length === 0)
    throw new Error('must be a list of at least one account');
  const accounts = entries.map((entry, index) => readAccount(entry, index + 1));
  if (new Set(accounts.map(({ apiKey }) => apiKey)).size === accounts.length) return accounts;
  throw new Error('two accounts have one apiKey');
}

function readAccount(entry: unknown, number: number): Account {
  const { apiKey, redirectUrl, name, url, ...others } = (entry ?? {}) as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`account ${number} has ${other}, which is not known here`);
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error(`account ${number} needs an apiKey of printable characters without spaces`);
  }
  if (name !== undefined && (typeof name !== 'string' || !/^\S.{0,59}$/u.test(name))) {
    throw new Error(`the name of account ${number} must be a text of up to 60 characters`);
  }
  return {
    apiKey,
    ...(redirectUrl !== undefined && { redirectUrl: address('redirectUrl', redirectUrl) }),
    ...(name !== undefined && { name }),
    ...(url !== undefined && { url: address('url', url) }),
  };

  function address(what: string, value: unknown): string {
    try {
      return secureUrl(value);
    } catch (error) {
      throw new Error(`the ${what} of account ${number} ${(error as Error).message}`, { cause: error });
    }
  }
}

/** Finds an account by the header of a request. Digests are compared, so that the time tells nothing of a key. */
export function accountFinder(accounts: readonly Account[]): (authorization?: string) => Account | undefined {
  const byDigest = new Map(accounts.map((account) => [sha256(account.apiKey), account]));
  return (authorization = '') => {
    const key = /^Bearer +(\S+) *$/i.exec(authorization)?.[1];
    return key === undefined ? undefined : byDigest.get(sha256(key));
  };
}
