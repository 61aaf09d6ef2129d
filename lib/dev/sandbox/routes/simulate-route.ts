import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { IdentityError } from '../../../errors.js';
import { asyncRoute, streamChanges } from './handlers.js';
import { sendSandboxPage } from '../pages/layout.js';
import { type Run, runPage, simulatePage, stageOf } from '../pages/simulation.js';
import { notices } from '../pages/notices.js';
import { scenarios } from '../scenarios/catalogue.js';
import { newId } from '../service/ids.js';
import { shrink } from '../service/jobs.js';
import type { Service } from '../service/service.js';
import { AppUnreachable } from '../simulator/browser.js';
import type { createMutex } from '../simulator/mutex.js';
import { checkPlan, type SimulatedScenario, simulate } from '../simulator/simulate.js';

const planSchema = z.strictObject({
  url: z.string(),
  scenarios: z.array(z.string()).max(100).default([]),
  confirmed: z.boolean().default(false),
  expectMinor: z.literal('refused').optional(),
});

/** The catalogue, and the robot that plays it: as a page for people, as lines of JSON for `pidgate simulate`. */
export function simulateRoute(service: Service, oneAtATime: ReturnType<typeof createMutex>): Router {
  const router = Router();
  const runs = new Map<string, RunUnderWay>();
  const form = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });
  const json = express.json({ limit: '16kb', inflate: false });
  router.get('/simulate', (req, res) => {
    if (req.accepts(['html', 'json']) === 'json') res.json(scenarios);
    else sendSandboxPage(res, 200, simulatePage(suggested()));
  });
  router.get('/simulate/:run', (req, res) => {
    const run = runs.get(req.params.run);
    if (run === undefined) sendSandboxPage(res, 404, notices.nothingHere);
    else sendSandboxPage(res, 200, runPage(run));
  });
  router.get('/simulate/:run/changes', (req, res) => {
    const run = runs.get(req.params.run);
    if (run === undefined) {
      res.status(404).type('text/plain').send('No such run.\n');
      return;
    }
    streamChanges(res, req.query['seen'] !== stageOf(run), (tell) => {
      run.watchers.add(tell);
      return () => run.watchers.delete(tell);
    });
  });
  router.post(
    '/simulate',
    json,
    form,
    asyncRoute(async (req, res) => {
      if (req.is('application/json')) await sendLines(req, res);
      else startRun(req, res);
    }),
  );
  return router;

  /** Pages whose guard was seen; without any, the home page. */
  function suggested(): readonly [string, ...string[]] {
    const [first, ...others] = service.app.guarded.map(({ url }) => url);
    if (first !== undefined) return [first, ...others];
    const { redirectUrl } = service.accounts.working;
    return [redirectUrl === undefined ? 'http://localhost:3000/' : new URL('/', redirectUrl).href];
  }

  /** The run goes on by itself; its page loads itself again as it does. */
  function startRun(req: Request, res: Response): void {
    const { url, scenario } = (req.body ?? {}) as Record<string, unknown>;
    const chosen = typeof scenario === 'string' && scenario !== '' ? [scenario] : [];
    // A field that came twice is no address.
    const plan = { url: typeof url === 'string' ? url : '', scenarios: chosen };
    try {
      checkPlan(plan);
    } catch (error) {
      if (!(error instanceof IdentityError)) throw error;
      sendSandboxPage(res, 400, simulatePage([plan.url], error.message));
      return;
    }
    const run: RunUnderWay = { id: newId(), url: plan.url, rows: [], done: false, watchers: new Set() };
    runs.set(run.id, run);
    shrink(runs, maxRuns);
    const add = (row: SimulatedScenario): void => {
      const before = stageOf(run);
      run.rows.push(row);
      if (stageOf(run) !== before) tellRun(run);
    };
    void play(plan, add, service.signal)
      .catch(() => 'The sandbox failed.')
      .then((problem) => {
        run.problem = problem;
        run.done = true;
      })
      .finally(() => tellRun(run));
    res.redirect(303, `/simulate/${run.id}`);
  }

  async function sendLines(req: Request, res: Response): Promise<void> {
    const plan = planSchema.safeParse(req.body);
    if (!plan.success) {
      res.status(400).json({ error: 'The body must be {url, scenarios?, confirmed?, expectMinor?}.' });
      return;
    }
    const write = (line: object): void => {
      // From Node 26 on, readline ends a line at these as well.
      const text = JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
      res.write(`${text}\n`);
    };
    res.type('application/x-ndjson');
    const gone = new AbortController();
    res.once('close', () => gone.abort()); // nobody waits any more
    const problem = await play(plan.data, write, gone.signal);
    if (problem !== undefined) write({ problem });
    res.end();
  }

  /** Returns what made it impossible, if anything did. */
  async function play(
    plan: Parameters<typeof simulate>[1],
    tell: (row: SimulatedScenario) => unknown,
    until: AbortSignal,
  ): Promise<string | undefined> {
    try {
      await oneAtATime(async () => {
        for await (const row of simulate(service, plan)) {
          if (until.aborted) return;
          tell(row);
        }
      });
      return undefined;
    } catch (error) {
      if (error instanceof IdentityError || error instanceof AppUnreachable) return error.message;
      throw error;
    }
  }
}

/** A run whose page may be open. */
interface RunUnderWay extends Run {
  readonly rows: SimulatedScenario[];
  readonly watchers: Set<() => void>;
  done: boolean;
  problem?: string | undefined;
}

const maxRuns = 5;

function tellRun({ watchers }: RunUnderWay): void {
  for (const tell of watchers) tell();
}
