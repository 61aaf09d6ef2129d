import { type Request, type Response, Router } from 'express';
import { advance } from './advance.js';
import type { Bridge } from './bridge.js';
import { nameOf } from './log.js';
import { ownerOf } from './owner.js';
import { sendOn, sendPage } from './pages/layout.js';
import {
  cameBackElsewherePage,
  elsewherePage,
  gonePage,
  noCookiesPage,
  refusedPage,
  sendingPage,
} from './pages/notices.js';
import { textsFor } from './pages/texts.js';
import { waitingPage } from './pages/waiting.js';

const cancelled = { error: 'user_cancelled', error_description: 'The person cancelled.' };

/** Towards the person: the page of a job. Whoever asks for it drives the job on. */
export function verifyRoutes(bridge: Bridge): Router {
  const { jobs, publicUrl, log, metrics, verifier } = bridge;
  const router = Router();

  router.get('/verify/:id', async (req, res) => {
    if (req.method === 'HEAD' || req.get('sec-purpose') !== undefined) {
      res.status(204).end(); // what only looks ahead shall not own the page
      return;
    }
    const { id } = req.params;
    if (!(await lookIn(req, res))) return;
    const stage = await advance(bridge, id, codeOf(req));
    const [job, texts] = [(await jobs.read(id))?.job, textsFor(req)];
    if (job === undefined || stage === undefined) sendPage(res, 404, gonePage(texts));
    else if (stage === 'waiting')
      sendPage(res, 200, waitingPage(texts, job, bridge.now(), verifier.givesRequestOnce));
    else if (stage === 'on its way') sendPage(res, 202, sendingPage(texts, job));
    else if ('redirectUri' in stage) sendOn(res, stage.redirectUri);
    else sendPage(res, 502, refusedPage(texts, job));
  });

  router.post('/verify/:id', async (req, res) => {
    const { id } = req.params;
    if (!(await lookIn(req, res))) return;
    for (;;) {
      const stored = await jobs.read(id);
      if (stored === undefined || stored.job.answer !== undefined) break;
      if ((await jobs.change(stored, { answer: cancelled, hooked: undefined })) === undefined) continue;
      log.info({ job: nameOf(id), answer: cancelled.error }, 'answered');
      metrics.answer(cancelled.error);
      break;
    }
    res.redirect(303, `${publicUrl}/verify/${id}`);
  });
  return router;

  /** Lets in the browser that the page belongs to; every other one is told what to do. */
  async function lookIn(req: Request<{ id: string }>, res: Response): Promise<boolean> {
    const texts = textsFor(req);
    for (;;) {
      const stored = await jobs.read(req.params.id);
      if (stored === undefined) {
        sendPage(res, 404, gonePage(texts));
        return false;
      }
      const owner = await ownerOf(bridge, stored, req, res);
      if (owner === 'this') return true;
      if (owner === 'read again') continue;
      if (owner === 'asks again') {
        const query = new URLSearchParams({ ...(req.query as Record<string, string>), again: '1' });
        res.redirect(303, `${publicUrl}/verify/${stored.job.id}?${query.toString()}`);
      } else if (owner === 'keeps no cookies') sendPage(res, 403, noCookiesPage(texts));
      else if (codeOf(req) !== undefined) sendPage(res, 403, cameBackElsewherePage(texts, stored.job));
      else sendPage(res, 403, elsewherePage(texts, stored.job));
      return false;
    }
  }
}

/** What a wallet of the same device has given the browser. */
function codeOf({ query }: Request<{ id: string }>): string | undefined {
  const { response_code: code } = query;
  return typeof code === 'string' ? code : undefined;
}
