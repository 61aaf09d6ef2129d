import type { RequestHandler } from 'express';

/** A form counts only when a page of this app sent it: the browser tells where it came from. */
export const onlyOwnForms: RequestHandler = (req, res, next) => {
  const { 'sec-fetch-site': site, origin = '', host } = req.headers;
  const own = site === undefined ? origin.replace(/^https?:\/\//, '') === host : site === 'same-origin';
  if (own || req.method === 'GET' || req.method === 'HEAD') next();
  else res.status(403).type('text/plain').send('This form was not sent by a page of this site.\n');
};
