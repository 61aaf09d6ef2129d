import { type NextFunction, type RequestHandler, type Response, Router } from 'express';
import { configInvalid, IdentityError } from '../errors.js';
import type { AppRequest } from '../options.js';
import { callback } from './callback-route.js';
import { fail, sendJsonError } from './fail.js';
import { handler } from './handler.js';
import { isPrefetch } from './origin.js';
import { comeBack } from './return-route.js';
import { showStart, start } from './start-route.js';
import { status } from './status-route.js';
import type { Web } from './web.js';

type Handle = (web: Web, req: AppRequest, res: Response) => Promise<void>;

/** The kit's routes, for `app.use(path, router)`. */
export function createRouter(web: Web): Router {
  const { routes } = web.config;
  const router = Router();
  router.use(plain(web));
  if (routes.start !== false) {
    for (const path of [routes.start, `${routes.start}/:request`]) {
      at(path, { GET: showStart, POST: async (...args) => await start(...args) });
    }
  }
  if (routes.callback !== false) at(routes.callback, { POST: callback });
  if (routes.return !== false) at(routes.return, { GET: comeBack });
  if (routes.status !== false) at(routes.status, { GET: status });
  return router;

  function at(path: string, methods: Readonly<Record<string, Handle>>): void {
    const allowed = Object.keys(methods).join(', ');
    router.all(
      path,
      handler(async (req, res) => {
        const handle = methods[req.method];
        if (handle === undefined) {
          res.set('Allow', allowed);
          sendJsonError(res, new IdentityError('method_not_allowed'));
        } else await handle(web, req, res);
      }),
    );
  }
}

/** What holds for every route: its headers, its mount, and that looking ahead has no effect. */
function plain(web: Web): RequestHandler {
  return (req: AppRequest, res: Response, next: NextFunction) => {
    res.set({
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
    });
    if (isPrefetch(req) || req.method === 'HEAD') {
      // A prefetch that fails is not used; the browser asks again when the person really goes there.
      res.status(req.method === 'HEAD' ? 204 : 503).end();
      return;
    }
    if (req.baseUrl !== web.config.path) {
      const where = `mounted at ${req.baseUrl || '/'}, but its option path is ${web.config.path}`;
      fail(web, req, res, configInvalid(`The kit is ${where}: make them the same.`));
      return;
    }
    next();
  };
}
