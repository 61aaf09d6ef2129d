import { channel } from 'node:diagnostics_channel';
import type { IdentityEvent } from '../contracts/events.js';
import type { Clock } from '../contracts/values.js';

const diagnostics = channel('pidgate');

/** Sends an event to the app and to the diagnostics channel `pidgate`; who listens badly changes nothing. */
export function createEmitter(
  clock: Clock,
  onEvent: ((event: IdentityEvent) => unknown) | undefined,
): (event: Omit<IdentityEvent, 'at'>) => void {
  return (event) => {
    if (onEvent === undefined && !diagnostics.hasSubscribers) return;
    const dated = Object.freeze({ ...event, at: clock() });
    diagnostics.publish(dated);
    if (onEvent === undefined) return;
    void (async () => await onEvent(dated))().catch(() => undefined);
  };
}
