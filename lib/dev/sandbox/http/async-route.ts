import type { Request, RequestHandler, Response } from 'express';

/** Express 4 does not look at a handler's promise; this hands what it rejects with to `next`, under 4 and 5. */
export function asyncRoute(handler: (req: Request, res: Response) => Promise<void>): RequestHandler {
  return (req, res, next) => {
    handler(req, res).catch(next);
  };
}
