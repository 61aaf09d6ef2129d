import { type Remote, remote } from '../../internal/remote.js';
import type { Runtime } from '../jose/clock-and-fetch.js';
import type { StatusList } from './status-list.js';

/** A list, when it was fetched, and the time after which it must be fetched again, in milliseconds. */
export interface KeptList {
  readonly list: StatusList;
  readonly at: number;
  readonly freshUntil: number;
  /** The trust that its signature was checked with. */
  readonly generation: unknown;
}

const maxLists = 256;
const maxBytes = 32 * 1024 * 1024;

/** The list of one address, and how much room it takes. */
interface Place {
  readonly list: Remote<KeptList, Runtime>;
  bytes: number;
}

/**
 * Keeps lists by address while they are fresh (T16, T21). Callers that need the same list share one fetch (T17). A list
 * of a signer who is no longer trusted does not count, even if it was under way when that ended (L20). The least
 * recently used lists make room for new ones.
 */
export function keptLists(
  load: (uri: string, runtime: Runtime) => Promise<KeptList>,
  generation: () => unknown = () => undefined,
): (uri: string, runtime: Runtime) => Promise<StatusList> {
  const places = new Map<string, Place>();
  let bytes = 0;

  /** Marks a place as the most recently used one, and gives up others for it. */
  const use = (uri: string, place: Place): void => {
    places.delete(uri);
    places.set(uri, place);
    for (const [oldest, { bytes: size }] of places) {
      if (places.size <= maxLists && bytes <= maxBytes) return;
      places.delete(oldest);
      bytes -= size;
    }
  };

  const placeOf = (uri: string): Place => {
    const list = remote<KeptList, Runtime>({
      load: async (runtime) => {
        const value = await load(uri, runtime);
        if (places.get(uri) === place) {
          bytes += value.list.bytes.length - place.bytes;
          place.bytes = value.list.bytes.length;
          use(uri, place);
        }
        return { value, at: value.at, freshUntil: value.freshUntil };
      },
      // Only credentials that passed every other check come here: nobody can cause fetches with forged ones.
      cooldown: 0,
      stillCounts: (value) => value.generation === generation(),
    });
    const place: Place = { list, bytes: 0 };
    return place;
  };

  return async (uri, runtime) => {
    const place = places.get(uri) ?? placeOf(uri);
    use(uri, place);
    return (await place.list.current(runtime)).list;
  };
}
