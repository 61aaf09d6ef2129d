import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { IdentityError } from '../../../errors.js';
import { asyncRoute } from './handlers.js';
import { sendSandboxPage } from '../pages/layout.js';
import {
  scenariosPage,
  simulatePage,
  simulationParts,
  simulationRow,
  simulationSummary,
} from '../pages/simulation.js';
import { scenarios } from '../scenarios/catalogue.js';
import type { Service } from '../service/service.js';
import { AppUnreachable } from '../simulator/browser.js';
import type { createMutex } from '../simulator/mutex.js';
import { type SimulatedScenario, simulate } from '../simulator/simulate.js';

const planSchema = z.strictObject({
  url: z.string(),
  scenarios: z.array(z.string()).max(100).default([]),
  confirmed: z.boolean().default(false),
});

/** The catalogue, and the robot that plays it: as a page for people, as lines of JSON for `pidgate simulate`. */
export function simulateRoute(service: Service, oneAtATime: ReturnType<typeof createMutex>): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });
  const json = express.json({ limit: '16kb', inflate: false });
  router.get('/scenarios', (req, res) => {
    if (req.accepts(['json', 'html']) === 'html') sendSandboxPage(res, 200, scenariosPage());
    else res.json(scenarios);
  });
  router.get('/simulate', (req, res) => {
    sendSandboxPage(res, 200, simulatePage(suggested(), req.query['scenario']));
  });
  router.post(
    '/simulate',
    json,
    form,
    asyncRoute(async (req, res) => {
      if (req.is('application/json')) await sendLines(req, res);
      else await sendResult(req, res);
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

  async function sendResult(req: Request, res: Response): Promise<void> {
    const { url = '', scenario } = (req.body ?? {}) as Record<string, unknown>;
    const chosen = typeof scenario === 'string' && scenario !== '' ? [scenario] : [];
    const plan = { url: String(url), scenarios: chosen };
    const rows: SimulatedScenario[] = [];
    const problem = await play(
      plan,
      (row) => {
        if (rows.length === 0) res.status(200).type('html').write(simulationParts(plan.url).start);
        rows.push(row);
        res.write(simulationRow(row).markup);
      },
      res,
    );
    if (rows.length > 0) {
      res.end(simulationSummary(rows, problem).markup + simulationParts(plan.url).end);
    } else sendSandboxPage(res, 400, simulatePage([plan.url], scenario, problem));
  }

  async function sendLines(req: Request, res: Response): Promise<void> {
    const plan = planSchema.safeParse(req.body);
    if (!plan.success) {
      res.status(400).json({ error: 'The body must be {url, scenarios?, confirmed?}.' });
      return;
    }
    const write = (line: object): void => {
      // From Node 26 on, readline ends a line at these as well.
      const text = JSON.stringify(line).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');
      res.write(`${text}\n`);
    };
    res.type('application/x-ndjson');
    const problem = await play(plan.data, write, res);
    if (problem !== undefined) write({ problem });
    res.end();
  }

  /** Returns what made it impossible, if anything did. */
  async function play(
    plan: Parameters<typeof simulate>[1],
    tell: (row: SimulatedScenario) => unknown,
    res: Response,
  ): Promise<string | undefined> {
    try {
      await oneAtATime(async () => {
        for await (const row of simulate(service, plan)) {
          if (res.destroyed) return; // nobody waits any more
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
