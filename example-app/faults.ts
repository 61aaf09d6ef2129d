import type { ErrorRequestHandler } from 'express';
import { textsOf } from './language.js';
import { html } from './pages/html.js';
import { show } from './pages/layout.js';

/** The short name of a fault, such as ECONNREFUSED: a whole message may quote addresses, keys or data. */
export function codeOf(fault: unknown): string {
  const { code, name = 'unknown' } = (fault ?? {}) as { code?: unknown; name?: string };
  return typeof code === 'string' ? code : name;
}

/** If a page fails, most likely because the session store is down, the person is told so. */
export function sayThatItFailed(log: (line: string) => void): ErrorRequestHandler {
  return (fault, req, res, next) => {
    if (res.headersSent) {
      next(fault);
      return;
    }
    const { status = 503 } = (fault ?? {}) as { status?: number };
    log(`a page failed: ${codeOf(fault)}`);
    const { failed, links } = textsOf(req);
    const body = html`<p><a class="button" href="/">${links.start}</a></p>`;
    show(req, res.status(status), { ...failed, body });
  };
}
