import { type Request, type RequestHandler, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo, writeTime } from '../language.js';
import { type Member, regularNumbered, writeName } from '../members.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

declare module 'express-session' {
  interface SessionData {
    /** All that is left of an erased account: the receipt. */
    erased: { readonly receipt: string; readonly at: string };
  }
}

/** Story 4, the right to be forgotten. The law wants to know that it is you who asks: the wallet shows it. */
export function erasurePages(identity: Identity): Router {
  const router = Router();
  router.get('/erasure', identity.require({ request: 'erasure' }), (req, res) => {
    const proved = identity.of(req, { request: 'erasure' });
    const page = askPage(req, accountOf(req, proved?.kept.account));
    show(req, res, { ...page, lines, receipt: proved?.receipt.id });
  });
  router.post('/erasure', eraseAccount(identity));
  router.get('/erased', (req, res) => {
    const { erased } = req.session;
    if (erased === undefined) res.redirect(303, '/');
    else show(req, res, { ...receiptPage(req, erased), lines, receipt: erased.receipt });
  });
  return router;
}

const lines = linesOf({
  'questions/erasure.ts': ['erasure'],
  'stories/erasure.ts': ['erasurePages', 'eraseAccount'],
});

/** The account that is logged in, which the proof must fit (`onSuccess`), or else the one that the proof has found. */
function accountOf(req: Request, found: string | undefined): Member | undefined {
  return req.session.member ?? regularNumbered(found);
}

/** Erases the account and all that was kept. A new session has only the receipt. */
function eraseAccount(identity: Identity): RequestHandler {
  return (req, res, next) => {
    const proved = identity.of(req, { request: 'erasure' });
    if (proved === undefined || accountOf(req, proved.kept.account) === undefined) {
      res.redirect(303, '/erasure'); // ten minutes are over: the page asks again
      return;
    }
    const begin = (): void => {
      req.session.regenerate((fault: unknown) => {
        if (fault) {
          next(fault);
          return;
        }
        req.session.erased = { receipt: proved.receipt.id, at: new Date().toISOString() };
        req.session.save((unsaved: unknown) => {
          if (unsaved) next(unsaved);
          else res.redirect(303, '/erased');
        });
      });
    };
    identity.forget(req).then(begin, next); // a shop with a database erases its row here
  };
}

function askPage(req: Request, account: Member | undefined): Page {
  const say = sayTo(req);
  if (account === undefined) {
    return {
      title: say('You have no account here', 'Sie haben hier kein Konto'),
      lead: say(
        'We have no member of this name and birthday, so there is nothing to erase.',
        'Wir haben kein Mitglied mit diesem Namen und Geburtstag. Es gibt nichts zu löschen.',
      ),
      body: html`<p class="actions">
        <a class="button" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a>
        <a href="/kept">${say('What we keep about you', 'Was wir über Sie speichern')}</a>
      </p>`,
    };
  }
  return {
    title: say('Erase your account?', 'Ihr Konto löschen?'),
    lead: say(
      'We have found your account. Erasing it cannot be undone.',
      'Wir haben Ihr Konto gefunden. Das Löschen lässt sich nicht rückgängig machen.',
    ),
    body: html`<section class="card member">
        <h2>${say('Member of Drehmoment', 'Mitglied bei Drehmoment')}</h2>
        <dl>
          <div>
            <dt>${say('Name', 'Name')}</dt>
            <dd>${writeName(account.name)}</dd>
          </div>
          <div>
            <dt>${say('Number', 'Nummer')}</dt>
            <dd>${account.number}</dd>
          </div>
        </dl>
      </section>
      <p class="section">
        ${say(
          'We erase the account and all that we kept from your verifications, and log you out.',
          'Wir löschen das Konto und alles, was wir aus Ihren Nachweisen gespeichert haben, und melden Sie ab.',
        )}
      </p>
      <form method="post" action="/erasure" class="actions">
        <button class="button">${say('Erase my account', 'Mein Konto löschen')}</button>
        <a href="/kept">${say('Keep it', 'Nicht löschen')}</a>
      </form>`,
  };
}

function receiptPage(req: Request, { receipt, at }: { readonly receipt: string; readonly at: string }): Page {
  const say = sayTo(req);
  return {
    title: say('Your account is erased', 'Ihr Konto ist gelöscht'),
    lead: say(
      'This is your receipt. We keep only its number and the time, until your session ends. Please write it down.',
      'Das ist Ihr Beleg. Wir speichern nur seine Nummer und die Zeit, bis Ihre Sitzung endet. Bitte notieren Sie ihn.',
    ),
    body: html`<section class="card member">
        <h2>${say('Receipt', 'Beleg')}</h2>
        <dl>
          <div>
            <dt>${say('Erased', 'Gelöscht')}</dt>
            <dd>${writeTime(req, new Date(at))}</dd>
          </div>
          <div>
            <dt>${say('Number', 'Nummer')}</dt>
            <dd><code>${receipt}</code></dd>
          </div>
        </dl>
      </section>
      <p class="soft section">
        ${say(
          'This made-up library has no database: its two members from the counter are back for the next log-in.',
          'Diese erfundene Bibliothek hat keine Datenbank: Die beiden Mitglieder von der Theke sind bei der nächsten Anmeldung wieder da.',
        )}
      </p>
      <p><a class="button" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`,
  };
}
