import express, { type ErrorRequestHandler, type Express, Router } from 'express';
import { sandboxProfile } from '../../service/sandbox.js';
import type { inTurn } from './simulator/mutex.js';
import { simulateRoute } from './routes/simulate-route.js';
import { notFromOtherSites, onlyUnderOwnName } from './http/host-guard.js';
import { securityHeaders } from './http/security-headers.js';
import { statusRoute } from './issuers/status-lists.js';
import { sendSandboxPage } from './pages/layout.js';
import { notices } from './pages/notices.js';
import { openApi } from './routes/openapi.js';
import { pageRoute } from './routes/page-route.js';
import { proveRoute } from './routes/prove-route.js';
import type { Service } from './service/service.js';
import { walletLegRoute } from './routes/wallet-request-route.js';
import { timelineRoute } from './routes/timeline-route.js';
import { holderRoute } from './routes/built-in-wallet-route.js';

/** The sandbox as an Express app. */
export function sandboxApp(service: Service, oneAtATime: ReturnType<typeof inTurn>): Express {
  const app = bare();
  app.use(proveRoute(service));
  app.get('/openapi.json', (_req, res) => {
    res.json(openApi(service.url, service.variant));
  });
  app.use(walletSide(service), holderRoute(service));
  app.use(timelineRoute(service), simulateRoute(service, oneAtATime));
  return ended(app);
}

/** What wallets on other machines reach, under one name. Whatever steers the sandbox is not there. */
export function outsideApp(service: Service): Express {
  const app = bare(new URL(service.walletUrl).host);
  app.use(walletSide(service));
  return ended(app);
}

function bare(host?: string): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(securityHeaders(), onlyUnderOwnName(host));
  app.use(
    notFromOtherSites((res) => {
      sendSandboxPage(res, 403, notices.otherSite());
    }),
  );
  return app;
}

function walletSide(service: Service): Router {
  const { sandboxIssuer, germanIssuer, url, clock, outage } = service;
  const router = Router();
  router.get(sandboxProfile.jwksPath, (_req, res) => {
    if (outage.keys > 0) res.status(503).type('text/plain').send('Out of order: keys_unreachable.\n');
    else res.json(sandboxIssuer.jwks);
  });
  router.use('/status/xx', statusRoute(`${url}/status/xx`, sandboxIssuer.signList, clock));
  router.use('/status/de', statusRoute(`${url}/status/de`, germanIssuer.signList, clock));
  router.use(pageRoute(service), walletLegRoute(service));
  return router;
}

function ended(app: Express): Express {
  app.use((_req, res) => {
    sendSandboxPage(res, 404, notices.nothingHere());
  });
  app.use(((error: { status?: unknown }, _req, res, _next) => {
    const status = typeof error.status === 'number' && error.status < 500 ? error.status : 500;
    const page =
      status === 500 ? notices.internal() : status === 413 ? notices.tooLarge() : notices.unreadable();
    sendSandboxPage(res, status, page);
  }) satisfies ErrorRequestHandler);
  return app;
}
