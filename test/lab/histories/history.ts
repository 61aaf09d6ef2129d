/** What a key holds: empty for nothing, else the version, a dot and the value. */
export type State = string;

/** One call of a store. Without an end nobody knows its outcome: it takes effect at any later time, or never. */
export interface Call {
  readonly actor: string;
  readonly key: string;
  readonly work: Work;
  /** Nanoseconds of one clock for all processes. */
  readonly began: number;
  readonly ended?: number | undefined;
}

export type Work =
  | { readonly name: 'create'; readonly value: string; readonly done: boolean }
  | { readonly name: 'replace'; readonly version: number; readonly value: string; readonly done: boolean }
  | { readonly name: 'delete' }
  | { readonly name: 'read'; readonly found: State }
  /** Not a call: a failover, in which the key may have gone back to anything that it has held. */
  | { readonly name: 'failover' };

export const stateOf = (version: number, value: string): State => `${version}.${value}`;

/** NaN for nothing, which is no version. */
export const versionOf = (state: State): number => Number.parseInt(state, 10);

/** The history of each key: keys know nothing of one another, so each is judged alone. */
export function byKey(calls: readonly Call[]): Map<string, Call[]> {
  const keys = new Map<string, Call[]>();
  for (const call of calls) {
    const its = keys.get(call.key);
    if (its === undefined) keys.set(call.key, [call]);
    else its.push(call);
  }
  return keys;
}
