import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Bridge } from './bridge.js';
import { healthRoutes } from './health.js';
import { hookRoute } from './hook.js';
import { createJobs } from './jobs.js';
import type { FlowStore } from './kit.js';
import type { Log } from './log.js';
import { createLook } from './look.js';
import { createMetrics, type Metrics } from './metrics.js';
import { createOutage } from './outage.js';
import { sendPage } from './pages/layout.js';
import { failedPage, gonePage } from './pages/notices.js';
import { textsFor } from './pages/texts.js';
import { proveRoutes } from './prove.js';
import type { Settings } from './settings.js';
import { reasonOf } from './verifiers/call.js';
import { eudiploVerifier } from './verifiers/eudiplo.js';
import { euVerifier } from './verifiers/eu.js';
import type { Verifier } from './verifiers/verifier.js';
import { watchVerifier } from './verifiers/watched.js';
import { verifyRoutes } from './verify.js';

/** What a bridge needs beside its settings. */
export interface World {
  readonly publicUrl: string;
  readonly store: FlowStore;
  /** Seal what is stored, in all processes alike: the first one closes, each of them opens. */
  readonly secrets: readonly [string, ...string[]];
  readonly now?: () => number;
  readonly log: Log;
  readonly metrics?: Metrics;
}

export const verifierOf = (settings: Settings): Verifier =>
  settings.verifier === 'eu' ? euVerifier(settings) : eudiploVerifier(settings);

/** The bridge as an Express app. */
export function createApp(
  settings: Settings,
  { publicUrl, store, secrets, now = Date.now, log, metrics = createMetrics() }: World,
): Express {
  const { issuer, accounts, hookUrl = publicUrl } = settings;
  const jobs = createJobs(store, secrets, now);
  const verifier = watchVerifier(verifierOf(settings), log, metrics, now);
  const look = createLook(verifier);
  const bridge: Bridge = { publicUrl, hookUrl, issuer, accounts, jobs, verifier, look, now, log, metrics };
  const pages = createOutage('a page', log, now);
  const app = express();
  app.disable('x-powered-by');
  const routes = [proveRoutes(bridge), hookRoute(bridge), verifyRoutes(bridge)];
  // Below the path of the public address too: some proxies take it off, others do not.
  app.use(healthRoutes(bridge), routes).use(new URL(publicUrl).pathname, routes);
  app.use((req, res) => sendPage(res, 404, gonePage(textsFor(req))));
  app.use(((error: Error & { readonly status?: number }, req, res, _next) => {
    if ((error.status ?? 500) < 500) {
      sendPage(res, 404, gonePage(textsFor(req))); // an address that cannot be read
      return;
    }
    pages.fails(reasonOf(error));
    sendPage(res, 503, failedPage(textsFor(req)));
  }) satisfies ErrorRequestHandler);
  return app;
}
