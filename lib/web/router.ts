import { type NextFunction, type RequestHandler, type Response, Router } from 'express';
import { configInvalid, IdentityError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { callback } from './routes/callback.js';
import { sendJsonError, wantsJson } from './reply/fail.js';
import { handler } from './handler.js';
import { protect } from './reply/headers.js';
import { isPrefetch } from './origin.js';
import { errorPage } from './pages/error-page.js';
import { sendPage } from './reply/page.js';
import { send, sendNothing } from './reply/send.js';
import { comeBack } from './routes/return.js';
import { showStart, start } from './routes/start.js';
import { status } from './routes/status.js';
import type { Web } from './web.js';

type RouteHandler = (web: Web, req: AppRequest, res: Response) => Promise<void>;

/** The kit's routes, for `app.use(path, router)`. */
export function createRouter(web: Web): Router {
  const { routes } = web.config;
  // Exact: what an app mounts before one of these addresses (a rate limiter, say) must not miss a spelling of it.
  const router = Router({ caseSensitive: true, strict: true });
  router.use(plain(web));
  if (routes.start !== false) {
    for (const path of [routes.start, `${routes.start}/:request`]) {
      at(path, { GET: showStart, POST: start });
    }
  }
  if (routes.callback !== false) at(routes.callback, { POST: callback });
  if (routes.return !== false) at(routes.return, { GET: comeBack });
  if (routes.status !== false) at(routes.status, { GET: status });
  return router;

  function at(path: string, methods: Readonly<Record<string, RouteHandler>>): void {
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

/** Applies to every route: its headers, its mount, and that prefetching does not start anything. */
function plain(web: Web): RequestHandler {
  let warned = false;
  return (req: AppRequest, res: Response, next: NextFunction) => {
    protect(res);
    if (isPrefetch(req) || req.method === 'HEAD') {
      // A prefetch that fails is not used; the browser asks again when the person really goes there.
      sendNothing(res, req.method === 'HEAD' ? 204 : 503);
      return;
    }
    if (hasEmptySegment(req.originalUrl)) {
      next('router');
      return;
    }
    if (req.baseUrl !== web.config.path && isSpelling(req.baseUrl, web.config.path)) {
      next('router'); // another spelling of the right address: nobody's, and no fault of the app
      return;
    }
    if (req.baseUrl !== web.config.path) {
      misplaced(web, req, res, !warned).catch(next);
      warned = true;
      return;
    }
    next();
  };
}

/** Express 4 takes `/identity//callback` for ours too, and what the app mounts before `/identity/callback` does not. */
function hasEmptySegment(address: string): boolean {
  const [path = ''] = address.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?');
  return path.includes('//');
}

/** Express mounts without regard to letter case and percent-escapes. */
function isSpelling(baseUrl: string, path: string): boolean {
  try {
    return decodeURIComponent(baseUrl).toLowerCase() === path.toLowerCase();
  } catch {
    return false;
  }
}

/** Nothing here is secret: both paths are told whoever meets the mistake, in every mode. */
async function misplaced(web: Web, req: AppRequest, res: Response, warn: boolean): Promise<void> {
  const mounted = `The kit is mounted at ${req.baseUrl || '/'}, but its option path is ${web.config.path}`;
  const { code, status, message } = configInvalid(`${mounted}: make them the same.`);
  if (warn) process.emitWarning(message, { type: 'PidgateWarning', code: 'PIDGATE_PATH' });
  if (req.method === 'GET' && !wantsJson(req)) {
    const page = { status, code, start: undefined, hints: [message] };
    await sendPage(web, req, res, (site) => errorPage(site, page));
  } else send.json(res, status, { error: code, error_description: message });
}
