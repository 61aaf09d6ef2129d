/** What is needed of a Map. */
export interface PartedMap<Value> {
  size(): number;
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
}

const most = 64;

/**
 * A Map in parts. One Map copies itself whole each time it outgrows its room, and with half a million keys everybody
 * waits for that; a part is never long.
 */
export function createPartedMap<Value>(): PartedMap<Value> {
  const parts = new Map<number, Map<string, Value>>();
  let size = 0;

  return {
    size: () => size,
    get: (key) => parts.get(partOf(key))?.get(key),
    set(key, value) {
      const part = parts.get(partOf(key)) ?? new Map<string, Value>();
      if (part.size === 0) parts.set(partOf(key), part);
      size -= part.size;
      size += part.set(key, value).size;
    },
    delete(key) {
      if (parts.get(partOf(key))?.delete(key) === true) size -= 1;
    },
  };
}

/** Ids are random from their first letter on. */
function partOf(key: string): number {
  return (key.charCodeAt(0) + 7 * key.charCodeAt(1)) % most;
}
