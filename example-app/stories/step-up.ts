import { createHash } from 'node:crypto';
import { Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf, writeClock } from '../language.js';
import { membersOnly } from '../log-in.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import type { Texts } from '../texts/index.js';

const freshFor = 10 * 60_000;

/** Step-up: the code of the door has a question of its own, whose answer counts for ten minutes. */
export function doorPages(identity: Identity): Router {
  const router = Router();
  router.get('/door', membersOnly, identity.require({ question: 'door', maxAge: freshFor }), (req, res) => {
    const { verifiedAt = new Date(0), receipt } = identity.of(req, { question: 'door' }) ?? {};
    const left = verifiedAt.getTime() + freshFor - Date.now();
    res.set('Refresh', `${Math.max(1, Math.ceil(left / 1_000))}`); // then the code leaves the screen
    show(req, res, { ...doorPage(textsOf(req), verifiedAt), receipt: receipt?.id });
  });
  return router;
}

function doorPage(texts: Texts, verifiedAt: Date): Page {
  const { door: t, links } = texts;
  const until = writeClock(texts, new Date(verifiedAt.getTime() + freshFor));
  const code = createHash('sha256').update(verifiedAt.toDateString()).digest().readUInt16BE();
  return {
    title: t.title,
    lead: t.lead,
    body: html`<div class="split">
      <section class="card">
        <p class="code">${`${code}`.padStart(5, '0')}</p>
        <p>${t.until(until)}</p>
      </section>
      <section>
        <h2>${t.why}</h2>
        <p>${t.because}</p>
        <ul class="ways">
          <li><a href="/membership">${texts.membership.title}</a></li>
          <li><a href="/machines">${links.machines}</a></li>
        </ul>
      </section>
    </div>`,
  };
}
