import express, { type ErrorRequestHandler, type Express } from 'express';
import { sandboxProfile } from '../../protocol/sandbox.js';
import type { inTurn } from './drive/in-turn.js';
import { simulateRoute } from './drive/simulate-route.js';
import { notFromOtherSites, onlyUnderOwnName } from './http/own-requests.js';
import { securityHeaders } from './http/security-headers.js';
import { statusRoute } from './issuers/status-lists.js';
import { sendPage } from './pages/layout.js';
import { notices } from './pages/notices.js';
import { openApi } from './service/openapi.js';
import { pageRoute } from './service/page-route.js';
import { proveRoute } from './service/prove-route.js';
import type { Service } from './service/service.js';
import { walletLegRoute } from './service/wallet-leg-route.js';
import { timelineRoute } from './timeline/timeline-route.js';
import { holderRoute } from './wallet/holder-route.js';

/** The sandbox as an Express app. */
export function sandboxApp(service: Service, oneAtATime: ReturnType<typeof inTurn>): Express {
  const { sandboxIssuer, germanIssuer, url, clock, outage, variant } = service;
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(securityHeaders(), onlyUnderOwnName());
  app.use('/prove', notFromOtherSites());
  app.use(proveRoute(service));
  app.get(sandboxProfile.jwksPath, (_req, res) => {
    if (outage.keys > 0) res.status(503).type('text/plain').send('Out of order: keys_unreachable.\n');
    else res.json(sandboxIssuer.jwks);
  });
  app.get('/openapi.json', (_req, res) => {
    res.json(openApi(url, variant));
  });
  app.use('/status/xx', statusRoute(`${url}/status/xx`, sandboxIssuer.signList, clock));
  app.use('/status/de', statusRoute(`${url}/status/de`, germanIssuer.signList, clock));
  app.use(pageRoute(service), walletLegRoute(service), holderRoute(service));
  app.use(timelineRoute(service), simulateRoute(service, oneAtATime));
  app.use((_req, res) => {
    sendPage(res, 404, notices.nothingHere());
  });
  app.use(((error: { status?: unknown }, _req, res, _next) => {
    const status = typeof error.status === 'number' && error.status < 500 ? error.status : 500;
    sendPage(res, status, status === 500 ? notices.internal() : notices.noDecision());
  }) satisfies ErrorRequestHandler);
  return app;
}
