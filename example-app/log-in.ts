import { type Request, type RequestHandler, Router } from 'express';
import { textsOf } from './language.js';
import { regularWith } from './members.js';
import { type Html, html } from './pages/html.js';
import { show } from './pages/layout.js';

/** A condition before anything else: ordinary middleware. After the login the person returns to the page that required it. */
export const membersOnly: RequestHandler = (req, res, next) => {
  if (req.session.member !== undefined) next();
  else res.redirect(303, `/log-in?next=${encodeURIComponent(wanted(req.originalUrl.split('?')[0]))}`);
};

const logInPage: RequestHandler = (req, res) => {
  const { logIn: t, links } = textsOf(req);
  show(req, res, {
    title: t.title,
    lead: t.lead,
    body: html`<div class="split">
      ${logInCard(req, wanted(req.query['next']))}
      <section>
        <h2>${t.notYet}</h2>
        <p>${t.join}</p>
        <p><a class="button other" href="/membership">${links.join}</a></p>
        <p><a href="/counter">${t.counter}</a></p>
      </section>
    </div>`,
  });
};

export function logInCard(req: Request, next = '/'): Html {
  const { logIn: t } = textsOf(req);
  return html`<section class="card">
    <h2>${t.card}</h2>
    <p>${t.two}</p>
    <form class="stack" method="post" action="/log-in">
      <input type="hidden" name="next" value="${next}" />
      <button class="button other" name="person" value="erika">${t.erika}</button>
      <button class="button other" name="person" value="max">${t.max}</button>
    </form>
    <p class="soft">${t.wallet} ${t.afresh}</p>
  </section>`;
}

/** A new session for every log-in, so that nothing of the person before is left. */
const logIn: RequestHandler = (req, res, next) => {
  const { person, next: page } = (req.body ?? {}) as { person?: unknown; next?: unknown };
  const member = regularWith(person);
  if (member === undefined) {
    res.redirect(303, '/log-in');
    return;
  }
  req.session.regenerate((fault: unknown) => {
    if (fault) {
      next(fault);
      return;
    }
    req.session.member = member;
    req.session.save((unsaved: unknown) => {
      if (unsaved) next(unsaved);
      else res.redirect(303, wanted(page));
    });
  });
};

/** Ends the session. What was kept from verifications goes with it. */
const logOut: RequestHandler = (req, res, next) => {
  req.session.destroy((fault: unknown) => {
    if (fault) next(fault);
    else res.redirect(303, '/');
  });
};

/** Only to a page that a log-in is asked for: any other address leads home. */
function wanted(page: unknown): string {
  if (page === '/identity/start/vote') return '/voting-card';
  if (page === '/identity/start/door') return '/door';
  return typeof page === 'string' && ['/voting-card', '/door', '/membership'].includes(page) ? page : '/';
}

export const logInPages = Router().get('/log-in', logInPage).post('/log-in', logIn).post('/log-out', logOut);
