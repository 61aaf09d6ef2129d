import { sha256 } from './seal.js';
import { readJson } from './json.js';
import { secureUrl } from './urls.js';

/** An app that may ask: its key, and where its callbacks go. */
export interface Account {
  readonly apiKey: string;
  /** Without one the account is known, but not set up: `error_account`. */
  readonly redirectUrl?: string;
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
  const { apiKey, redirectUrl, ...others } = (entry ?? {}) as Record<string, unknown>;
  const [other] = Object.keys(others);
  if (other !== undefined) throw new Error(`account ${number} has ${other}, which is not known here`);
  if (typeof apiKey !== 'string' || !/^[\x21-\x7e]+$/.test(apiKey)) {
    throw new Error(`account ${number} needs an apiKey of printable characters without spaces`);
  }
  if (redirectUrl === undefined) return { apiKey };
  try {
    return { apiKey, redirectUrl: secureUrl(redirectUrl) };
  } catch (error) {
    throw new Error(`the redirectUrl of account ${number} ${(error as Error).message}`, { cause: error });
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
