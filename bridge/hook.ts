import express, { type Request, Router } from 'express';
import type { Bridge } from './bridge.js';
import { nameOf } from './log.js';
import type { StoredJob } from './jobs.js';
import { sha256 } from './seal.js';
import { readHook } from './verifiers/eudiplo-hook.js';

/** Where a verifier posts the proof that it does not keep. It is stored, and the page goes on from there. */
export function hookRoute({ jobs, log }: Bridge): Router {
  const router = Router();
  const readBody = express.text({ type: () => true, limit: '512kb', inflate: false });

  router.post('/hook/:name', async (req, res, next) => {
    if ((await find(req)) === undefined) res.set('Connection', 'close').status(404).json({});
    else next(); // before that, nothing of the body is read
  });
  router.post('/hook/:name', readBody, async (req, res) => {
    const body = String(req.body);
    for (;;) {
      const stored = await find(req);
      if (stored !== undefined && readHook(body)?.session === stored.job.request.id && !isAnswered(stored)) {
        if ((await jobs.change(stored, { hooked: body })) === undefined) continue;
        log.info({ job: nameOf(stored.job.id) }, 'the verifier has posted the proof');
      }
      res.json({});
      return;
    }
  });
  return router;

  /** The job, for whoever has its key. */
  async function find(req: Request<{ name: string }>): Promise<StoredJob | undefined> {
    const stored = await jobs.readNamed(req.params.name);
    const isLetIn = sha256(req.get('x-bridge-key') ?? '') === sha256(stored?.job.hookKey ?? '');
    return isLetIn ? stored : undefined;
  }
}

const isAnswered = ({ job: { hooked, answer } }: StoredJob): boolean =>
  hooked !== undefined || answer !== undefined;
