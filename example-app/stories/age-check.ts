import { type RequestHandler, Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf, writeEuros } from '../language.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import { machines } from '../shelf.js';
import type { Texts } from '../texts/index.js';

/** The guard. A minor gets 403 and a page that says what now, and is not sent to the wallet again and again. */
export function adultsOnly(identity: Identity): RequestHandler {
  return identity.require({ request: 'age', allow: ({ adult }) => adult, refused: 'age' });
}

/** Story 1, an age check. Nobody has to log in. */
export function machinePages(identity: Identity): Router {
  const router = Router();
  router.get('/machines', (req, res) => {
    const receipt = identity.of(req, { request: 'age' })?.receipt.id;
    show(req, res, { ...machinesPage(textsOf(req), req.session.member !== undefined), lines, receipt });
  });
  return router;
}

const lines = linesOf({
  'questions/age.ts': ['age'],
  'stories/age-check.ts': ['adultsOnly', 'machinePages'],
});

function machinesPage(texts: Texts, half: boolean): Page {
  const { machines: t, shelf, links } = texts;
  return {
    title: t.title,
    lead: t.lead,
    body: html`<ul class="tiles">
        ${machines.map(
          ({ id, price }) =>
            html`<li>
              <h2>${shelf[id].name}</h2>
              <p>${shelf[id].about}</p>
              <p class="price">${t.perDay(writeEuros(texts, half ? price / 2 : price))}</p>
            </li>`,
        )}
      </ul>
      <p>${t.half} ${half ? undefined : html`<a href="/membership">${links.join}</a>`}</p>
      <section class="card">
        <h2>${links.known}</h2>
        <p>${t.known}</p>
        <p><a href="/kept">${links.allKept}</a></p>
      </section>`,
  };
}
