import express, { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { IdentityError } from '../../../errors.js';
import { asyncRoute } from './handlers.js';
import type { Service } from '../service/service.js';
import { AppUnreachable } from '../simulator/browser.js';
import type { createMutex } from '../simulator/mutex.js';
import { type SimulatedScenario, simulate } from '../simulator/simulate.js';

const planSchema = z.strictObject({
  url: z.string(),
  scenarios: z.array(z.string()).max(100).default([]),
  confirmed: z.boolean().default(false),
  expectMinor: z.literal('refused').optional(),
});

/** The robot that plays the catalogue, in lines of JSON for `pidgate simulate`. */
export function simulateRoute(service: Service, oneAtATime: ReturnType<typeof createMutex>): Router {
  const router = Router();
  const json = express.json({ limit: '16kb', inflate: false });
  router.post('/simulate', json, asyncRoute(sendLines));
  return router;

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
