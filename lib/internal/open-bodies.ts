/** What the unfinished bodies of one factory may take of memory together. */
const maxOpenBytes = 64 * 1024 * 1024;

/** What Node takes beside the bytes of each piece in which a body arrives (measured: 574): a piece may be one byte. */
const pieceBytes = 600;

/** A body in more pieces is given up by itself: the longest one that is allowed has 256 bytes in each of so many. */
const maxPieces = 1_024;

/** So many pieces, and one more for each kilobyte, are what a network makes of a body. */
const usualPieces = 16;

/** The unfinished bodies of one factory. */
export type OpenBodies = ReturnType<typeof createOpenBodies>;

interface OpenBody {
  pieces: number;
  bytes: number;
  readonly giveUp: () => void;
}

const heldBy = ({ pieces, bytes }: OpenBody): number => bytes + pieces * pieceBytes;

/** The largest body is that of an honest proof, which comes in several pieces: only further ones are held against it. */
const furtherPieces = ({ pieces, bytes }: OpenBody): number =>
  Math.max(0, pieces - usualPieces - bytes / 1_024);

/**
 * Bounds what the unfinished bodies of one factory hold together. A new one is never refused, because then a few slow
 * senders could keep everybody out: past the bound the one in the most pieces is given up, so that nobody pushes others
 * out by pieces of one byte, and among the usual ones the one that has been open longest.
 */
export function createOpenBodies() {
  const oldestFirst = new Set<OpenBody>();
  let total = 0;
  const end = (body: OpenBody): void => {
    if (oldestFirst.delete(body)) total -= heldBy(body);
  };
  const giveUp = (body: OpenBody): void => {
    end(body);
    body.giveUp();
  };
  const inMostPieces = (first: OpenBody): OpenBody =>
    [...oldestFirst].reduce((most, body) => (furtherPieces(body) > furtherPieces(most) ? body : most), first);
  return {
    /** Counts a body, piece by piece, until its end. */
    add(onGivenUp: () => void) {
      const body: OpenBody = { pieces: 0, bytes: 0, giveUp: onGivenUp };
      oldestFirst.add(body);
      const count = (piece: Buffer): void => {
        if (!oldestFirst.has(body)) return;
        body.pieces += 1;
        body.bytes += piece.length;
        total += piece.length + pieceBytes;
        if (body.pieces > maxPieces) giveUp(body);
        while (total > maxOpenBytes) {
          const [oldest = body] = oldestFirst;
          giveUp(inMostPieces(oldest));
        }
      };
      return { count, end: () => end(body) };
    },
  };
}
