import type { Agent } from 'node:http';
import { configInvalid } from '../errors.js';
import { hasMethods, optional, optionalFunction, satisfying } from './validate.js';

/** How requests leave the process. */
export interface Network {
  /** Sends the requests to the service and for keys and lists; default is node:http and node:https. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Connects for these requests, as through a proxy or with a client certificate. An `https.Agent` will do. */
  readonly agent?: Agent | undefined;
}

export const checkAgent = satisfying<Agent>(
  (value) => hasMethods(value, 'addRequest'),
  'must be an Agent of node:http or node:https',
);

/** Checks what a caller hands in as a network. `place` is put before the names in messages. */
export function networkFrom(
  given: { readonly fetch?: unknown; readonly agent?: unknown },
  place = '',
): Network {
  const fetch = optionalFunction(given.fetch as Network['fetch'], `${place}fetch`);
  const agent = optional(checkAgent)(given.agent, `${place}agent`);
  if (fetch === undefined || agent === undefined) return { fetch, agent };
  throw configInvalid('agent has no effect alongside fetch, which connects by itself: give one of the two.');
}
