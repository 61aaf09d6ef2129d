import type { RequestHandler } from 'express';
import { textsOf } from './language.js';
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
  const { otherSite, links } = textsOf(req);
  const body = html`<p><a class="button" href="/">${links.start}</a></p>`;
  show(req, res.status(403), { ...otherSite, body });
};
