import type { Store } from 'express-session';
import type { FlowStore } from 'pidgate';

/** The server that all processes share: it holds the sessions and the flows. */
export interface Engine {
  readonly sessions: Store;
  readonly flows: FlowStore;
  /** Creates missing tables. Called once, before the first process serves. */
  setUp(): Promise<void>;
  close(): Promise<void>;
}
