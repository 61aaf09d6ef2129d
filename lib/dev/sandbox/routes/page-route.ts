import { timingSafeEqual } from 'node:crypto';
import express, { type Request, type Response, Router } from 'express';
import { asyncRoute, streamChanges } from './handlers.js';
import { consentPage } from '../pages/consent.js';
import { canChoose, choicePage, linkPage, qrPage } from '../pages/wallet-links.js';
import { type Page, sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { isAsItShouldBe, problemPage, refusedPage } from '../pages/problem.js';
import { isChoosable } from '../pages/scenario-choice.js';
import { choosePerson } from '../people/choose.js';
import { nameOfPerson, peopleOn } from '../people/people.js';
import { isScenario } from '../scenarios/catalogue.js';
import { noteDecision } from '../service/decision.js';
import { isErrorScenario } from '../service/error-callback.js';
import type { Answers } from '../service/answers.js';
import { sandboxReply } from '../service/sandbox-reply.js';
import { type Job, atExpiry, tellWatchers } from '../service/jobs.js';
import { hasWalletLeg, walletLinks } from '../service/request-object.js';
import type { Service } from '../service/service.js';
import { createLeg } from '../service/wallet-request.js';
import { newId } from '../service/ids.js';
import { boardTour } from './tour-route.js';

type Shown = readonly [status: number, page: Page];

/** The page that `redirect_url` leads to: GET shows where the job is, POST goes on. */
export function pageRoute(service: Service): Router {
  const { jobs, answers } = service;
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });

  router.get('/wallet/:job', (req, res) => {
    const job = jobs.find(req.params.job);
    if (job === undefined) sendGone(req.params.job, req, res);
    else if (!admit(req, res, job)) sendSandboxPage(res, 403, notices.elsewhere(job));
    else {
      if (req.method === 'GET') {
        boardTour(req, res, job, service);
        noteOpened(job);
      }
      renderJob(job, res);
    }
  });
  router.get('/wallet/:job/changes', (req, res) => {
    const { job: id } = req.params;
    const job = jobs.find(id) ?? jobs.findExpired(id);
    if (job === undefined || !isVisitor(req, job)) {
      res.status(404).type('text/plain').send('No such page.\n');
      return;
    }
    const isStale = req.query['seen'] !== stageOf(job) || jobs.find(id) === undefined;
    streamChanges(res, isStale, (tell) => {
      job.watchers.add(tell);
      const stop = atExpiry(job, service.clock, tell);
      return () => {
        stop();
        job.watchers.delete(tell);
      };
    });
  });
  router.post(
    '/wallet/:job',
    readForm,
    asyncRoute(async (req, res) => {
      const job = jobs.find(String(req.params['job']));
      if (job === undefined) await leaveGone(String(req.params['job']), req, res);
      else if (!isVisitor(req, job)) sendSandboxPage(res, 403, notices.elsewhere(job));
      else await continueJob(job, req, res);
    }),
  );
  return router;

  function noteOpened(job: Job): void {
    if (job.opened) return;
    job.opened = true;
    const line = `GET ${service.pageUrl}/wallet/[hidden]`;
    job.flow.add({ what: 'opens page', from: 'browser', to: 'service', line, status: 200 });
  }

  function sendGone(id: string, req: Request, res: Response): void {
    const expired = jobs.findExpired(id);
    if (expired === undefined) sendSandboxPage(res, 404, notices.gone(service.accounts.working));
    else if (!admit(req, res, expired)) sendSandboxPage(res, 403, notices.elsewhere(expired));
    else sendSandboxPage(res, 410, notices.expired(expired));
  }

  async function leaveGone(id: string, req: Request, res: Response): Promise<void> {
    const expired = jobs.findExpired(id);
    const { way } = (req.body ?? {}) as Record<string, unknown>;
    if (expired === undefined || way !== 'back' || !isVisitor(req, expired)) sendGone(id, req, res);
    else res.redirect(303, await answers.expire(expired));
  }

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
      if (isAsItShouldBe(job)) return [200, refusedPage(job)];
      if (answer.outcome?.ok === false) return [502, problemPage(job, answer.outcome.problem)];
      if (answer.outcome === undefined) return [200, notices.sending(answer.id, leg && follow)];
      return [200, leg === undefined ? notices.over(answer.id) : notices.answeredElsewhere(job)];
    }
    const waiting = { expiresAt: job.expiresAt, now: service.clock().getTime(), follow };
    if (!hasWalletLeg(job.request)) {
      const { person } = job;
      const cards = {
        people: peopleOn(service.clock()),
        chosen: nameOfPerson(person, service.clock()),
        person,
      };
      return [200, consentPage(job, cards, waiting)];
    }
    if (leg === undefined) return [200, choicePage(job, waiting)];
    const links = walletLinks(service, leg);
    return [200, leg.way === 'link' ? linkPage(job, links, follow) : qrPage(job, links, follow)];
  }

  async function continueJob(job: Job, req: Request, res: Response): Promise<void> {
    const { decision, scenario, way, person } = (req.body ?? {}) as Record<string, unknown>;
    if (decision === 'right' && isAsItShouldBe(job)) {
      job.scenario = 'approve';
      await tell(job, res, await answers.again(job));
    } else if (decision === 'again' && job.answer !== undefined)
      await tell(job, res, await answers.again(job));
    else if (hasWalletLeg(job.request)) await chooseWay(job, way, res);
    else if (job.answer !== undefined || chooseCard(job, decision, person)) {
      if (decision === 'person') res.redirect(303, `/wallet/${job.id}`);
      else await decide(job, decision, scenario, res);
    } else sendSandboxPage(res, 400, notices.noDecision);
  }

  /** The card that the form shows counts. Returns false for one that is not on the list. */
  function chooseCard(job: Job, decision: unknown, name: unknown): boolean {
    if (name === undefined && decision !== 'person') return true;
    if (name === '') return true; // the one from code, who is there
    if (typeof name !== 'string' || !Object.hasOwn(peopleOn(service.clock()), name)) return false;
    job.person = choosePerson(name, service.clock(), 'person');
    return true;
  }

  async function chooseWay(job: Job, way: unknown, res: Response): Promise<void> {
    if (way === 'cancel') {
      job.scenario = 'declined';
      const outcome = await answers.take(job, sandboxReply(service, job, 'declined'));
      if (typeof outcome === 'object' && outcome.ok) res.redirect(303, outcome.redirectUri);
      else await tell(job, res, outcome);
      return;
    }
    if (way !== 'link' && way !== 'qr') {
      sendSandboxPage(res, 400, notices.noDecision);
      return;
    }
    const leg = await createLeg(way);
    if (job.leg === undefined || (job.leg.way !== way && canChoose(job))) {
      job.leg = leg; // two clicks are one choice
      tellWatchers(job);
    }
    res.redirect(303, `/wallet/${job.id}`);
  }

  async function decide(job: Job, decision: unknown, scenario: unknown, res: Response): Promise<void> {
    const id = decision === 'approve' ? job.planned : decision === 'decline' ? 'declined' : scenario;
    const known = decision === 'approve' || decision === 'decline' || decision === 'scenario';
    if (!known || !isScenario(id) || (decision === 'scenario' && !isChoosable(id, job.request))) {
      sendSandboxPage(res, 400, notices.noDecision);
      return;
    }
    if (job.answer === undefined) {
      job.scenario = id;
      noteDecision(job, !isErrorScenario(id), id);
    }
    await tell(job, res, await answers.take(job, sandboxReply(service, job, id)));
  }

  async function tell(job: Job, res: Response, outcome: Awaited<ReturnType<Answers['take']>>): Promise<void> {
    if (outcome === 'no_redirect_url') sendSandboxPage(res, 409, pageOf(job)[1]);
    else if (outcome === 'answered') sendSandboxPage(res, 409, notices.answeredOtherwise);
    else if (!outcome.ok) sendSandboxPage(res, ...pageOf(job));
    else if (job.leg === undefined) res.redirect(303, outcome.redirectUri);
    else renderJob(job, res);
  }
}

