import express, { type ErrorRequestHandler, type Express } from 'express';
import type { JWK } from './jose.js';
import type { PidAttributes, Variant } from '../../contracts/attributes.js';
import { sandboxProfile } from '../../protocol/sandbox.js';
import type { SandboxAccounts } from './service/accounts.js';
import type { Jobs } from './service/jobs.js';
import { onlyUnderOwnName } from './http/own-requests.js';
import { homePage } from './pages/home.js';
import { sendPage } from './pages/layout.js';
import { notices } from './pages/notices.js';
import { proveRoute } from './service/prove-route.js';
import { securityHeaders } from './http/security-headers.js';
import { walletRoute } from './wallet/wallet-route.js';
import type { Wallet } from './wallet/wallet.js';

interface SandboxApp {
  readonly url: string;
  readonly variant: Variant;
  readonly person: Readonly<PidAttributes>;
  readonly accounts: SandboxAccounts;
  readonly jobs: Jobs;
  readonly wallet: Wallet;
  readonly jwks: { readonly keys: readonly JWK[] };
  readonly log: (line: string) => void;
}

/** The sandbox as an Express app. */
export function sandboxApp({ url, variant, person, accounts, jobs, wallet, jwks, log }: SandboxApp): Express {
  const app = express();
  app.disable('x-powered-by').disable('etag');
  app.use(securityHeaders(), onlyUnderOwnName());
  app.use(proveRoute({ url, variant, accounts, jobs, log }));
  app.get(sandboxProfile.jwksPath, (_req, res) => {
    res.json(jwks);
  });
  app.use(walletRoute(jobs, wallet, variant, person));
  app.get('/', (_req, res) => {
    sendPage(res, 200, homePage(accounts.working.redirectUrl, variant, person));
  });
  app.use((_req, res) => {
    sendPage(res, 404, notices.nothingHere());
  });
  app.use(((error: { status?: unknown }, _req, res, _next) => {
    const status = typeof error.status === 'number' && error.status < 500 ? error.status : 500;
    sendPage(res, status, status === 500 ? notices.internal() : notices.noDecision());
  }) satisfies ErrorRequestHandler);
  return app;
}
