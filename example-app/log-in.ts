import { type Request, type RequestHandler, Router } from 'express';
import type { Identity } from './identity.js';
import { sayTo } from './language.js';
import { regularOf } from './members.js';
import { linesOf } from './pages/drawer.js';
import { type Html, html } from './pages/html.js';
import { show } from './pages/layout.js';

/** A condition before anything else: ordinary middleware. After the login the person returns to the page that required it. */
export const membersOnly: RequestHandler = (req, res, next) => {
  if (req.session.member !== undefined) next();
  else res.redirect(303, `/log-in?next=${encodeURIComponent(wanted(req.originalUrl.split('?')[0]))}`);
};

export function logInPages(identity: Identity): Router {
  const router = Router();
  router.get('/log-in', (req, res) => {
    const say = sayTo(req);
    show(req, res, {
      title: say('Please log in first', 'Bitte melden Sie sich zuerst an'),
      lead: say(
        'This page is for members. As a member, you need your wallet only after you log in.',
        'Diese Seite ist für Mitglieder. Als Mitglied brauchen Sie Ihre Ausweis-App erst nach der Anmeldung.',
      ),
      body: html`<div class="split">
        ${logInCard(req, wanted(req.query['next']))}
        <section>
          <h2>${say('Not a member yet?', 'Noch kein Mitglied?')}</h2>
          <p>
            ${say(
              'It takes about two minutes: your wallet fills in the form, and you are logged in.',
              'Es dauert etwa zwei Minuten: Ihre Ausweis-App füllt das Formular aus, und Sie sind angemeldet.',
            )}
          </p>
          <p><a class="button other" href="/membership">${say('Become a member', 'Mitglied werden')}</a></p>
          <p>
            <a href="/counter"
              >${say('No wallet? Come to the counter', 'Keine Ausweis-App? Kommen Sie zur Theke')}</a
            >
          </p>
        </section>
      </div>`,
      lines: linesOf({ 'log-in.ts': ['membersOnly', 'logIn'] }),
    });
  });
  router.post('/log-in', logIn);
  router.post('/log-out', logOut(identity));
  return router;
}

export function logInCard(req: Request, next = '/'): Html {
  const say = sayTo(req);
  return html`<section class="card">
    <h2>${say('Log in', 'Anmelden')}</h2>
    <p>
      ${say(
        'Two members for trying it out. They need no password.',
        'Zwei Mitglieder zum Ausprobieren. Sie brauchen kein Passwort.',
      )}
    </p>
    <form class="stack" method="post" action="/log-in">
      <input type="hidden" name="next" value="${next}" />
      <button class="button other" name="person" value="erika">
        ${say('Log in as Erika', 'Als Erika anmelden')}
      </button>
      <button class="button other" name="person" value="max">
        ${say('Log in as Max', 'Als Max anmelden')}
      </button>
    </form>
    <p class="soft">
      ${say(
        "The test wallet belongs to Erika, unless it was started with another person. Max's verification fails unless you can choose Max's card there.",
        'Die Ausweis-App der Testumgebung enthält Erikas Ausweis, wenn sie nicht mit einer anderen Person gestartet wurde. Als Max können Sie sich nur ausweisen, wenn Sie dort seinen Ausweis wählen können.',
      )}
    </p>
  </section>`;
}

/** A new session for every log-in, so that nothing of the person before is left. */
const logIn: RequestHandler = (req, res, next) => {
  const { person, next: page } = (req.body ?? {}) as { person?: unknown; next?: unknown };
  const member = regularOf(person);
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

/** Erases what was kept from a verification, and ends the session. */
function logOut(identity: Identity): RequestHandler {
  return (req, res, next) => {
    const end = (): void => {
      req.session.destroy((fault: unknown) => {
        if (fault) next(fault);
        else res.redirect(303, '/');
      });
    };
    identity.forget(req).then(end, next);
  };
}

/** Only to a page that a log-in is asked for: any other address leads home. */
function wanted(page: unknown): string {
  if (page === '/identity/start/vote') return '/voting-card';
  if (page === '/identity/start/door') return '/door';
  return typeof page === 'string' && ['/voting-card', '/door', '/membership'].includes(page) ? page : '/';
}
