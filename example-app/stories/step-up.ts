import { createHash } from 'node:crypto';
import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo, writeTime } from '../language.js';
import { membersOnly } from '../log-in.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

const freshFor = 10 * 60_000;

/** Step-up: the membership counts for 30 days, the code of the door asks for a proof from the last ten minutes. */
export function doorPages(identity: Identity): Router {
  const router = Router();
  router.get('/door', membersOnly, identity.require({ maxAge: freshFor }), (req, res) => {
    const proved = identity.of(req);
    show(req, res, { ...doorPage(req, proved?.verifiedAt), lines, receipt: proved?.receipt.id });
  });
  return router;
}

const lines = linesOf({ 'stories/step-up.ts': ['doorPages'] });

function doorPage(req: Request, verifiedAt = new Date(0)): Page {
  const say = sayTo(req);
  const code = createHash('sha256').update(verifiedAt.toDateString()).digest().readUInt16BE();
  return {
    title: say('Door of the workshop', 'Tür der Werkstatt'),
    lead: say(
      'The workshop is open to members day and night. This is the code of today.',
      'Die Werkstatt ist für Mitglieder Tag und Nacht offen. Das ist der Code von heute.',
    ),
    body: html`<div class="split">
      <section class="card">
        <p class="code">${`${code}`.padStart(5, '0')}</p>
        <p>
          ${say('This page asks for a fresh proof after', 'Diese Seite verlangt einen neuen Nachweis nach')}
          ${writeTime(req, new Date(verifiedAt.getTime() + freshFor))}.
        </p>
      </section>
      <section>
        <h2>${say('Why we ask again', 'Warum wir noch einmal fragen')}</h2>
        <p>
          ${say(
            'You are logged in, and you were verified before. But a phone or a laptop may have changed hands since. Before something that opens a door we want to see you again, in person: that is called a step-up.',
            'Sie sind angemeldet, und geprüft sind Sie auch. Aber ein Telefon oder Laptop kann inzwischen in anderen Händen sein. Bevor wir eine Tür öffnen, möchten wir Sie noch einmal selbst sehen: Das nennt man Step-up.',
          )}
        </p>
        <ul class="ways">
          <li><a href="/membership">${say('Your membership', 'Ihre Mitgliedschaft')}</a></li>
          <li><a href="/machines">${say('Go to the machines', 'Zu den Maschinen')}</a></li>
        </ul>
      </section>
    </div>`,
  };
}
