import { type Request, type Response, Router } from 'express';
import { advance } from './advance.js';
import type { Bridge } from './bridge.js';
import { isOwner } from './owner.js';
import { elsewherePage, gonePage, refusedPage, sendingPage } from './pages/notices.js';
import { sendPage } from './pages/layout.js';
import { waitingPage } from './pages/waiting.js';

const cancelled = { error: 'user_cancelled', error_description: 'The person cancelled.' };

/** Towards the person: the page of a job. Whoever asks for it drives the job on. */
export function verifyRoutes(bridge: Bridge): Router {
  const { jobs, publicUrl, log } = bridge;
  const router = Router();

  router.get('/verify/:id', async (req, res) => {
    if (req.method === 'HEAD' || req.get('sec-purpose') !== undefined) {
      res.status(204).end(); // what only looks ahead shall not own the page
      return;
    }
    const { id } = req.params;
    if (!(await lookIn(req, res))) return;
    const { response_code: code } = req.query;
    const stage = await advance(bridge, id, typeof code === 'string' ? code : undefined);
    const job = (await jobs.read(id))?.job;
    if (job === undefined || stage === undefined) sendPage(res, 404, gonePage);
    else if (stage === 'waiting') sendPage(res, 200, waitingPage(job, bridge.now()));
    else if (stage === 'sending') sendPage(res, 202, sendingPage(job));
    else if ('redirectUri' in stage) res.redirect(303, stage.redirectUri);
    else sendPage(res, 502, refusedPage(job));
  });

  router.post('/verify/:id', async (req, res) => {
    const { id } = req.params;
    if (!(await lookIn(req, res))) return;
    for (;;) {
      const stored = await jobs.read(id);
      if (stored === undefined || stored.job.answer !== undefined) break;
      if ((await jobs.change(stored, { answer: cancelled, hooked: undefined })) === undefined) continue;
      log(id, 'cancelled');
      break;
    }
    res.redirect(303, `${publicUrl}/verify/${id}`);
  });
  return router;

  /** Lets in the browser that the page belongs to; every other one is told so. */
  async function lookIn(req: Request<{ id: string }>, res: Response): Promise<boolean> {
    for (;;) {
      const stored = await jobs.read(req.params.id);
      const isLetIn = stored && (await isOwner(bridge, stored, req, res));
      if (stored === undefined) sendPage(res, 404, gonePage);
      else if (isLetIn === false) sendPage(res, 403, elsewherePage(stored.job));
      else if (isLetIn === 'read again') continue;
      return isLetIn === true;
    }
  }
}
