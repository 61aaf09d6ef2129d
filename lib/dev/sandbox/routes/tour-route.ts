import { type Request, type Response, Router } from 'express';
import { sendSandboxPage } from '../pages/layout.js';
import { homePage } from '../pages/home.js';
import { notices } from '../pages/notices.js';
import { choosePerson } from '../people/choose.js';
import type { Job } from '../service/jobs.js';
import type { Service } from '../service/service.js';
import { tour, tourStart } from '../service/tour.js';

const cookie = 'pidgate_sandbox_try';
const tenMinutes = 600;

/** A stop of the tour: the browser goes to the app's own start, and remembers who it will be at the wallet. */
export function tourRoute(service: Service): Router {
  const router = Router();
  router.get('/try/:stop', (req, res) => {
    const stop = tour.find(({ id }) => id === req.params.stop);
    const start = tourStart(service);
    if (stop === undefined) sendSandboxPage(res, 404, notices.nothingHere);
    else if (start === undefined) sendSandboxPage(res, 409, homePage(service, undefined));
    else {
      remember(res, stop.id, tenMinutes);
      res.redirect(303, start);
    }
  });
  return router;
}

/** On the first page of a request, the browser of somebody on the tour says who is there. */
export function boardTour(
  { headers }: Request,
  res: Response,
  job: Job,
  { clock }: Pick<Service, 'clock'>,
): void {
  const [, id] = new RegExp(`\\b${cookie}=([a-z]+)`).exec(headers.cookie ?? '') ?? [];
  const stop = tour.find((it) => it.id === id);
  if (stop === undefined) return;
  remember(res, '', 0);
  if (job.answer !== undefined || job.flow.stop !== undefined) return;
  job.person = choosePerson(stop.person, clock(), 'person');
  job.scenario = stop.scenario;
  job.planned = stop.scenario;
  job.flow.stop = stop.id;
}

function remember(res: Response, stop: string, seconds: number): void {
  res.append('Set-Cookie', `${cookie}=${stop}; Path=/wallet/; Max-Age=${seconds}; HttpOnly; SameSite=Lax`);
}
