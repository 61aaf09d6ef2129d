import express, { type Request, type Response, Router } from 'express';
import { asyncRoute, streamChanges } from './handlers.js';
import { consentPage } from '../pages/consent.js';
import { blockedPage, pinPage, sandboxPin } from '../pages/pin.js';
import { type Page, sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { isAsItShouldBe, problemPage, refusedPage } from '../pages/problem.js';
import { isChoosable } from '../pages/scenario-choice.js';
import { choosePerson } from '../people/choose.js';
import { nameOfPerson, peopleOn } from '../people/people.js';
import { isScenario, type ScenarioId } from '../scenarios/catalogue.js';
import { germanIssuer } from '../profile.js';
import { noteDecision } from '../service/decision.js';
import { isErrorScenario } from '../service/error-callback.js';
import type { Answers } from '../service/answers.js';
import { walletReply } from '../service/present.js';
import { type Job, atExpiry } from '../service/jobs.js';
import type { Service } from '../service/service.js';
import { boardTour } from './tour-route.js';

type Shown = readonly [status: number, page: Page];

/** The page that `redirect_url` leads to: GET shows where the job is, POST goes on. */
export function pageRoute(service: Service): Router {
  const { jobs, answers } = service;
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });

  router.get('/wallet/:job', (req, res) => {
    const job = jobs.find(req.params.job);
    if (job === undefined) sendGone(req.params.job, res);
    else {
      if (req.method === 'GET') {
        boardTour(req, res, job, service);
        noteOpened(job);
      }
      sendSandboxPage(res, ...pageOf(job));
    }
  });
  router.get('/wallet/:job/changes', (req, res) => {
    const { job: id } = req.params;
    const job = jobs.find(id) ?? jobs.findExpired(id);
    if (job === undefined) {
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
      else await continueJob(job, req, res);
    }),
  );
  return router;

  function noteOpened(job: Job): void {
    if (job.opened) return;
    job.opened = true;
    const line = `GET ${service.url}/wallet/[hidden]`;
    const to = job.request.wallet === undefined ? 'service' : 'wallet';
    job.flow.add({ what: 'opens page', from: 'browser', to, line, status: 200 });
  }

  function sendGone(id: string, res: Response): void {
    const expired = jobs.findExpired(id);
    if (expired === undefined) sendSandboxPage(res, 404, notices.gone(service.accounts.working));
    else sendSandboxPage(res, 410, notices.expired(expired));
  }

  async function leaveGone(id: string, req: Request, res: Response): Promise<void> {
    const expired = jobs.findExpired(id);
    const { way } = (req.body ?? {}) as Record<string, unknown>;
    if (expired === undefined || way !== 'back') sendGone(id, res);
    else res.redirect(303, await answers.expire(expired));
  }

  function pageOf(job: Job): Shown {
    const { answer, pin } = job;
    if (answer !== undefined) {
      if (isAsItShouldBe(job)) return [200, refusedPage(job)];
      if (answer.outcome?.ok === false) return [502, problemPage(job, answer.outcome.problem)];
      return [
        200,
        answer.outcome === undefined
          ? notices.sending(answer.id)
          : notices.over(answer.id, answer.outcome.redirectUri !== undefined),
      ];
    }
    if (pin.triesLeft === 0) return [200, blockedPage];
    const now = service.clock();
    const follow = `/wallet/${job.id}/changes?seen=${stageOf(job)}`;
    const waiting = { expiresAt: job.expiresAt, now: now.getTime(), follow };
    if (pin.agreed) return [200, pinPage(job, waiting)];
    const { person } = job;
    return [
      200,
      consentPage(job, { people: peopleOn(now), chosen: nameOfPerson(person, now), person }, waiting),
    ];
  }

  async function continueJob(job: Job, req: Request, res: Response): Promise<void> {
    const { decision, scenario, person, pin } = (req.body ?? {}) as Record<string, unknown>;
    if (decision === 'right' && isAsItShouldBe(job)) {
      job.scenario = 'approve';
      await tell(job, res, await answers.again(job));
    } else if (job.answer !== undefined && (decision === 'again' || decision === 'pin'))
      await tell(job, res, await answers.again(job));
    else if (job.answer === undefined && job.pin.triesLeft === 0) {
      if (decision === 'blocked') await answer(job, 'card_blocked', res);
      else res.redirect(303, `/wallet/${job.id}`);
    } else if (job.answer === undefined && job.pin.agreed && (decision === 'pin' || decision === 'give_up'))
      await enterPin(job, decision, pin, res);
    else if (job.answer !== undefined || chooseCard(job, decision, person)) {
      if (decision === 'person') res.redirect(303, `/wallet/${job.id}`);
      else await decide(job, decision, scenario, res);
    } else sendSandboxPage(res, 400, notices.noDecision);
  }

  /** The card that the form shows counts. Returns false for one that is not on the list. */
  function chooseCard(job: Job, decision: unknown, name: unknown): boolean {
    if (name === undefined && decision !== 'person') return true;
    job.pin.agreed = false; // what was agreed to was another card
    if (name === '') return true; // the one from code, who is there
    if (typeof name !== 'string' || !Object.hasOwn(peopleOn(service.clock()), name)) return false;
    job.person = choosePerson(name, service.clock(), 'person');
    return true;
  }

  async function decide(job: Job, decision: unknown, scenario: unknown, res: Response): Promise<void> {
    const id = decision === 'approve' ? job.planned : decision === 'decline' ? 'declined' : scenario;
    const known = decision === 'approve' || decision === 'decline' || decision === 'scenario';
    if (!known || !isScenario(id) || (decision === 'scenario' && !isChoosable(id, job.request))) {
      sendSandboxPage(res, 400, notices.noDecision);
      return;
    }
    if (job.answer === undefined) job.scenario = id;
    if (job.answer !== undefined || job.request.issuer !== germanIssuer || isErrorScenario(id)) {
      await answer(job, id, res);
      return;
    }
    job.pin.agreed = true;
    delete job.pin.last;
    res.redirect(303, `/wallet/${job.id}`);
  }

  /** Three wrong PINs block the card; what is not six digits is none, and no try. */
  async function enterPin(job: Job, decision: 'pin' | 'give_up', pin: unknown, res: Response): Promise<void> {
    const { pin: state, scenario } = job;
    if (decision === 'give_up') await answer(job, state.triesLeft < 3 ? 'wrong_pin' : 'declined', res);
    else if (pin === sandboxPin) await answer(job, scenario, res);
    else {
      state.last = typeof pin === 'string' && /^[0-9]{6}$/.test(pin) ? 'wrong' : 'no_pin';
      if (state.last === 'wrong') state.triesLeft -= 1;
      res.redirect(303, `/wallet/${job.id}`);
    }
  }

  async function answer(job: Job, id: ScenarioId, res: Response): Promise<void> {
    if (job.answer === undefined) {
      job.scenario = id;
      noteDecision(job, !isErrorScenario(id), id);
    }
    await tell(job, res, await answers.take(job, walletReply(service, job, id)));
  }

  async function tell(job: Job, res: Response, outcome: Awaited<ReturnType<Answers['take']>>): Promise<void> {
    if (outcome === 'no_redirect_url') sendSandboxPage(res, 409, pageOf(job)[1]);
    else if (outcome === 'answered') sendSandboxPage(res, 409, notices.answeredOtherwise);
    else if (!outcome.ok) sendSandboxPage(res, ...pageOf(job));
    else res.redirect(303, outcome.redirectUri ?? `/wallet/${job.id}`);
  }
}

/** What a page shows in one word, so that it can tell whether it is out of date. */
function stageOf({ answer }: Job): string {
  return answer === undefined ? 'choice' : answer.outcome === undefined ? 'sending' : 'answered';
}
