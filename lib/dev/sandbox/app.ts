import express, { type ErrorRequestHandler, type Express } from 'express';
import type { RequestHandler, Request, Response } from 'express';
import { sandboxProfile } from './profile.js';
import { appRoute } from './routes/app-route.js';
import type { createMutex } from './simulator/mutex.js';
import { simulateRoute } from './routes/simulate-route.js';
import { statusRoute } from './issuers/status-lists.js';
import { readDocument } from './pages/error-code.js';
import { sendSandboxPage } from './pages/layout.js';
import { notices } from './pages/notices.js';
import { pageRoute } from './routes/page-route.js';
import { proveRoute } from './routes/prove-route.js';
import type { Service } from './service/service.js';
import { timelineRoute } from './routes/timeline-route.js';
import { walletRoute } from './routes/wallet-route.js';
import { tourRoute } from './routes/tour-route.js';
import { scriptHash } from './pages/script.js';
import { styleHash } from './pages/style.js';

/** The sandbox as an Express app. At an address that others reach, whatever steers it or tells of people is not there. */
export function sandboxApp(
  service: Service,
  oneAtATime: ReturnType<typeof createMutex>,
  isShared: boolean,
): Express {
  const { sandboxIssuer, germanIssuer, url, clock, outage } = service;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(securityHeaders(), onlyUnderOwnName(new URL(url).host));
  app.use(
    notFromOtherSites((res) => {
      sendSandboxPage(res, 403, notices.otherSite);
    }),
  );
  app.use(service.access === undefined ? proveRoute(service) : walletRoute(service), pageRoute(service));
  app.get(sandboxProfile.jwksPath, (_req, res) => {
    if (outage.keys > 0) res.status(503).type('text/plain').send('Out of order: keys_unreachable.\n');
    else res.set('Cache-Control', 'max-age=600').json(sandboxIssuer.jwks);
  });
  app.use('/status/xx', statusRoute(`${url}/status/xx`, sandboxIssuer.signList, clock));
  app.use('/status/de', statusRoute(`${url}/status/de`, germanIssuer.signList, clock));
  if (!isShared) {
    app.use(appRoute(service));
    if (service.access === undefined) {
      app.get('/openapi.json', (_req, res) => {
        sendOpenApi(res, service);
      });
    }
    app.get(sandboxProfile.trustPath, (_req, res) => {
      res.json(service.trust);
    });
    app.use(tourRoute(service, oneAtATime), timelineRoute(service), simulateRoute(service, oneAtATime));
  }
  app.use((_req, res) => {
    sendSandboxPage(res, 404, notices.nothingHere);
  });
  app.use(((error: { status?: unknown }, _req, res, _next) => {
    const status = typeof error.status === 'number' && error.status < 500 ? error.status : 500;
    const page = status === 500 ? notices.internal : status === 413 ? notices.tooLarge : notices.unreadable;
    sendSandboxPage(res, status, page);
  }) satisfies ErrorRequestHandler);
  return app;
}

/** docs/openapi.json at this address; without `derived`, where the variant has none. */
function sendOpenApi(res: Response, { url, variant }: Service): void {
  const leaveOut = (name: string, value: unknown): unknown =>
    name === 'derived' && variant === 'base' ? undefined : name === 'servers' ? [{ url }] : value;
  res.json(JSON.parse(readDocument('openapi.json'), leaveOut));
}

/** No form-action: Chromium applies it to the redirect that answers the form, and that leads to the app. */
const policy = [
  "default-src 'none'",
  `style-src '${styleHash}'`,
  `script-src '${scriptHash}'`,
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

function securityHeaders(): RequestHandler {
  return (_req, res, next) => {
    res.set({
      'Content-Security-Policy': policy,
      'X-Content-Type-Options': 'nosniff',
      'X-Frame-Options': 'DENY',
      'Referrer-Policy': 'same-origin', // under no-referrer the form would send Origin: null
      'Cache-Control': 'no-store',
    });
    next();
  };
}

/** Refuses a request by another name: a page elsewhere could have its own name resolve to this machine. */
function onlyUnderOwnName(host: string): RequestHandler {
  return (req, res, next) => {
    if (req.headers.host === host || isOwnName(req)) next();
    else
      res
        .status(421)
        .type('text/plain')
        .send('This is the pidgate sandbox; it responds only at its own address.\n');
  };
}

/** Refuses whatever a page of another site sends: only its links may lead here. Who tells nothing is not a browser. */
function notFromOtherSites(refuse: (res: Response) => void): RequestHandler {
  return (req, res, next) => {
    const { 'sec-fetch-site': site, 'sec-fetch-mode': mode } = req.headers;
    const isLink = req.method === 'GET' && (mode === 'navigate' || site === 'none');
    const isOwn = site === undefined ? !hasForeignOrigin(req) : site === 'same-origin';
    if (isLink || isOwn) next();
    else refuse(res);
  };
}

function hasForeignOrigin({ headers: { origin, host } }: Request): boolean {
  return origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
}

function isOwnName({ headers, socket }: Request): boolean {
  return headers.host === `127.0.0.1:${socket.localPort}` || headers.host === `localhost:${socket.localPort}`;
}
