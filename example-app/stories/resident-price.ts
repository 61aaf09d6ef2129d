import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo } from '../language.js';
import { membersOnly } from '../log-in.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import { euros, machines } from '../shelf.js';

/** Mounted before the kit: who is not logged in is asked to do so first, and shares nothing in vain. */
export const beforeResident = Router().use('/identity/start/resident', membersOnly);

/** Story 3, a price for residents. */
export function residentPages(identity: Identity): Router {
  const router = Router();
  router.get('/resident', membersOnly, identity.require({ request: 'resident' }), (req, res) => {
    const answer = identity.of(req, { request: 'resident' });
    const page = residentPage(req, answer?.kept.resident === true);
    show(req, res, { ...page, lines, receipt: answer?.receipt.id });
  });
  return router;
}

const lines = linesOf({
  'questions/resident.ts': ['resident'],
  'stories/resident-price.ts': ['beforeResident', 'residentPages'],
});

function residentPage(req: Request, half: boolean): Page {
  const say = sayTo(req);
  return {
    title: say('Price for residents', 'Preis für Einheimische'),
    lead: half
      ? say('You pay half: the country pays the rest.', 'Sie zahlen die Hälfte: Den Rest zahlt das Land.')
      : say(
          'The country pays for its own citizens only. Your price stays as it was.',
          'Das Land zahlt nur für die eigenen Staatsangehörigen. Ihr Preis bleibt, wie er war.',
        ),
    body: html`<table>
        <thead>
          <tr>
            <th scope="col">${say('A day with', 'Ein Tag mit')}</th>
            <th scope="col">${say('Everybody', 'Alle')}</th>
            <th scope="col">${say('You', 'Sie')}</th>
          </tr>
        </thead>
        <tbody>
          ${machines.map(
            ({ name, price }) =>
              html`<tr>
                <th scope="row">${say(...name)}</th>
                <td>${euros(price)}</td>
                <td>${euros(half ? price / 2 : price)}</td>
              </tr>`,
          )}
        </tbody>
      </table>
      <p><a class="button" href="/machines">${say('Go to the machines', 'Zu den Maschinen')}</a></p>
      <section class="card">
        <h2>${say('What we know about you here', 'Was wir hier über Sie wissen')}</h2>
        <p>
          ${say(
            'Yes or no to one question: are you a German citizen? Your nationalities were not shown to us.',
            'Ja oder Nein auf eine Frage: Haben Sie die deutsche Staatsangehörigkeit? Welche Sie haben, sehen wir nicht.',
          )}
        </p>
        <p><a href="/kept">${say('All that we keep about you', 'Alles, was wir über Sie speichern')}</a></p>
      </section>`,
  };
}
