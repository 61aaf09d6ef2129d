import { type Request, type RequestHandler, Router } from 'express';
import type { Identity } from '../identity.js';
import { localeOf, sayTo } from '../language.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import { euros, machines } from '../shelf.js';

/** The guard. A minor gets 403 and a page that says what now, and is not sent to the wallet again and again. */
export function adultsOnly(identity: Identity): RequestHandler {
  return identity.require({ request: 'age', allow: ({ adult }) => adult, refused: 'age' });
}

/** Story 1, an age check. Nobody has to log in. */
export function machinePages(identity: Identity): Router {
  const router = Router();
  router.get('/machines', (req, res) => {
    const receipt = identity.of(req, { request: 'age' })?.receipt.id;
    show(req, res, { ...machinesPage(req, req.session.member !== undefined), lines, receipt });
  });
  return router;
}

const lines = linesOf({
  'questions/age.ts': ['age'],
  'stories/age-check.ts': ['adultsOnly', 'machinePages'],
});

function machinesPage(req: Request, half: boolean): Page {
  const say = sayTo(req);
  return {
    title: say('Machines', 'Maschinen'),
    lead: say(
      'You are 18 or over: you can borrow all of them, at the counter.',
      'Sie sind volljährig: Alle Maschinen bekommen Sie an der Theke.',
    ),
    body: html`<ul class="tiles">
        ${machines.map(
          ({ name, about, price }) =>
            html`<li>
              <h2>${say(...name)}</h2>
              <p>${say(...about)}</p>
              <p class="price">
                ${euros(localeOf(req), half ? price / 2 : price)} ${say('a day', 'pro Tag')}
              </p>
            </li>`,
        )}
      </ul>
      <p>
        ${
          half
            ? say('Members pay half.', 'Mitglieder zahlen die Hälfte.')
            : html`${say('Members pay half.', 'Mitglieder zahlen die Hälfte.')}
                <a href="/membership">${say('Become a member', 'Mitglied werden')}</a>`
        }
      </p>
      <section class="card">
        <h2>${say('What we know about you here', 'Was wir hier über Sie wissen')}</h2>
        <p>
          ${say(
            'That you are at least 18. We checked your date of birth once, and did not keep it for that.',
            'Dass Sie mindestens 18 sind. Ihr Geburtsdatum haben wir dafür einmal geprüft und nicht gespeichert.',
          )}
        </p>
        <p><a href="/kept">${say('All that we keep about you', 'Alles, was wir über Sie speichern')}</a></p>
      </section>`,
  };
}
