import { type Response, Router } from 'express';
import { configInvalid, IdentityError } from '../errors.js';
import type { AppRequest } from '../options/options.js';
import { isPlainPath } from '../internal/urls.js';
import { callback } from './routes/callback.js';
import { sendJsonError, wantsJson } from './reply/send-error.js';
import { handler } from './async-handler.js';
import { protect } from './reply/headers.js';
import { isPrefetch } from './request-origin.js';
import { errorPage } from './pages/error-page.js';
import { sendPage } from './reply/page.js';
import { send, sendNothing } from './reply/senders.js';
import { handleReturn } from './routes/return.js';
import { showNoQuestion, showStart, start } from './routes/start.js';
import { status } from './routes/status.js';
import { startPath, type RouteContext } from './context.js';

type RouteHandler = (req: AppRequest, res: Response) => Promise<void>;

/** The routes of one address, by method. */
type Methods = ReadonlyMap<string, RouteHandler>;

/**
 * The kit's routes, for `app.use(path, router)`. Each of its addresses has one spelling: what an app mounts before it (a
 * rate limiter, say) is met in every request that the kit answers. Everything else is left to the app.
 */
export function createRouter(web: RouteContext): Router {
  const addresses = addressesOf(web);
  const { path } = web.config;
  let warned = false;
  const router = Router();
  router.use(
    handler(async (req, res, next) => {
      if (req.baseUrl !== path && !isSpelling(req.baseUrl, path)) {
        await reportWrongMount(web, req, res, !warned);
        warned = true;
        return;
      }
      const methods = addresses.get(`${req.baseUrl}${req.path}`);
      const [asked = ''] = req.originalUrl.split('?', 1);
      if (methods === undefined || !isPlainPath(asked)) next();
      else await answer(methods, req, res);
    }),
  );
  return router;
}

/** The closed list of the kit's addresses. */
function addressesOf(web: RouteContext): ReadonlyMap<string, Methods> {
  const { path, routes, requests } = web.config;
  const all = new Map<string, Methods>();
  const add = (route: string | false, method: string, handle: typeof callback): void => {
    if (route !== false) all.set(`${path}${route}`, new Map([[method, (req, res) => handle(web, req, res)]]));
  };
  if (!requests.has('default')) add(routes.start, 'GET', showNoQuestion);
  for (const request of requests.values()) {
    const address = startPath(web, request.name);
    if (address === undefined) continue;
    const methods: [string, RouteHandler][] = [
      ['GET', (req, res) => showStart(web, req, res, request)],
      ['POST', (req, res) => start(web, req, res, request)],
    ];
    all.set(address, new Map(methods));
  }
  add(routes.callback, 'POST', callback);
  add(routes.return, 'GET', handleReturn);
  add(routes.status, 'GET', status);
  return all;
}

async function answer(methods: Methods, req: AppRequest, res: Response): Promise<void> {
  protect(res);
  const handle = methods.get(req.method);
  if (isPrefetch(req) || req.method === 'HEAD') {
    // A prefetch that fails is not used; the browser asks again when the person really goes there.
    sendNothing(res, req.method === 'HEAD' ? 204 : 503);
  } else if (handle === undefined) {
    res.set('Allow', [...methods.keys()].join(', '));
    sendJsonError(res, new IdentityError('method_not_allowed'));
  } else await handle(req, res);
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
async function reportWrongMount(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  warn: boolean,
): Promise<void> {
  protect(res);
  const mounted = `The kit is mounted at ${req.baseUrl || '/'}, but its option path is ${web.config.path}`;
  const { code, status, message } = configInvalid(`${mounted}: make them the same.`);
  if (warn) process.emitWarning(message, { type: 'PidgateWarning', code: 'PIDGATE_PATH' });
  if (req.method === 'GET' && !wantsJson(req)) {
    const page = { status, code, start: undefined, hints: [message] };
    await sendPage(web, req, res, (site) => errorPage(site, page));
  } else send.json(res, status, { error: code, error_description: message });
}
