import { type RequestHandler, Router } from 'express';
import { textsOf } from '../language.js';
import { stories } from './home.js';
import { html } from './html.js';
import { show } from './layout.js';

/** The second way: for everybody without a wallet. */
const counter: RequestHandler = (req, res) => {
  const { counter: t, links } = textsOf(req);
  show(req, res, {
    title: t.title,
    lead: t.lead,
    body: html`<p>${t.hours}</p>
      <p>${t.door}</p>
      <p>${t.minors}</p>
      <p><a class="button" href="/">${links.start}</a></p>`,
  });
};

const questions: Readonly<Record<string, string>> = {
  default: '/identity/start',
  age: '/identity/start/age',
  vote: '/identity/start/vote',
  door: '/identity/start/door',
  erasure: '/identity/start/erasure',
};

/** Where `onSuccess` leads somebody whose card is not that of the account. All other ends are on pidgate's own pages. */
const otherPerson: RequestHandler = (req, res, next) => {
  const start = questions[String(req.params['question'])];
  const { otherPerson: t, frame } = textsOf(req);
  if (start === undefined) {
    next();
    return;
  }
  show(req, res, {
    title: t.title,
    lead: t.lead,
    body: html`<div class="actions">
      <a class="button" href="${start}">${t.ownCard}</a>
      <form method="post" action="/log-out"><button class="button other">${frame.logOut}</button></form>
    </div>`,
  });
};

const notFound: RequestHandler = (req, res) => {
  const { notFound: t, links } = textsOf(req);
  const body = html`${stories(req)}
    <p><a href="/">${links.start}</a></p>`;
  show(req, res.status(404), { ...t, body });
};

/** The second way, a card that does not fit the account, and all other addresses. */
export const otherPages = Router()
  .get('/counter', counter)
  .get('/other-person/:question', otherPerson)
  .use(notFound);
