import type { RequestHandler } from 'express';
import { sayTo } from './language.js';
import { html } from './pages/html.js';
import { show } from './pages/layout.js';

/** Accepts a form only from a page of this app: the browser says where it came from. */
export const onlyOwnForms: RequestHandler = (req, res, next) => {
  const { 'sec-fetch-site': site, origin = '', host } = req.headers;
  const isSameOrigin =
    site === undefined ? origin.replace(/^https?:\/\//, '') === host : site === 'same-origin';
  if (isSameOrigin || req.method === 'GET' || req.method === 'HEAD') {
    next();
    return;
  }
  const say = sayTo(req);
  show(req, res.status(403), {
    title: say('This form came from another site', 'Dieses Formular kam von einer anderen Website'),
    lead: say('Nothing has changed.', 'Es hat sich nichts geändert.'),
    body: html`<p><a class="button" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`,
  });
};
