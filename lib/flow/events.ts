import { channel } from 'node:diagnostics_channel';
import { IdentityError } from '../errors.js';
import type { IdentityEvent } from '../types/events.js';
import type { Log } from '../types/log.js';
import type { Clock } from '../types/json.js';

const diagnostics = channel('pidgate');

/** Sends an event to the app and to the diagnostics channel `pidgate`; who listens badly changes nothing. */
export function createEmitter(
  clock: Clock,
  onEvent: ((event: IdentityEvent) => unknown) | undefined,
  log: Pick<Log, 'fault'>,
): (event: Omit<IdentityEvent, 'at'>) => void {
  return (event) => {
    if (onEvent === undefined && !diagnostics.hasSubscribers) return;
    const dated = Object.freeze({ ...event, at: clock() });
    diagnostics.publish(dated);
    if (onEvent === undefined) return;
    void (async () => await onEvent(dated))().catch((cause: unknown) => {
      log.fault(new IdentityError('hook_failed', { cause }));
    });
  };
}
