import { randomInt } from 'node:crypto';
import { env } from 'node:process';

/** PIDGATE_NIGHTLY=1 plays more, and each time something new. */
export const nightly = env['PIDGATE_NIGHTLY'] === '1';

/** The same in every run by day; SEED=… takes another one, or repeats the one that a run has printed. */
export const seed = Number(env['SEED'] ?? (nightly ? randomInt(2 ** 31) : 20_260_812));
