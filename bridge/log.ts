import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { sha256 } from './seal.js';

export type Log = Logger;

/** Lines of JSON with a time and a level, on stdout or where a test reads them. */
export const createLog = (to?: DestinationStream): Log =>
  pino(
    {
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (level) => ({ level }) },
    },
    to,
  );

/** A job in the log: a name that leads to no page. */
export const nameOf = (id: string): string => sha256(id).slice(0, 8);
