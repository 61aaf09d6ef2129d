import express, { type Request, type Response, Router } from 'express';
import { asyncRoute } from '../http/async-route.js';
import { streamChanges } from '../http/event-stream.js';
import { consentPage } from '../pages/consent.js';
import { choicePage } from '../pages/hand-over.js';
import type { Html } from '../pages/html.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { problemPage } from '../pages/problem.js';
import { choosable } from '../pages/scenario-choice.js';
import { isScenario } from '../scenarios/catalogue.js';
import type { Answers } from '../service/answers.js';
import { handOver } from '../service/hand-over.js';
import { type Job, tellWatchers } from '../service/jobs.js';
import { hasWalletLeg } from '../service/request-object.js';
import { sandboxReply } from '../service/sandbox-reply.js';
import type { Service } from '../service/service.js';
import { admit, isVisitor } from '../service/browser-binding.js';
import { createLeg } from '../service/wallet-request.js';

type Shown = readonly [status: number, page: Html];

/** The page that `redirect_url` leads to: GET shows where the job is, POST goes on. */
export function pageRoute(service: Service): Router {
  const { jobs, answers } = service;
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });

  router.get('/wallet/:job', (req, res) => {
    const job = jobs.find(req.params.job);
    if (job === undefined) sendSandboxPage(res, 404, notices.gone());
    else if (!admit(req, res, job)) sendSandboxPage(res, 403, notices.elsewhere());
    else renderJob(job, res);
  });
  router.get('/wallet/:job/changes', (req, res) => {
    const job = jobs.find(req.params.job);
    if (job === undefined || !isVisitor(req, job)) {
      res.status(404).type('text/plain').send('No such page.\n');
      return;
    }
    streamChanges(res, req.query['seen'] !== stageOf(job), (tell) => {
      job.watchers.add(tell);
      return () => job.watchers.delete(tell);
    });
  });
  router.post(
    '/wallet/:job',
    readForm,
    asyncRoute(async (req, res) => {
      const job = jobs.find(String(req.params['job']));
      if (job === undefined) sendSandboxPage(res, 404, notices.gone());
      else if (!isVisitor(req, job)) sendSandboxPage(res, 403, notices.elsewhere());
      else await continueJob(job, req, res);
    }),
  );
  return router;

  function renderJob(job: Job, res: Response): void {
    const back = job.leg?.way === 'qr' ? collect(job) : undefined;
    if (back === undefined) sendSandboxPage(res, ...pageOf(job));
    else res.set('Referrer-Policy', 'no-referrer').redirect(303, back);
  }

  /** The way back is handed out once, to the browser that waited for it, and then forgotten. */
  function collect({ answer }: Job): string | undefined {
    const { outcome } = answer ?? {};
    if (answer === undefined || outcome?.ok !== true || answer.collected) return undefined;
    answer.collected = true;
    return outcome.redirectUri;
  }

  function pageOf(job: Job): Shown {
    const { answer, leg } = job;
    const follow = `/wallet/${job.id}/changes?seen=${stageOf(job)}`;
    if (answer !== undefined) {
      if (answer.outcome?.ok === false) return [502, problemPage(job, answer.outcome.problem)];
      if (answer.outcome === undefined) return [200, notices.sending(answer.id, leg && follow)];
      return [200, leg === undefined ? notices.over(answer.id) : notices.answeredElsewhere()];
    }
    if (!hasWalletLeg(job.request)) return [200, consentPage(job, service.variant)];
    return [200, leg === undefined ? choicePage(job) : handOver(service, job, leg, follow)];
  }

  async function continueJob(job: Job, req: Request, res: Response): Promise<void> {
    const { decision, scenario, way } = (req.body ?? {}) as Record<string, unknown>;
    if (decision === 'again' && job.answer !== undefined) await tell(job, res, await answers.again(job));
    else if (hasWalletLeg(job.request)) await chooseWay(job, way, res);
    else await decide(job, decision, scenario, res);
  }

  async function chooseWay(job: Job, way: unknown, res: Response): Promise<void> {
    if (way !== 'link' && way !== 'qr') {
      sendSandboxPage(res, 400, notices.noDecision());
      return;
    }
    const leg = await createLeg(way);
    job.leg ??= leg; // the first choice stands
    tellWatchers(job);
    res.redirect(303, `/wallet/${job.id}`);
  }

  async function decide(job: Job, decision: unknown, scenario: unknown, res: Response): Promise<void> {
    const id = decision === 'approve' ? job.planned : decision === 'decline' ? 'declined' : scenario;
    const known = decision === 'approve' || decision === 'decline' || decision === 'scenario';
    if (!known || !isScenario(id) || (decision === 'scenario' && !choosable(id, job.request))) {
      sendSandboxPage(res, 400, notices.noDecision());
      return;
    }
    job.scenario = job.answer === undefined ? id : job.scenario;
    await tell(job, res, await answers.take(job, sandboxReply(service, job, id)));
  }

  async function tell(job: Job, res: Response, outcome: Awaited<ReturnType<Answers['take']>>): Promise<void> {
    if (outcome === 'no_redirect_url') sendSandboxPage(res, 409, pageOf(job)[1]);
    else if (outcome === 'answered') sendSandboxPage(res, 409, notices.answeredOtherwise());
    else if (!outcome.ok) sendSandboxPage(res, 502, problemPage(job, outcome.problem));
    else if (job.leg === undefined) res.redirect(303, outcome.redirectUri);
    else renderJob(job, res);
  }
}

/** What a page shows in one word, so that it can tell whether it is out of date. */
function stageOf({ answer, leg }: Job): string {
  if (answer === undefined) return leg === undefined ? 'choice' : 'waiting';
  return answer.outcome === undefined ? 'sending' : 'answered';
}
