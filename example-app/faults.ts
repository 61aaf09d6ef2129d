import type { ErrorRequestHandler } from 'express';
import { failedPage } from './pages.js';

/** The short name of a fault, such as ECONNREFUSED: a whole message may quote addresses, keys or data. */
export function codeOf(fault: unknown): string {
  const { code, name = 'unknown' } = (fault ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : name;
}

/** Where a page fails, most likely because the sessions are away, the person reads so. */
export function sayThatItFailed(log: (line: string) => void = () => {}): ErrorRequestHandler {
  return (fault, _req, res, next) => {
    if (res.headersSent) {
      next(fault);
      return;
    }
    const { status = 503 } = (fault ?? {}) as { status?: number };
    log(`a page failed: ${codeOf(fault)}`);
    res.status(status).send(failedPage());
  };
}
