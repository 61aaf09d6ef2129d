import express, { type ErrorRequestHandler, type Request, type Response, Router } from 'express';
import { asyncRoute } from './handlers.js';
import { type Asking, askPage, blockedPage, donePage, pinPage } from '../pages/holder.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import { isChoosable } from '../pages/scenario-choice.js';
import { choosePerson } from '../people/choose.js';
import { type PersonName, peopleOn } from '../people/people.js';
import { isScenario } from '../scenarios/catalogue.js';
import { isErrorScenario } from '../service/error-callback.js';
import type { Service } from '../service/service.js';
import { type Holding, holderOf, sandboxPin } from '../wallet/built-in-wallet.js';
import { WalletRefusal, linkIn } from '../wallet/wallet.js';

/** The pages of the built-in wallet. */
export function holderRoute(service: Service): Router {
  const holder = holderOf(service);
  const router = Router();
  const readForm = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });

  router.get(
    '/holder',
    asyncRoute(async (req, res) => {
      const holding = await holder.open(linkIn(new URL(req.url, service.url).searchParams));
      if (holding === undefined) sendSandboxPage(res, 404, notices.gone);
      else res.redirect(303, `/holder/${holding.id}`);
    }),
  );
  router.get('/holder/:id', (req, res) => {
    const holding = holder.find(req.params.id);
    if (holding === undefined) sendSandboxPage(res, 404, notices.gone);
    else renderHolding(holding, res);
  });
  router.post(
    '/holder/:id',
    readForm,
    asyncRoute(async (req, res) => {
      const holding = holder.find(String(req.params['id']));
      if (holding === undefined) sendSandboxPage(res, 404, notices.gone);
      else if (holding.done !== undefined || hasExpired(holding)) renderHolding(holding, res);
      else await continueHolding(holding, req, res);
    }),
  );
  router.use('/holder', ((error: unknown, _req, res, next) => {
    if (error instanceof WalletRefusal) sendSandboxPage(res, 409, notices.walletStops(error.message));
    else next(error);
  }) satisfies ErrorRequestHandler);
  return router;

  function renderHolding(holding: Holding, res: Response, wrongPin = false): void {
    const { job, request, done, agreed, triesLeft } = holding;
    if (done !== undefined) sendSandboxPage(res, 200, donePage(done.shared));
    else if (hasExpired(holding)) sendSandboxPage(res, 410, notices.expired(job, 'wallet'));
    else if (triesLeft === 0) sendSandboxPage(res, 200, blockedPage);
    else if (agreed) sendSandboxPage(res, 200, pinPage(sandboxPin, triesLeft, wrongPin));
    else {
      const people = peopleOn(service.clock());
      const { person } = job;
      sendSandboxPage(
        res,
        200,
        askPage({
          job,
          clientId: request.clientId,
          people,
          chosen: nameOf(people, person),
          person,
          variant: service.variant,
        }),
      );
    }
  }

  function hasExpired({ job }: Holding): boolean {
    return job.expiresAt <= service.clock().getTime();
  }

  async function continueHolding(holding: Holding, req: Request, res: Response): Promise<void> {
    const { decision, person, scenario, pin } = (req.body ?? {}) as Record<string, unknown>;
    const { job } = holding;
    const { agreed } = holding;
    const chooses =
      !agreed && (decision === 'person' || (decision === 'approve' && typeof person === 'string'));
    if (chooses && !choosePersonFor(holding, person)) sendSandboxPage(res, 400, notices.noDecision);
    else if (decision === 'person' && !agreed) res.redirect(303, `/holder/${holding.id}`);
    else if (decision === 'approve' && isErrorScenario(job.scenario))
      await refuse(holding, job.scenario, res);
    else if (decision === 'approve') askForPin(holding, res);
    else if (decision === 'decline') await refuse(holding, 'declined', res);
    else if (decision === 'scenario' && isScenario(scenario) && isChoosable(scenario, job.request)) {
      job.scenario = scenario;
      if (isErrorScenario(scenario)) await refuse(holding, scenario, res);
      else askForPin(holding, res);
    } else if (decision === 'pin' && holding.agreed) await checkPin(holding, pin, res);
    else if (decision === 'give_up' && holding.agreed) await refuse(holding, gaveUp(holding), res);
    else if (decision === 'blocked' && holding.triesLeft === 0) await refuse(holding, 'card_blocked', res);
    else sendSandboxPage(res, 400, notices.noDecision);
  }

  /** Returns whether it is a card of the list; an empty name is the card that is there. */
  function choosePersonFor(holding: Holding, person: unknown): boolean {
    const known = typeof person === 'string' && Object.hasOwn(peopleOn(service.clock()), person);
    if (known) holding.job.person = choosePerson(person, service.clock(), 'person');
    return known || person === '';
  }

  function askForPin(holding: Holding, res: Response): void {
    holding.agreed = true;
    res.redirect(303, `/holder/${holding.id}`);
  }

  async function checkPin(holding: Holding, pin: unknown, res: Response): Promise<void> {
    if (holding.triesLeft === 0) renderHolding(holding, res);
    else if (pin === '' || pin === undefined)
      renderHolding(holding, res); // no try
    else if (pin === sandboxPin) leave(holding, await holder.share(holding), res);
    else {
      holding.triesLeft -= 1;
      renderHolding(holding, res, true);
    }
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

function nameOf(people: Asking['people'], person: unknown): PersonName | undefined {
  const same = JSON.stringify(person);
  return (Object.keys(people) as PersonName[]).find((name) => JSON.stringify(people[name].person) === same);
}
