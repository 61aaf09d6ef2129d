/**
 * Where flows live between start and return. `replace` is a compare-and-swap in one backend step: it writes only
 * if the stored version is still `version`, and what it wrote has the version `version + 1`.
 */
export interface FlowStore {
  /** False: the id is taken. */
  create(id: string, value: string, ttlMs: number): Promise<boolean>;
  read(id: string): Promise<{ value: string; version: number } | undefined>;
  /** False: the id is gone or has another version. */
  replace(id: string, version: number, value: string, ttlMs: number): Promise<boolean>;
  delete(id: string): Promise<void>;
}
