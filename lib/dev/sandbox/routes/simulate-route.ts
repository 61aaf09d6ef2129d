import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { IdentityError } from '../../../errors.js';
import { asyncRoute } from '../http/async-route.js';
import { sendSandboxPage } from '../pages/layout.js';
import { simulatePage, simulatedPage } from '../pages/simulate.js';
import { scenarios } from '../scenarios/catalogue.js';
import type { Service } from '../service/service.js';
import { AppUnreachable } from '../simulator/browser.js';
import type { inTurn } from '../simulator/mutex.js';
import { type SimulatedScenario, simulate } from '../simulator/simulate.js';

const planSchema = z.strictObject({
  url: z.string(),
  scenarios: z.array(z.string()).max(100).default([]),
  confirmed: z.boolean().default(false),
});

/** The catalogue, and the robot that plays it: as a page for people, as lines of JSON for `pidgate simulate`. */
export function simulateRoute(service: Service, oneAtATime: ReturnType<typeof inTurn>): Router {
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: '4kb', inflate: false, parameterLimit: 16 });
  const json = express.json({ limit: '16kb', inflate: false });
  router.get('/scenarios', (_req, res) => {
    res.json(scenarios);
  });
  router.get('/simulate', (_req, res) => {
    sendSandboxPage(res, 200, simulatePage(suggested()));
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

  function suggested(): string {
    const { redirectUrl } = service.accounts.working;
    return redirectUrl === undefined ? 'http://localhost:3000/' : new URL('/', redirectUrl).href;
  }

  async function sendResult(req: Request, res: Response): Promise<void> {
    const { url = '', scenario } = (req.body ?? {}) as Record<string, unknown>;
    const chosen = typeof scenario === 'string' && scenario !== '' ? [scenario] : [];
    const rows: SimulatedScenario[] = [];
    const problem = await play({ url: String(url), scenarios: chosen }, (row) => rows.push(row));
    if (problem === undefined) sendSandboxPage(res, 200, simulatedPage(String(url), rows));
    else sendSandboxPage(res, 400, simulatePage(String(url), problem));
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
    const problem = await play(plan.data, write);
    if (problem !== undefined) write({ problem });
    res.end();
  }

  /** Returns what made it impossible, if anything did. */
  async function play(
    plan: Parameters<typeof simulate>[1],
    tell: (row: SimulatedScenario) => unknown,
  ): Promise<string | undefined> {
    try {
      await oneAtATime(async () => {
        for await (const row of simulate(service, plan)) tell(row);
      });
      return undefined;
    } catch (error) {
      if (error instanceof IdentityError || error instanceof AppUnreachable) return error.message;
      throw error;
    }
  }
}