/** What a page shows in one word, so that it can tell whether it is out of date. */
function stageOf({ answer, leg }: Job): string {
  if (answer === undefined) return leg === undefined ? 'choice' : leg.fetched ? 'fetched' : 'waiting';
  return answer.outcome === undefined ? 'sending' : 'answered';
}

// Somebody could start a flow, send the page to another person, and wait for their answer on a page of his own. So
// the browser that opens the page first is the only one that is taken back. A link on one device needs none of this:
// there the way back goes to the wallet, and no page ever has it.

const cookieName = 'visitor';

/** Whether this browser may see the page. The first one to open it is remembered. */
function admit(req: Request, res: Response, job: Job): boolean {
  if (!isBound(job)) return true;
  if (job.visitor !== undefined) return isVisitor(req, job);
  if (req.method === 'HEAD') return true;
  job.visitor = newId();
  res.append(
    'Set-Cookie',
    `${cookieName}=${job.visitor}; Path=/wallet/${job.id}; HttpOnly; SameSite=Lax${req.secure ? '; Secure' : ''}`,
  );
  return true;
}

function isVisitor({ headers }: Request, job: Job): boolean {
  if (!isBound(job)) return true;
  const { visitor = '' } = job;
  const sent = (headers.cookie ?? '').split('; ').find((cookie) => cookie.startsWith(`${cookieName}=`));
  const value = Buffer.from(sent?.slice(cookieName.length + 1) ?? '');
  const expected = Buffer.from(visitor);
  return visitor !== '' && value.length === expected.length && timingSafeEqual(value, expected);
}

function isBound({ request, leg }: Job): boolean {
  return hasWalletLeg(request) && leg?.way !== 'link';
}
