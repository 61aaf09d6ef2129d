import { Router } from 'express';
import { configInvalid, IdentityError } from '../errors.js';
import { isPlainPath } from '../internal/urls.js';
import { asyncHandler } from './async-handler.js';
import { receiveCallback } from './callback.js';
import { isPrefetch, startPath, type Exchange, type Kit } from './context.js';
import { errorPage } from './pages/error-page.js';
import { send, sendJsonError, sendNothing, setSecurityHeaders, wantsJson } from './respond.js';
import { handleReturn } from './return.js';
import { sendPage } from './send-page.js';
import { showNoQuestion, showStart, startQuestion } from './start.js';
import { sendStatus } from './status.js';

type Route = (exchange: Exchange) => Promise<void>;

/** The routes of one address, by method. */
type Methods = ReadonlyMap<string, Route>;

/**
 * The kit's routes, for `app.use(path, router)`. Each of its addresses has one spelling, so what an app mounts before
 * it, such as a rate limiter, sees every request that the kit answers. Everything else is left to the app; in
 * development, an address that is almost the kit's is named in the log.
 */
export function createRouter(kit: Kit): Router {
  const addresses = addressesOf(kit);
  const { path } = kit.config;
  const known = [...addresses.keys()].map((address) => address.slice(path.length));
  let warned = false;
  const router = Router();
  router.use(
    asyncHandler(async (req, res, next) => {
      const exchange = { kit, req, res };
      if (req.baseUrl !== path && !isSpelling(req.baseUrl, path)) {
        await reportWrongMount(exchange, !warned);
        warned = true;
        return;
      }
      const [requested = ''] = req.originalUrl.split('?', 1);
      const methods = isPlainPath(requested) ? addresses.get(`${req.baseUrl}${req.path}`) : undefined;
      if (methods !== undefined) await route(exchange, methods);
      else {
        const bare = req.path.replace(/\/$/, '');
        const meant = isPlainPath(bare) && kit.help.nearMiss(bare, known);
        if (meant) kit.log.once(`there is nothing at ${path}${req.path}. Did you mean ${path}${meant}?`);
        next();
      }
    }),
  );
  return router;
}

/** The closed list of the kit's addresses. */
function addressesOf(kit: Kit): ReadonlyMap<string, Methods> {
  const { path, routes, questions, access } = kit.config;
  const all = new Map<string, Methods>();
  const add = (address: string | false | undefined, ...methods: [string, Route][]): void => {
    if (typeof address === 'string') all.set(address, new Map(methods));
  };
  const pathOf = (name: string | false): string | false => name !== false && `${path}${name}`;
  if (!questions.has('default')) add(pathOf(routes.start), ['GET', showNoQuestion], ['POST', showNoQuestion]);
  for (const question of questions.values()) {
    add(
      startPath(kit, question.name),
      ['GET', async (exchange) => await showStart(exchange, question)],
      ['POST', async (exchange) => await startQuestion(exchange, question)],
    );
  }
  add(pathOf(routes.callback), ['POST', receiveCallback]);
  add(pathOf(routes.return), ['GET', handleReturn]);
  add(pathOf(routes.status), ['GET', sendStatus]);
  if (access !== undefined) {
    // Loaded by the first wallet, or the first page that waits for one.
    const ofPage = (name: 'showWallet' | 'cancelWallet') => async (exchange: Exchange) =>
      await (await import('./wallet/page.js'))[name](exchange);
    const sendRequest = async (exchange: Exchange): Promise<void> =>
      await (await import('./wallet/request.js')).sendRequest(exchange);
    add(pathOf(routes.wallet), ['GET', ofPage('showWallet')], ['POST', ofPage('cancelWallet')]);
    add(pathOf(routes.request), ['GET', sendRequest], ['POST', sendRequest]);
    add(pathOf(routes.answer), [
      'POST',
      async (exchange) => await (await import('./wallet/answer.js')).receiveAnswer(exchange),
    ]);
  }
  return all;
}

async function route(exchange: Exchange, methods: Methods): Promise<void> {
  const { req, res } = exchange;
  setSecurityHeaders(res);
  const handle = methods.get(req.method === 'HEAD' ? 'GET' : req.method);
  if (isPrefetch(req) || (req.method === 'HEAD' && handle !== undefined)) {
    // A prefetch that fails is not used; the browser requests the page again when the person really goes there.
    sendNothing(res, req.method === 'HEAD' ? 204 : 503);
  } else if (handle === undefined) {
    res.set('Allow', [...methods.keys()].join(', '));
    sendJsonError(res, new IdentityError('method_not_allowed'));
  } else await handle(exchange);
}

/** Express mounts without regard to letter case and percent-escapes. */
function isSpelling(baseUrl: string, path: string): boolean {
  try {
    return decodeURIComponent(baseUrl).toLowerCase() === path.toLowerCase();
  } catch {
    return false;
  }
}

/** Neither path is secret, so a program is told both in every mode; a visitor is not. */
async function reportWrongMount(exchange: Exchange, warn: boolean): Promise<void> {
  const { kit, req, res } = exchange;
  setSecurityHeaders(res);
  const { path } = kit.config;
  const mounted = `The kit is mounted at ${req.baseUrl || '/'}, but its option path is ${path}`;
  const error = configInvalid(`${mounted}: make them the same, app.use('${path}', identity).`);
  const { code, status, message } = error;
  if (warn) process.emitWarning(message, { type: 'PidgateWarning', code: 'PIDGATE_PATH' });
  if (req.method === 'GET' && !wantsJson(req)) {
    const page = { status, code, start: undefined, hints: kit.help.hintsFor(error) };
    await sendPage(exchange, (site) => errorPage(site, page));
  } else send.json(res, status, { error: code, error_description: message });
}
