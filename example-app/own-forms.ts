import type { RequestHandler } from 'express';

/** Accepts a form only from a page of this app: the browser says where it came from. */
export const onlyOwnForms: RequestHandler = (req, res, next) => {
  const { 'sec-fetch-site': site, origin = '', host } = req.headers;
  const isSameOrigin =
    site === undefined ? origin.replace(/^https?:\/\//, '') === host : site === 'same-origin';
  if (isSameOrigin || req.method === 'GET' || req.method === 'HEAD') next();
  else res.status(403).type('text/plain').send('This form was not sent by a page of this site.\n');
};
