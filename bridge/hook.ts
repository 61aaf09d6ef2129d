import express, { Router } from 'express';
import type { Bridge } from './bridge.js';
import { sha256 } from './seal.js';

/** Where a verifier posts the proof that it does not keep. It is stored, and the page goes on from there. */
export function hookRoute({ jobs, log }: Bridge): Router {
  const router = Router();
  const readBody = express.text({ type: () => true, limit: '512kb', inflate: false });

  router.post('/hook/:name', readBody, async (req, res) => {
    for (;;) {
      const stored = await jobs.readNamed(req.params.name);
      const isLetIn = sha256(req.get('x-bridge-key') ?? '') === sha256(stored?.job.hookKey ?? '');
      if (stored === undefined || !isLetIn) {
        res.status(404).json({});
        return;
      }
      const { id, hooked, answer } = stored.job;
      if (hooked === undefined && answer === undefined) {
        if ((await jobs.change(stored, { hooked: String(req.body) })) === undefined) continue;
        log(id, 'the verifier has sent what the wallet answered');
      }
      res.json({});
      return;
    }
  });
  return router;
}
