import express, { type Response, Router } from 'express';
import type { PidAttributes, Variant } from '../../../contracts/attributes.js';
import { asyncRoute } from '../http/async-route.js';
import { readDecision } from './decision.js';
import type { Job, Jobs } from '../service/jobs.js';
import { fromOwnPage } from '../http/own-requests.js';
import { consentPage } from '../pages/consent.js';
import type { Html } from '../pages/html.js';
import { sendPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { problemPage } from '../pages/problem.js';
import type { Wallet } from './wallet.js';

/** The wallet page: GET shows where the job stands, POST decides it. */
export function walletRoute(
  jobs: Jobs,
  wallet: Wallet,
  variant: Variant,
  person: Readonly<PidAttributes>,
): Router {
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false });

  router.get('/wallet/:job', (req, res) => {
    const job = jobs.find(req.params.job);
    if (job === undefined) sendPage(res, 404, notices.gone());
    else sendPage(res, ...pageOf(job, variant, person));
  });
  router.post(
    '/wallet/:job',
    readForm,
    asyncRoute(async (req, res) => {
      const job = jobs.find(String(req.params['job']));
      const decision = readDecision(req.body);
      if (!fromOwnPage(req)) sendPage(res, 403, notices.foreignForm());
      else if (job === undefined) sendPage(res, 404, notices.gone());
      else if (decision === undefined) sendPage(res, 400, notices.noDecision());
      else await decide(job, decision, res);
    }),
  );
  return router;

  async function decide(job: Job, decision: NonNullable<ReturnType<typeof readDecision>>, res: Response) {
    const outcome = await wallet.decide(job, decision);
    if (outcome === 'no_redirect_url') sendPage(res, 409, consentPage(job, variant, person));
    else if (outcome === 'decided') sendPage(res, 409, notices.decidedOtherwise());
    else if (outcome.ok) res.redirect(303, outcome.redirectUri);
    else sendPage(res, 502, problemPage(job, outcome.problem));
  }
}

function pageOf(job: Job, variant: Variant, person: Readonly<PidAttributes>): [status: number, page: Html] {
  if (job.answer === undefined) return [200, consentPage(job, variant, person)];
  const { decision, outcome } = job.answer;
  if (outcome?.ok === false) return [502, problemPage(job, outcome.problem)];
  return [200, outcome === undefined ? notices.sending(decision) : notices.over(decision)];
}
