import { AsyncLocalStorage } from 'node:async_hooks';
import { tracingChannel } from 'node:diagnostics_channel';

const steps = ['start', 'prove', 'request', 'callback', 'verify', 'return', 'hook', 'store'];

/** One step, and the object that subscribers were shown. */
export interface Recorded {
  readonly step: string;
  readonly trace: Readonly<Record<string, unknown>>;
}

/** Subscribes to all steps by their public names, as an app would. */
export function traceRecorder() {
  const ended: Recorded[] = [];
  const failed: Recorded[] = [];
  const inside = new AsyncLocalStorage<string>();
  const channels = steps.map((step) => {
    const record = (to: Recorded[]) => (trace: unknown) => {
      const { result: _result, ...told } = trace as Record<string, unknown>;
      if (_result !== undefined) throw new Error(`${step} shows a value`);
      to.push({ step, trace: told });
    };
    const nothing = (): void => undefined;
    return {
      step,
      channel: tracingChannel<unknown, object>(`pidgate:${step}`),
      subscribers: {
        start: nothing,
        end: nothing,
        asyncStart: nothing,
        asyncEnd: record(ended),
        error: record(failed),
      },
    };
  });
  return {
    ended,
    failed,
    /** The step that runs now. */
    current: () => inside.getStore(),
    start() {
      for (const { channel, subscribers } of channels) channel.subscribe(subscribers);
    },
    /** From now on {@link current} knows. It makes every promise dearer. */
    startContexts() {
      for (const { step, channel } of channels) {
        channel.start.bindStore(inside as never, (() => step) as never);
      }
    },
    stop() {
      for (const { channel, subscribers } of channels) {
        channel.start.unbindStore(inside as never);
        channel.unsubscribe(subscribers);
      }
      ended.length = 0;
      failed.length = 0;
    },
  };
}
