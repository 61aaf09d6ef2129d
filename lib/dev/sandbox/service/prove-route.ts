import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import type { Variant } from '../../../contracts/attributes.js';
import { type ServiceErrorCode, serviceErrors } from '../../../protocol/service-errors.js';
import { mediaType } from '../../../safe/fetch-bounded.js';
import { sandboxIssuer } from '../../../protocol/sandbox.js';
import { type ProveResponse, parseProveRequest } from '../../../protocol/prove.js';
import type { SandboxAccounts } from './accounts.js';
import type { Jobs } from './jobs.js';

interface ProveRoute {
  readonly url: string;
  readonly variant: Variant;
  readonly accounts: SandboxAccounts;
  readonly jobs: Jobs;
  readonly log: (line: string) => void;
}

/** `POST /prove`: who asks is judged before what is asked, and before the body is read. */
export function proveRoute({ url, variant, accounts, jobs, log }: ProveRoute): Router {
  const router = Router();
  const readBody = express.raw({ type: () => true, limit: '64kb', inflate: false });

  router.post('/prove', (req, res, next) => {
    const refusal = checkBearer(req.headers.authorization, accounts);
    if (refusal === undefined) next();
    else refuse(res, ...refusal);
  });
  router.post('/prove', readBody, (req, res) => {
    const body = readJson(req);
    if (body === undefined) {
      refuse(res, 'error_invalid_body', 'The body must be JSON, sent as application/json in UTF-8.');
      return;
    }
    const judged = parseProveRequest(body.json, variant, [sandboxIssuer]);
    if (!judged.ok) {
      refuse(res, judged.code, judged.description);
      return;
    }
    const job = jobs.open(accounts.working, judged.request);
    if (job === undefined) {
      refuse(res, 'error_invalid_body', 'state was used before; it must be new for every request.');
      return;
    }
    log(`prove 200, asks for ${judged.request.revealed.join(', ')}`);
    res.json({ success: true, redirect_url: `${url}/wallet/${job.id}` } satisfies ProveResponse);
  });
  router.all('/prove', (_req, res) => {
    res.set('Allow', 'POST').status(405).type('text/plain').send('Only POST.\n');
  });
  router.use('/prove', ((error: { status?: unknown }, _req, res, _next) => {
    const ours = typeof error.status !== 'number' || error.status >= 500;
    if (ours) refuse(res, 'error_internal', 'The verification could not be started.');
    else refuse(res, 'error_invalid_body', 'The body cannot be read, or is larger than 64 kB.');
  }) satisfies ErrorRequestHandler);
  return router;

  function refuse(res: Response, error: ServiceErrorCode, error_description: string): void {
    log(`prove ${serviceErrors[error]} ${error}: ${error_description}`);
    const body: ProveResponse = { success: false, error: { error, error_description } };
    res.status(serviceErrors[error]).json(body);
  }
}

function checkBearer(
  header: string | undefined,
  accounts: SandboxAccounts,
): [ServiceErrorCode, string] | undefined {
  const key = /^Bearer +(?<key>\S+) *$/i.exec(header ?? '')?.groups?.['key'];
  if (key === undefined) return ['error_api_key', 'The API key is missing: Authorization: Bearer <API key>.'];
  if (key === accounts.unset.apiKey) return ['error_account', 'The account is not set up for the API.'];
  if (key === accounts.suspended.apiKey) return ['error_account', 'The account is suspended.'];
  return key === accounts.working.apiKey ? undefined : ['error_api_key', 'The API key is not valid.'];
}

function readJson(req: Request): { json: unknown } | undefined {
  const bytes: unknown = req.body;
  if (mediaType(req.headers['content-type']) !== 'application/json' || !Buffer.isBuffer(bytes))
    return undefined;
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)) as unknown };
  } catch {
    return undefined;
  }
}
