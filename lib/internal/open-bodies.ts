/** What the unfinished bodies of one factory may take of memory together. */
const maxOpenBytes = 64 * 1024 * 1024;

/** What Node takes beside the bytes of each piece in which a body arrives: a body may come in pieces of one byte. */
const pieceBytes = 1_024;

/** The unfinished bodies of one factory. */
export type OpenBodies = ReturnType<typeof createOpenBodies>;

/**
 * Bounds what the unfinished bodies of one factory hold together. A new one is never refused, because then a few slow
 * senders could keep everybody out: past the bound the one that has been open longest is given up.
 */
export function createOpenBodies() {
  const oldestFirst = new Set<{ bytes: number; readonly giveUp: () => void }>();
  let total = 0;
  return {
    /** Counts a body, piece by piece, until its end. */
    add(giveUp: () => void) {
      const body = { bytes: 0, giveUp };
      oldestFirst.add(body);
      const end = (ended = body): void => {
        if (oldestFirst.delete(ended)) total -= ended.bytes;
      };
      const count = (piece: Buffer): void => {
        if (!oldestFirst.has(body)) return;
        body.bytes += piece.length + pieceBytes;
        total += piece.length + pieceBytes;
        for (const oldest of oldestFirst) {
          if (total <= maxOpenBytes) break;
          end(oldest);
          oldest.giveUp();
        }
      };
      return { count, end: () => end() };
    },
  };
}
