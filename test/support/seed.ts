import { env } from 'node:process';

/** PIDGATE_NIGHTLY=1 plays more. */
export const nightly = env['PIDGATE_NIGHTLY'] === '1';

/** The same in every run by day. .ci/nightly draws one and prints it: SEED=… repeats that. */
export const seed = Number(env['SEED'] ?? 20_260_812);
