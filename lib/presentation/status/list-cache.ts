import type { Seams } from '../token/runtime.js';
import type { StatusList } from './status-list.js';

/** A list, and the time in milliseconds from which on it must be fetched anew. */
export interface KeptList {
  readonly list: StatusList;
  readonly freshUntil: number;
}

const most = 256;
const mostBytes = 32 * 1024 * 1024;

/**
 * Lists by their addresses, each kept while it is fresh (T16). Those who need one that is on its way wait for the
 * same fetch (T17). The longest unused make room for new ones.
 */
export function keptLists(
  load: (uri: string, seams: Seams) => Promise<KeptList>,
): (uri: string, seams: Seams) => Promise<StatusList> {
  const kept = new Map<string, KeptList>();
  const underway = new Map<string, Promise<KeptList>>();
  let bytes = 0;

  const drop = (uri: string): void => {
    bytes -= kept.get(uri)?.list.bytes.length ?? 0;
    kept.delete(uri);
  };

  /** Puts it behind all others. */
  const keep = (uri: string, entry: KeptList): void => {
    drop(uri);
    kept.set(uri, entry);
    bytes += entry.list.bytes.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= most && bytes <= mostBytes) return;
      drop(oldest);
    }
  };

  const renew = async (uri: string, seams: Seams): Promise<KeptList> => {
    try {
      const entry = await load(uri, seams);
      keep(uri, entry);
      return entry;
    } finally {
      underway.delete(uri);
    }
  };

  return async (uri, seams) => {
    const known = kept.get(uri);
    if (known !== undefined && seams.clock().getTime() < known.freshUntil) {
      keep(uri, known);
      return known.list;
    }
    const flight = underway.get(uri) ?? renew(uri, seams);
    underway.set(uri, flight);
    return (await flight).list;
  };
}
