import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { asyncRoute } from './handlers.js';
import type { PlantedFault } from '../issuers/faults.js';
import { isFault } from '../scenarios/playable.js';
import { maskAll, part } from '../timeline/mask.js';
import { type WalletReply, errorReply } from '../service/answers.js';
import { isErrorScenario } from '../service/error-callback.js';
import { newId } from '../service/ids.js';
import { type Job, tellWatchers } from '../service/jobs.js';
import { requestObject, requestType } from '../service/request-object.js';
import type { Service } from '../service/service.js';
import { stateDerived } from '../service/derived-statement.js';
import type { WalletLeg } from '../service/wallet-request.js';
import { ResponseRefused, type WalletResponse, readResponse } from '../service/wallet-response.js';

const maxRefused = 5;
const walletNonce = /^[\x21-\x7e]{1,512}$/;
const form = 'application/x-www-form-urlencoded';

type Legged = Job & { readonly leg: WalletLeg };

/** What wallets talk to, the built-in one and any other: the request, and where its response goes. */
export function walletLegRoute(service: Service): Router {
  const { jobs, access, walletUrl, clock, answers } = service;
  const router = Router();
  const readForm = express.urlencoded({
    extended: false,
    limit: '256kb',
    inflate: false,
    parameterLimit: 16,
  });
  router.get('/request/:id', asyncRoute(sendRequest));
  router.post('/request/:id', readForm, asyncRoute(sendRequest));
  router.post('/response/:id', readForm, asyncRoute(takeResponse));
  router.all(['/request/:id', '/response/:id'], (req, res) => {
    res.set('Allow', req.path.startsWith('/request/') ? 'GET, POST' : 'POST');
    refuse(res, 405, 'This method is not allowed here.');
  });
  router.use(['/request', '/response'], ((error: { status?: unknown }, _req, res, _next) => {
    if (error.status === 413) refuse(res, 413, 'The form is larger than 256 kB, or has too many fields.');
    else if (typeof error.status === 'number' && error.status < 500)
      refuse(res, 400, 'The address or the form cannot be read.');
    else refuse(res, 500, 'The sandbox failed.');
  }) satisfies ErrorRequestHandler);
  return router;

  async function sendRequest(req: Request, res: Response): Promise<void> {
    const job = withWalletRequest(jobs.findLeg('requestId', String(req.params['id'])));
    const { wallet_nonce: nonce } = (req.body ?? {}) as { wallet_nonce?: unknown };
    if (job === undefined || job.leg.closed) {
      refuse(res, 404, 'No such request: it is unknown, has expired or was answered.');
    } else if (nonce !== undefined && (typeof nonce !== 'string' || !walletNonce.test(nonce))) {
      refuse(res, 400, 'wallet_nonce must be one string of at most 512 visible characters.');
    } else {
      const how = {
        responseUri: `${walletUrl}/response/${job.leg.responseId}`,
        walletNonce: nonce,
        now: clock(),
      };
      const object = await requestObject(job.request, job.leg, access, how);
      job.leg.fetched = true;
      tellWatchers(job);
      // `send` would add a charset.
      res.set('Content-Type', `application/${requestType}`).end(object);
      const received = part([['content-type', `application/${requestType}`]], maskAll(object));
      const line = `${req.method} ${walletUrl}/request/[hidden]`;
      job.flow.add({ what: 'request', from: 'wallet', to: 'service', line, status: 200, received });
    }
  }

  async function takeResponse(req: Request, res: Response): Promise<void> {
    const job = withWalletRequest(jobs.findLeg('responseId', String(req.params['id'])));
    if (job === undefined) refuse(res, 404, 'No such request: it is unknown or has expired.');
    else if (job.leg.closed) refuse(res, 400, 'This request was answered before.');
    else if (job.account.redirectUrl === undefined) refuse(res, 503, 'No Redirect URL is set.');
    else await take(job, req, res);
  }

  async function take(job: Legged, req: Request, res: Response): Promise<void> {
    let response: WalletResponse;
    try {
      if (!req.is(form)) throw new ResponseRefused(`The content type must be ${form}.`);
      response = await readResponse(req.body, job.leg);
    } catch (error) {
      if (!(error instanceof ResponseRefused)) throw error;
      await countRefused(job);
      refuse(res, 400, error.message);
      record(job, 400, error.message);
      return;
    }
    if (job.leg.closed) {
      refuse(res, 400, 'This request was answered before.');
      return;
    }
    job.leg.closed = true; // before anything is awaited
    record(job, 200);
    const outcome = await answers.take(job, await replyTo(service, job, response));
    // Section 8.2 wants a fresh value in each address; the page itself hands nothing out.
    const page = `${service.pageUrl}/wallet/${job.id}?response_code=${newId()}`;
    const back = typeof outcome === 'object' && outcome.ok ? outcome.redirectUri : page;
    res.json(job.leg.way === 'link' ? { redirect_uri: back } : {});
  }

  /** Junk of an onlooker does not end a job; but not without end. */
  async function countRefused(job: Legged): Promise<void> {
    job.leg.refused += 1;
    if (job.leg.refused <= maxRefused || job.leg.closed) return;
    job.leg.closed = true;
    await answers.take(job, errorReply(job, 'wallet_error'));
  }
}

async function replyTo(service: Service, job: Job, response: WalletResponse): Promise<WalletReply> {
  const { scenario } = job;
  if (isErrorScenario(scenario)) return errorReply(job, scenario);
  if (response.kind === 'error') {
    return errorReply(job, response.error === 'access_denied' ? 'declined' : 'wallet_error');
  }
  const fault: PlantedFault | undefined = isFault(scenario) ? scenario : undefined;
  const asksDerived = job.request.derived?.nationality !== undefined;
  const presentation = asksDerived
    ? await stateDerived(service, job, response.presentation, fault)
    : response.presentation;
  if (presentation === undefined) return errorReply(job, 'wallet_error');
  const body = new URLSearchParams({ presentation, state: job.request.state });
  return { id: scenario, body: async () => await Promise.resolve(body) };
}

function record({ flow, leg }: Legged, status: number, why?: string): void {
  flow.add({
    what: 'response',
    from: 'wallet',
    to: 'service',
    line: 'POST /response/[hidden]',
    sent: part([['content-type', form]], '[hidden]'),
    status,
    received: part([['content-type', 'application/json']], leg.way === 'link' ? undefined : '{}'),
    ...(why !== undefined && {
      fault: {
        happened: `The wallet's response was refused: ${why}`,
        fix: 'docs/sandbox.md tells what the service takes.',
      },
    }),
  });
}

function withWalletRequest(job: Job | undefined): Legged | undefined {
  return job?.leg === undefined ? undefined : (job as Legged);
}

function refuse(res: Response, status: number, error_description: string): void {
  res.status(status).json({ error: 'invalid_request', error_description });
}
