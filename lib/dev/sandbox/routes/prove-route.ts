import { once } from 'node:events';
import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { type ProveErrorCode, proveErrors, isProveErrorCode } from '../../../service/prove/errors.js';
import { mediaType } from '../../../internal/http.js';
import { sandboxIssuer } from '../../../options/development.js';
import { germanIssuer } from '../profile.js';
import { type ProveResponse, parseProveRequest } from '../../../service/prove/schema.js';
import { type ScenarioId, scenarioOf } from '../scenarios/catalogue.js';
import { begin, openJob } from '../service/begin.js';
import { maskProve, maskUrl, part } from '../timeline/mask.js';
import { nameOf, type TimelineFault, type TimelineFlow } from '../timeline/timeline.js';
import type { SandboxAccounts } from '../service/accounts.js';
import type { Service } from '../service/service.js';

const alphaTwo = /^[A-Z]{2}$/;

/** The nonce that wallets sign is a hash of the state, and can be guessed where the state can. */
const weakState: TimelineFault = {
  happened: 'The state is short or repetitive, so someone else could guess it, and the nonce with it.',
  fix: 'Use at least 128 random bits for each request: randomBytes(32) in base64url.',
};

/** 128 bits take 22 characters of base64url, and random ones do not repeat fewer than eight. */
function isGuessable(state: string): boolean {
  return state.length < 22 || new Set(state).size < 8;
}

/** `POST /prove`: who asks is checked before what is asked, and before the body is read. */
export function proveRoute(service: Service): Router {
  const { url, variant, accounts, jobs, timeline, log } = service;
  const router = Router();
  const readBody = express.raw({ type: () => true, limit: '64kb', inflate: false });

  router.post('/prove', (req, res, next) => {
    const refusal = checkBearer(req.headers.authorization, accounts);
    if (refusal === undefined) next();
    else refuse(req, res, ...refusal);
  });
  router.post('/prove', readBody, (req, res, next) => {
    start(req, res).catch(next);
  });
  router.all('/prove', (_req, res) => {
    res.set('Allow', 'POST').status(405).type('text/plain').send('Only POST.\n');
  });
  router.use('/prove', ((error: { status?: unknown }, req, res, _next) => {
    const ours = typeof error.status !== 'number' || error.status >= 500;
    if (ours) refuse(req, res, 'error_internal', 'The verification could not be started.');
    else refuse(req, res, 'error_invalid_body', 'The body cannot be read, or is larger than 64 kB.');
  }) satisfies ErrorRequestHandler);
  return router;

  async function start(req: Request, res: Response): Promise<void> {
    const checked = checkBody(req);
    if (!checked.ok) {
      refuse(req, res, checked.code, checked.description);
      return;
    }
    const { request } = checked;
    if (!jobs.claim(accounts.working, request.state)) {
      refuse(req, res, 'error_invalid_body', 'state was used before; it must be new for every request.');
      return;
    }
    const begun = begin(service, request);
    const { flow, scenario } = begun;
    if (scenarioOf(scenario).phase === 'prove') {
      if (!flow.robot) log(`prove plays ${scenario}`);
      flow.end('refused');
      await misbehave(scenario, res, service.signal, (status, body) => {
        record(flow, req, res, maskProve(request), status, body);
      });
      return;
    }
    const { id } = openJob(service, accounts.working, request, begun);
    const redirect_url = `${url}/wallet/${id}`;
    if (!flow.robot) log(`→ ${nameOf(flow)} begins`);
    const warning = isGuessable(request.state) ? weakState : undefined;
    if (warning !== undefined) log(`prove warns: ${warning.happened}`);
    res.json({ success: true, redirect_url } satisfies ProveResponse);
    const shown = JSON.stringify({ success: true, redirect_url: maskUrl(redirect_url) }, undefined, 2);
    record(flow, req, res, maskProve(request), 200, shown, warning);
  }

  function checkBody(req: Request): ReturnType<typeof parseProveRequest> {
    const body = readJson(req);
    if (body === undefined) {
      const description = 'The body must be JSON, sent as application/json in UTF-8.';
      return { ok: false, code: 'error_invalid_body', description };
    }
    const checked = parseProveRequest(body.json, variant, [sandboxIssuer, germanIssuer]);
    const country = checked.ok ? checked.request.derived?.nationality : undefined;
    if (country === undefined || alphaTwo.test(country)) return checked;
    const description = 'derived.nationality must be an ISO 3166-1 alpha-2 code, such as DE.';
    return { ok: false, code: 'error_invalid_body', description };
  }

  function refuse(req: Request, res: Response, error: ProveErrorCode, error_description: string): void {
    const { status, sentence } = proveErrors[error];
    log(`prove ${status} ${error}: ${error_description}`);
    const body: ProveResponse = { success: false, error: { error, error_description } };
    res.status(status).json(body);
    const flow = timeline.open('', 'approve');
    record(flow, req, res, undefined, status, JSON.stringify(body, undefined, 2), {
      happened: `The service refused the request: ${sentence}`,
      fix: 'The likely causes and the fix:',
      code: error,
    });
    flow.end('refused');
  }

  function record(
    flow: TimelineFlow,
    req: Request,
    res: Response,
    sent: string | undefined,
    status: number | undefined,
    received: string | undefined,
    fault?: TimelineFault,
  ): void {
    flow.add({
      what: 'prove',
      from: 'app',
      to: 'service',
      line: `POST ${url}/prove`,
      sent: part(Object.entries(req.headers) as [string, string][], sent),
      status,
      received: part([['content-type', String(res.getHeader('content-type') ?? '')]], received),
      ...(fault !== undefined && { fault }),
    });
  }
}

function checkBearer(
  header: string | undefined,
  accounts: SandboxAccounts,
): [ProveErrorCode, string] | undefined {
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

type Record = (status: number | undefined, body: string) => void;

/** Answers `/prove` as badly as the scenario wants. */
async function misbehave(
  scenario: ScenarioId,
  res: Response,
  closing: AbortSignal,
  record: Record,
): Promise<void> {
  if (scenario === 'prove_hang') {
    record(undefined, '(no answer)');
    await once(res, 'close', { signal: closing }).catch(() => undefined); // the app's patience, or our end
    res.destroy();
    return;
  }
  const [status, type, body] = replyFor(scenario);
  res.status(status).type(type).send(body);
  record(status, body);
}

function replyFor(scenario: ScenarioId): readonly [status: number, type: string, body: string] {
  if (scenario === 'prove_html') return [200, 'html', '<!doctype html><title>Welcome</title><p>It works!'];
  if (scenario === 'prove_bad_redirect') {
    return [200, 'json', JSON.stringify({ success: true, redirect_url: 'javascript:alert(1)' })];
  }
  const error = codeOf(scenario);
  const error_description = `The scenario ${scenario}.`;
  return [
    proveErrors[error].status,
    'json',
    JSON.stringify({ success: false, error: { error, error_description } }),
  ];
}

function codeOf(scenario: ScenarioId): ProveErrorCode {
  const code = scenario.replace(/^prove_40[01]_/, 'error_');
  return isProveErrorCode(code) ? code : 'error_internal';
}
