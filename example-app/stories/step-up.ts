import { createHash } from 'node:crypto';
import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo, writeClock } from '../language.js';
import { membersOnly } from '../log-in.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

const freshFor = 10 * 60_000;

/** Step-up: the code of the door has a question of its own, whose answer counts for ten minutes. */
export function doorPages(identity: Identity): Router {
  const router = Router();
  router.get('/door', membersOnly, identity.require({ request: 'door', maxAge: freshFor }), (req, res) => {
    const { verifiedAt = new Date(0), receipt } = identity.of(req, { request: 'door' }) ?? {};
    const left = verifiedAt.getTime() + freshFor - Date.now();
    res.set('Refresh', `${Math.max(1, Math.ceil(left / 1_000))}`); // then the code leaves the screen
    show(req, res, { ...doorPage(req, verifiedAt), lines, receipt: receipt?.id });
  });
  return router;
}

const lines = linesOf({ 'questions/door.ts': ['door'], 'stories/step-up.ts': ['doorPages'] });

function doorPage(req: Request, verifiedAt: Date): Page {
  const say = sayTo(req);
  const until = writeClock(req, new Date(verifiedAt.getTime() + freshFor));
  const code = createHash('sha256').update(verifiedAt.toDateString()).digest().readUInt16BE();
  return {
    title: say('Door of the workshop', 'Tür der Werkstatt'),
    lead: say(
      "The workshop is open to members day and night. This is today's code.",
      'Die Werkstatt ist für Mitglieder Tag und Nacht offen. Das ist der heutige Code.',
    ),
    body: html`<div class="split">
      <section class="card">
        <p class="code">${`${code}`.padStart(5, '0')}</p>
        <p>
          ${say(`Until ${until} you can open this page without verifying again.`, `Bis ${until} Uhr können Sie ihn hier ohne neuen Nachweis sehen.`)}
        </p>
      </section>
      <section>
        <h2>${say('Why we ask here', 'Warum wir hier fragen')}</h2>
        <p>
          ${say(
            'You are logged in. But someone else may be using your phone or laptop now. Before we open a door, we ask you to verify, even if you did so before.',
            'Sie sind angemeldet. Aber Ihr Smartphone oder Laptop könnte inzwischen jemand anderes benutzen. Bevor wir eine Tür öffnen, weisen Sie sich bitte aus, auch wenn Sie es schon getan haben.',
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
