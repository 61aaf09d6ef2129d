import { Router } from 'express';
import { streamChanges } from './handlers.js';
import { errorCodePage } from '../pages/error-code.js';
import { flowPage } from '../pages/flow.js';
import { homePage } from '../pages/home.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import type { Service } from '../service/service.js';

/** The sandbox's home, a page for each verification of this run, and one for each error code. */
export function timelineRoute(service: Service): Router {
  const { timeline } = service;
  const router = Router();
  router.get('/', (req, res) => {
    sendSandboxPage(res, 200, homePage(service, req.query['show']));
  });
  router.get('/changes', (req, res) => {
    const stale = req.query['seen'] !== timeline.version;
    streamChanges(res, stale, (tell) => timeline.watch(tell));
  });
  router.get('/timeline/:id', (req, res) => {
    const flow = timeline.find(req.params.id);
    if (flow === undefined) sendSandboxPage(res, 404, notices.noFlow);
    else sendSandboxPage(res, 200, flowPage(flow));
  });
  router.get('/timeline/:id/changes', (req, res) => {
    const flow = timeline.find(req.params.id);
    if (flow === undefined) {
      res.status(404).type('text/plain').send('No such verification.\n');
      return;
    }
    streamChanges(res, req.query['seen'] !== flow.version, (tell) => flow.watch(tell));
  });
  router.get('/errors/:code', (req, res) => {
    const page = errorCodePage(req.params.code);
    if (page === undefined) sendSandboxPage(res, 404, notices.nothingHere);
    else sendSandboxPage(res, 200, page);
  });
  return router;
}
