import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { asyncRoute, streamChanges } from './handlers.js';
import { askPage, blockedPage, donePage, pinPage } from '../pages/holder.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { isChoosable } from '../pages/scenario-choice.js';
import { choosePerson } from '../people/choose.js';
import { nameOfPerson, peopleOn } from '../people/people.js';
import { certifiedBy } from '../service/access.js';
import { isErrorScenario } from '../service/error-callback.js';
import { atExpiry } from '../service/jobs.js';
import type { Service } from '../service/service.js';
import { type Holding, holderOf, sandboxPin } from '../wallet/built-in-wallet.js';
import { WalletRefusal, linkIn } from '../wallet/wallet.js';

/** The pages of the built-in wallet. */
export function holderRoute(service: Service): Router {
  const holder = holderOf(service);
  const { working } = service.accounts;
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });

  router.get(
    '/holder',
    asyncRoute(async (req, res) => {
      const holding = await holder.open(linkIn(new URL(req.url, service.url).searchParams));
      if (holding === undefined) sendSandboxPage(res, 404, notices.gone(working));
      else res.redirect(303, `/holder/${holding.id}`);
    }),
  );
  router.get('/holder/:id', (req, res) => {
    const holding = holder.find(req.params.id);
    if (holding === undefined) sendSandboxPage(res, 404, notices.gone(working));
    else renderHolding(holding, res);
  });
  router.get('/holder/:id/changes', (req, res) => {
    const holding = holder.find(req.params.id);
    if (holding === undefined) res.status(404).type('text/plain').send('No such page.\n');
    else streamChanges(res, hasExpired(holding), (tell) => atExpiry(holding.job, service.clock, tell));
  });
  router.post(
    '/holder/:id',
    readForm,
    asyncRoute(async (req, res) => {
      const holding = holder.find(String(req.params['id']));
      if (holding === undefined) sendSandboxPage(res, 404, notices.gone(working));
      else if (holding.answer !== undefined) leave(holding, await holding.answer, res);
      else if (hasExpired(holding)) await leaveExpired(holding, req, res);
      else await continueHolding(holding, req, res);
    }),
  );
  router.use('/holder', ((error: unknown, _req, res, next) => {
    if (error instanceof WalletRefusal) sendSandboxPage(res, 409, notices.walletStops(error.reason, working));
    else next(error);
  }) satisfies ErrorRequestHandler);
  return router;

  function renderHolding(holding: Holding, res: Response): void {
    const { id, job, request, done, agreed, triesLeft } = holding;
    const now = service.clock().getTime();
    const waiting = { expiresAt: job.expiresAt, now, follow: `/holder/${id}/changes` };
    if (done !== undefined) sendSandboxPage(res, 200, donePage(job, done.shared));
    else if (hasExpired(holding)) sendSandboxPage(res, 410, notices.expired(job, 'wallet'));
    else if (triesLeft === 0) sendSandboxPage(res, 200, blockedPage(job));
    else if (agreed) sendSandboxPage(res, 200, pinPage(holding, sandboxPin, waiting));
    else {
      sendSandboxPage(
        res,
        200,
        askPage({
          job,
          certificate: { ...certifiedBy(service.access), clientId: request.clientId },
          people: peopleOn(service.clock()),
          chosen: nameOfPerson(holding.person, service.clock()),
          person: holding.person,
          waiting,
        }),
      );
    }
  }

  function hasExpired({ job }: Holding): boolean {
    return job.expiresAt <= service.clock().getTime();
  }

  async function leaveExpired(holding: Holding, { body }: Request, res: Response): Promise<void> {
    const { way } = (body ?? {}) as Record<string, unknown>;
    if (way !== 'back' || holding.job.leg?.way !== 'link') renderHolding(holding, res);
    else res.redirect(303, await service.answers.expire(holding.job));
  }

  async function continueHolding(holding: Holding, req: Request, res: Response): Promise<void> {
    const { decision, person, scenario, pin } = (req.body ?? {}) as Record<string, unknown>;
    const { job } = holding;
    const chooses = decision === 'person' || person !== undefined;
    if (chooses && !chooseCard(holding, person)) sendSandboxPage(res, 400, notices.noDecision);
    else if (decision === 'person') leave(holding, undefined, res);
    else if (decision === 'approve' && isErrorScenario(job.scenario))
      await refuse(holding, job.scenario, res);
    else if (decision === 'approve') askForPin(holding, res);
    else if (decision === 'decline') await refuse(holding, 'declined', res);
    else if (decision === 'scenario' && isChoosable(scenario, job.request)) {
      job.scenario = scenario;
      if (isErrorScenario(scenario)) await refuse(holding, scenario, res);
      else askForPin(holding, res);
    } else if (decision === 'pin' && holding.agreed) await checkPin(holding, pin, res);
    else if (decision === 'give_up' && holding.agreed) await refuse(holding, gaveUp(holding), res);
    else if (decision === 'blocked' && holding.triesLeft === 0) await refuse(holding, 'card_blocked', res);
    else sendSandboxPage(res, 400, notices.noDecision);
  }

  /** Returns whether it is a card of the list; an empty name is the card from code. What was agreed to was another. */
  function chooseCard(holding: Holding, name: unknown): boolean {
    const isKnown = typeof name === 'string' && Object.hasOwn(peopleOn(service.clock()), name);
    if (isKnown) holding.person = choosePerson(name, service.clock(), 'person');
    else if (name === '') holding.person = holding.job.person;
    holding.agreed = false;
    return isKnown || name === '';
  }

  function askForPin(holding: Holding, res: Response): void {
    holding.agreed = true;
    delete holding.lastPin;
    res.redirect(303, `/holder/${holding.id}`);
  }

  async function checkPin(holding: Holding, pin: unknown, res: Response): Promise<void> {
    if (holding.triesLeft > 0 && pin === sandboxPin) {
      leave(holding, await holder.share(holding), res);
      return;
    }
    holding.lastPin = typeof pin === 'string' && /^[0-9]{6}$/.test(pin) ? 'wrong' : 'no_pin';
    if (holding.triesLeft > 0 && holding.lastPin === 'wrong') holding.triesLeft -= 1;
    leave(holding, undefined, res);
  }

  async function refuse(holding: Holding, scenario: Parameters<typeof holder.refuse>[1], res: Response) {
    leave(holding, await holder.refuse(holding, scenario), res);
  }

  function leave(holding: Holding, redirectUri: string | undefined, res: Response): void {
    res.redirect(303, redirectUri ?? `/holder/${holding.id}`);
  }
}

function gaveUp({ triesLeft }: Holding): 'declined' | 'wrong_pin' {
  return triesLeft < 3 ? 'wrong_pin' : 'declined';
}
