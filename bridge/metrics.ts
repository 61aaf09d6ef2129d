import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Answers that have a name in the metrics. A wallet may say any word, so all others are counted together. */
const answers = [
  'proof',
  'access_denied',
  'credential_expired',
  'expired',
  'nonce_reused',
  'proof_lost',
  'timeout',
  'user_cancelled',
  'verification_failed',
];

export type Metrics = ReturnType<typeof createMetrics>;

/** What is counted, in Prometheus' form. */
export function createMetrics() {
  const registry = new Registry();
  const registers = [registry];
  const counter = <L extends string>(name: string, help: string, label: L): Counter<L> =>
    new Counter({ name: `bridge_${name}_total`, help, labelNames: [label], registers });
  const starts = counter('starts', 'Requests to start a verification, by their result.', 'result');
  const answered = counter('answers', 'What a verification was answered with.', 'answer');
  const callbacks = counter('callbacks', 'Callbacks to apps, by what the app said.', 'result');
  const duration = new Histogram({
    name: 'bridge_verifier_seconds',
    help: 'How long calls to the verifier take.',
    labelNames: ['call', 'result'],
    buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 8],
    registers,
  });
  return {
    registry,
    duration,
    /** `started`, or the code of a refusal. */
    start: (result: string): void => starts.inc({ result }),
    answer: (answer: string): void => answered.inc({ answer: answers.includes(answer) ? answer : 'other' }),
    callback: (result: 'taken' | 'refused' | 'again'): void => callbacks.inc({ result }),
    /** A gauge that is asked for at each scrape: 1 or 0. */
    isUp: (name: string, help: string, ask: () => Promise<boolean>): unknown =>
      new Gauge({
        name: `bridge_${name}_up`,
        help,
        registers,
        async collect() {
          this.set((await ask()) ? 1 : 0);
        },
      }),
  };
}
