/** How the value of a lock begins: a few words for a moment, where a flow's record is long and stays for minutes. */
export const lockMark = 'lock.';

/**
 * Where flows live between start and return. `replace` is a compare-and-swap in one backend step: it writes only
 * if the stored version is still `version`, and what it wrote has the version `version + 1`.
 * A store removes what has expired, and throws `new IdentityError('store_full')` if it cannot take another record:
 * `flowStoreContract` does not test these two.
 */
export interface FlowStore {
  /** Stores a new value, with version 1. Returns false if the id is taken. */
  create(id: string, value: string, ttlMs: number): Promise<boolean>;
  /** Returns the value and its version, or undefined if there is none or it has expired. */
  read(id: string): Promise<{ value: string; version: number } | undefined>;
  /** Replaces the value. Returns false if the id is gone or has another version. */
  replace(id: string, version: number, value: string, ttlMs: number): Promise<boolean>;
  /** Deletes the value. Resolves also if there is no such id. */
  delete(id: string): Promise<void>;
}
