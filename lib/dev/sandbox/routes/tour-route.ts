import { type Request, type Response, Router } from 'express';
import { asyncRoute } from './handlers.js';
import { sendSandboxPage } from '../pages/layout.js';
import { homePage } from '../pages/home.js';
import { notices } from '../pages/notices.js';
import { type Act, playedPage } from '../pages/play.js';
import { choosePerson } from '../people/choose.js';
import type { Job } from '../service/jobs.js';
import type { Service } from '../service/service.js';
import { type TourStop, tour, tourStart } from '../service/tour.js';
import { afresh } from '../start-afresh.js';
import { AppUnreachable, createAgent } from '../simulator/browser.js';
import type { createMutex } from '../simulator/mutex.js';
import { whyNotStarted } from '../simulator/verdict.js';
import { walk } from '../simulator/walk.js';

const cookie = 'pidgate_sandbox_try';
const tenMinutes = 600;

/** A yes, a no and a forgery: played by the robot, or each by somebody in a browser. */
export function tourRoute(service: Service, oneAtATime: ReturnType<typeof createMutex>): Router {
  const router = Router();
  let acts: readonly Act[] = [];
  router.post(
    '/play',
    asyncRoute(async (_req, res) => {
      const start = tourStart(service);
      if (start === undefined) {
        sendSandboxPage(res, 409, homePage(service, undefined));
        return;
      }
      acts = await oneAtATime(async () => {
        const played: Act[] = [];
        for (const stop of tour) played.push(await play(service, stop, start));
        return played;
      });
      res.redirect(303, '/play');
    }),
  );
  router.get('/play', (_req, res) => {
    if (acts.length === 0) res.redirect(303, '/');
    else sendSandboxPage(res, 200, playedPage(acts, service));
  });
  // The browser goes to the app's own start, and remembers who it will be at the wallet.
  router.get('/try/:stop', (req, res) => {
    const stop = tour.find(({ id }) => id === req.params.stop);
    const start = tourStart(service);
    if (stop === undefined) sendSandboxPage(res, 404, notices.nothingHere);
    else if (start === undefined) sendSandboxPage(res, 409, homePage(service, undefined));
    else {
      remember(res, stop.id, tenMinutes);
      res.redirect(303, service.app.questions.length === 0 ? start : afresh(start));
    }
  });
  return router;
}

/** Walks through the app with a browser of its own, which nobody has been in. */
async function play(service: Service, stop: TourStop, start: string): Promise<Act> {
  const { scenario } = stop;
  const person = choosePerson(stop.person, service.clock(), 'person');
  try {
    const agent = createAgent(new URL(start).origin);
    const {
      job,
      last,
      error,
      start: begun,
    } = await walk(service, agent, { start, scenario, person, robot: true });
    if (job === undefined) return { stop, problem: whyNotStarted(begun, error) };
    const page = { path: new URL(last.url).pathname, opened: last.response.ok };
    return { stop, flow: job.flow, page };
  } catch (error) {
    if (error instanceof AppUnreachable) return { stop, problem: error.message };
    throw error;
  }
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
