import type { HttpAnswer } from './http.js';
import type { Inside } from './load-in-process.js';
import type { Settings } from './settings.js';
import type { StoreFacts } from './store-facts.js';
import type { Published } from './trust-facts.js';

/** All that was seen. The findings are read from this alone. */
export interface Facts {
  readonly settings: Settings;
  readonly now: Date;
  /** `GET start`, as the service's customer opens it. */
  readonly page: HttpAnswer;
  /** `POST start` of a program that is no page of the app: refused by the kit, without a flow. */
  readonly post: HttpAnswer;
  readonly status: HttpAnswer;
  /** `POST callback` with a state that no kit makes. */
  readonly callback: HttpAnswer;
  /** `POST /prove` without a question; absent where address or key is not known, or the key must not go there. */
  readonly service?: HttpAnswer;
  readonly published: readonly Published[];
  /** Only with the entry loaded. */
  readonly inside?: Inside;
  readonly store?: StoreFacts;
}
