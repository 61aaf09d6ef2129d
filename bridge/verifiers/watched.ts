import type { Log } from '../log.js';
import type { Metrics } from '../metrics.js';
import { createOutage } from '../outage.js';
import { call, Fault, reasonOf } from './call.js';
import { type Verifier, verifierMs } from './verifier.js';

/** A state is that of the last call, unless it is older than this. */
const freshMs = 10_000;

const deadline = (): AbortSignal => AbortSignal.timeout(verifierMs);

export type WatchedVerifier = ReturnType<typeof watchVerifier>;

/** Measures the calls to a verifier, says in the log that it fails, and knows whether it answers. */
export function watchVerifier(verifier: Verifier, log: Log, { duration }: Metrics, now: () => number) {
  const outage = createOutage('the verifier', log, now);
  let [calledAt, asked]: [number, Promise<unknown> | undefined] = [-Infinity, undefined];

  async function watch<T>(name: 'start' | 'result' | 'life sign', answer: Promise<T>): Promise<T> {
    const end = duration.startTimer({ call: name });
    try {
      const done = await answer;
      end({ result: 'answered' });
      outage.works();
      return done;
    } catch (error) {
      end({ result: 'failed' });
      outage.fails(reasonOf(error));
      throw error;
    } finally {
      calledAt = now();
    }
  }

  async function askForLife(): Promise<void> {
    const reply = await call(verifier.lifeSign, { signal: deadline() });
    if (reply.status >= 500) throw new Fault('The life sign', reply);
  }

  type Start = Omit<Parameters<Verifier['start']>[0], 'signal'>;
  type Result = Omit<Parameters<Verifier['result']>[0], 'signal'>;
  return {
    givesRequestOnce: verifier.givesRequestOnce,
    start: async (order: Start) => await watch('start', verifier.start({ ...order, signal: deadline() })),
    async result(question: Result) {
      const answer = verifier.result({ ...question, signal: deadline() });
      return answer && (await watch('result', answer));
    },

    /** Since when it fails; undefined: it answers. Without visitors it is asked for a life sign, every ten seconds. */
    async failsSince(): Promise<number | undefined> {
      if (now() - calledAt > freshMs) {
        asked ??= watch('life sign', askForLife())
          .catch(() => undefined) // it is noted
          .finally(() => (asked = undefined));
        await asked;
      }
      return outage.since();
    },
  };
}
