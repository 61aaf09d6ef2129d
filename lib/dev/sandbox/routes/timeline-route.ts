import { Router } from 'express';
import { streamChanges } from '../http/event-stream.js';
import { flowPage } from '../pages/flow.js';
import { homePage } from '../pages/home.js';
import { sendSandboxPage } from '../pages/layout.js';
import { notices } from '../pages/notices.js';
import type { Service } from '../service/service.js';

/** The sandbox's home, and a page for each verification of this run. */
export function timelineRoute(service: Service): Router {
  const { timeline } = service;
  const router = Router();
  router.get('/', (_req, res) => {
    sendSandboxPage(res, 200, homePage(service));
  });
  router.get('/changes', (req, res) => {
    const stale = req.query['seen'] !== (timeline.flows[0]?.id ?? '');
    streamChanges(res, stale, (tell) => timeline.watch(tell));
  });
  router.get('/timeline/:id', (req, res) => {
    const flow = timeline.find(req.params.id);
    if (flow === undefined) sendSandboxPage(res, 404, notices.gone());
    else sendSandboxPage(res, 200, flowPage(flow));
  });
  router.get('/timeline/:id/changes', (req, res) => {
    const flow = timeline.find(req.params.id);
    if (flow === undefined) {
      res.status(404).type('text/plain').send('No such verification.\n');
      return;
    }
    streamChanges(res, req.query['seen'] !== `${flow.messages.length}`, (tell) => flow.watch(tell));
  });
  router.get('/timeline/:id/curl', (req, res) => {
    const flow = timeline.find(req.params.id);
    if (flow?.curl === undefined) sendSandboxPage(res, 404, notices.gone());
    else res.type('text/plain').send(flow.curl);
  });
  return router;
}
