import express, { type ErrorRequestHandler, type Express } from 'express';
import type { Bridge } from './bridge.js';
import { createJobs } from './jobs.js';
import type { FlowStore } from './kit.js';
import { createLook } from './look.js';
import { createLog } from './log.js';
import { hookRoute } from './hook.js';
import { sendPage } from './pages/layout.js';
import { failedPage, gonePage } from './pages/notices.js';
import { textsFor } from './pages/texts.js';
import { proveRoutes } from './prove.js';
import type { Settings } from './settings.js';
import { verifyRoutes } from './verify.js';
import { eudiploVerifier } from './verifiers/eudiplo.js';
import { euVerifier } from './verifiers/eu.js';

/** What a bridge needs beside its settings. */
export interface World {
  readonly publicUrl: string;
  readonly store: FlowStore;
  /** Seal what is stored, in all processes alike: the first one closes, each of them opens. */
  readonly secrets: readonly [string, ...string[]];
  readonly now?: () => number;
  readonly write: (line: string) => void;
}

/** The bridge as an Express app. */
export function createApp(
  settings: Settings,
  { publicUrl, store, secrets, now = Date.now, write }: World,
): Express {
  const { issuer, accounts, hookUrl = publicUrl } = settings;
  const verifier = settings.verifier === 'eu' ? euVerifier(settings) : eudiploVerifier(settings);
  const jobs = createJobs(store, secrets, now);
  const log = createLog(write);
  const look = createLook({ verifier, log });
  const bridge: Bridge = { publicUrl, hookUrl, issuer, accounts, jobs, verifier, look, now, log };
  const app = express();
  app.disable('x-powered-by');
  const routes = [proveRoutes(bridge), hookRoute(bridge), verifyRoutes(bridge)];
  // Below the path of the public address too: some proxies take it off, others do not.
  app.use(routes).use(new URL(publicUrl).pathname, routes);
  app.use((req, res) => sendPage(res, 404, gonePage(textsFor(req))));
  app.use(((error: Error & { readonly status?: number }, req, res, _next) => {
    if ((error.status ?? 500) < 500) {
      sendPage(res, 404, gonePage(textsFor(req))); // an address that cannot be read
      return;
    }
    bridge.log(undefined, `a page failed: ${error.message}`);
    sendPage(res, 503, failedPage(textsFor(req)));
  }) satisfies ErrorRequestHandler);
  return app;
}
