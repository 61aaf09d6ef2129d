import { type Request, type RequestHandler, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { sayTo, writeDay, writeTime } from '../language.js';
import { regularNumbered, writeName } from '../members.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

/** Story 2, an account: the wallet fills in the form, and the login happens in onSuccess. */
export function accountPages(identity: Identity): Router {
  const router = Router();
  const signedUp = identity.require({ maxAge: '30d' });
  const fromCounter = identity.require({ maxAge: '30d', reason: 'counter' });
  const verified: RequestHandler = (req, res, next) => {
    (isRegular(req) ? fromCounter : signedUp)(req, res, next);
  };
  router.get('/membership', verified, (req, res) => {
    const proved = identity.of(req);
    show(req, res, { ...membershipPage(req, proved), lines, receipt: proved?.receipt.id });
  });
  return router;
}

const isRegular = (req: Request): boolean => regularNumbered(req.session.member?.number) !== undefined;

const lines = linesOf({
  'questions/account.ts': ['account', 'openAccount'],
  'stories/account.ts': ['accountPages'],
});

function membershipPage(
  req: Request,
  proved: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined,
): Page {
  const say = sayTo(req);
  return {
    title: say('Your membership', 'Ihre Mitgliedschaft'),
    lead: !isRegular(req)
      ? say(
          'Thank you, you are verified. Your wallet has filled in the form.',
          'Danke, Ihre Identität ist bestätigt. Ihre Ausweis-App hat das Formular ausgefüllt.',
        )
      : say('Thank you, you are verified.', 'Danke, Ihre Identität ist bestätigt.'),
    body: html`<div class="split">
      <section class="card member">
        <h2>${say('Member of Drehmoment', 'Mitglied bei Drehmoment')}</h2>
        <dl>
          <div>
            <dt>${say('Name', 'Name')}</dt>
            <dd>${proved && writeName(proved.kept.name)}</dd>
          </div>
          <div>
            <dt>${say('Born', 'Geboren')}</dt>
            <dd>${proved && writeDay(req, proved.kept.born)}</dd>
          </div>
          <div>
            <dt>${say('Number', 'Nummer')}</dt>
            <dd>${req.session.member?.number}</dd>
          </div>
          <div>
            <dt>${say('Verified', 'Geprüft')}</dt>
            <dd>${proved && writeTime(req, proved.verifiedAt)}</dd>
          </div>
          <div>
            <dt>${say('Receipt', 'Beleg')}</dt>
            <dd><code>${proved?.receipt.id}</code></dd>
          </div>
        </dl>
        ${
          proved?.sandbox === true
            ? html`<p class="note">
                ${say(
                  'A test wallet responded. The people are made up.',
                  'Eine Testumgebung hat geantwortet. Die Daten sind erfunden und beweisen nichts.',
                )}
              </p>`
            : undefined
        }
      </section>
      <div>
        <h2>${say('What you can do now', 'Was Sie jetzt tun können')}</h2>
        <ul class="ways">
          <li><a href="/machines">${say('Go to the machines', 'Zu den Maschinen')}</a></li>
          <li><a href="/voting-card">${say('Get my voting card', 'Wahlausweis holen')}</a></li>
          <li><a href="/door">${say('Get the door code', 'Türcode holen')}</a></li>
          <li>
            <a href="/kept">${say('All that we keep about you', 'Alles, was wir über Sie speichern')}</a>
          </li>
        </ul>
        <p class="soft">
          ${say(
            'This made-up library has no database: the account lives in your session and is gone when you log out.',
            'Diese erfundene Bibliothek hat keine Datenbank: Das Konto liegt in Ihrer Sitzung und endet mit der Abmeldung.',
          )}
        </p>
      </div>
    </div>`,
  };
}
