/** The part of a pool of pg 8 that the store calls. */
export interface PostgresPool {
  /** Runs one statement on a connection of the pool. */
  query(text: string, values?: unknown[]): Promise<PostgresAnswer>;
}

/** The part of a query's result that the store reads. */
export interface PostgresAnswer {
  readonly rows: readonly unknown[];
  readonly rowCount: number | null;
}

export function isPool(pool: unknown): pool is PostgresPool {
  return typeof (pool as { query?: unknown } | null | undefined)?.query === 'function';
}
