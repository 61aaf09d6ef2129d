import type { Runtime } from '../token/runtime.js';
import type { StatusList } from './status-list.js';

/** A list, when it was fetched, and the time after which it must be fetched again, in milliseconds. */
export interface KeptList {
  readonly list: StatusList;
  readonly at: number;
  readonly freshUntil: number;
  /** The trust that its signature was checked with. */
  readonly generation: unknown;
}

const most = 256;
const mostBytes = 32 * 1024 * 1024;

/**
 * Keeps lists by address while they are fresh (T16). Callers that need the same list share one fetch (T17). The least
 * recently used lists make room for new ones.
 */
export function keptLists(
  load: (uri: string, runtime: Runtime) => Promise<KeptList>,
  generation: () => unknown = () => undefined,
): (uri: string, runtime: Runtime) => Promise<StatusList> {
  const kept = new Map<string, KeptList>();
  const underway = new Map<string, Promise<KeptList>>();
  let bytes = 0;

  const drop = (uri: string): void => {
    bytes -= kept.get(uri)?.list.bytes.length ?? 0;
    kept.delete(uri);
  };

  /** Marks the list as the most recently used. */
  const keep = (uri: string, entry: KeptList): void => {
    drop(uri);
    kept.set(uri, entry);
    bytes += entry.list.bytes.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= most && bytes <= mostBytes) return;
      drop(oldest);
    }
  };

  const renew = async (uri: string, runtime: Runtime): Promise<KeptList> => {
    try {
      const entry = await load(uri, runtime);
      keep(uri, entry);
      return entry;
    } finally {
      underway.delete(uri);
    }
  };

  return async (uri, runtime) => {
    const known = kept.get(uri);
    const now = runtime.clock().getTime();
    // A list fetched under a clock that has since been set back would stay too long (T21), and so would one of a signer
    // who is no longer trusted (L20).
    const isTrusted = known?.generation === generation();
    if (known !== undefined && isTrusted && known.at <= now && now < known.freshUntil) {
      keep(uri, known);
      return known.list;
    }
    const flight = underway.get(uri) ?? renew(uri, runtime);
    underway.set(uri, flight);
    return (await flight).list;
  };
}
