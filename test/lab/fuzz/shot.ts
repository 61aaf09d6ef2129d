import type { Random } from './random.js';
import type { Target } from './target.js';
import { bytesOf, type Request } from './wire.js';

/** What goes over the wire at once, and what may come back. */
export interface Shot {
  /** The method decides whether a reply has a body. */
  readonly method: string;
  readonly bytes: Buffer;
  /** How many requests these are. */
  readonly requests: number;
  /** The statuses that are right. */
  readonly allowed: readonly number[];
  /** What the reply must be, to the letter. */
  readonly body?: string;
  /** It spoils its connection, or needs to. */
  readonly alone?: boolean;
  /** The sender says that nothing more comes. */
  readonly finishes?: boolean;
}

/** Stands among the statuses for a connection that ends without a reply. */
export const closed = 0;
/** And for one that stays open without a reply. */
export const hangs = -1;
/** Node's reply to a request that takes it too long: on a busy machine, one that is sent slowly. */
export const tooSlow = 408;

/** A kind of request; how often it is chosen depends on its weight. */
export interface Kind {
  readonly name: string;
  readonly weight: number;
  readonly make: (random: Random, target: Target) => Shot;
}

export function shot(request: Request, allowed: Shot['allowed'], more: Partial<Shot> = {}): Shot {
  return { method: request.method, bytes: bytesOf(request), requests: 1, allowed, ...more };
}
