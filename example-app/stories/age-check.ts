import { type Request, type RequestHandler, Router } from 'express';
import { isAtLeast } from 'pidgate';
import type { Identity } from '../identity.js';
import { textsOf, writeEuros, writeSeconds, writeTime } from '../language.js';
import { type Html, html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import { type MachineId, machines } from '../shelf.js';

declare module 'express-session' {
  interface SessionData {
    reserved: readonly MachineId[];
    /** Milliseconds from the verification in the callback to the release: how long what was shared was here. */
    heldFor: number;
  }
}

/** The guard. A minor gets 403 and a page that says what now, and is not sent to the wallet again and again. */
export function adultsOnly(identity: Identity): RequestHandler {
  const byAge = identity.require({ question: 'age', refused: 'age' });
  // A member shows who they are, and their date of birth is known then. A yes alone could be anybody's.
  const byMembership = identity.require({ allow: ({ born }) => isAtLeast(born, 18), refused: 'age' });
  return (req, res, next) => (req.session.member === undefined ? byAge : byMembership)(req, res, next);
}

/** Story 1, an age check. Nobody has to log in. Behind the guard, page and form are ordinary ones. */
export function machinePages(identity: Identity): Router {
  const router = Router();
  router.get('/machines', (req, res) => {
    const membership = identity.of(req);
    const proved = membership ?? identity.of(req, { question: 'age' });
    const page = machinesPage(req, proved?.verifiedAt, membership !== undefined);
    show(req, res, { ...page, receipt: proved?.receipt.id });
  });
  router.post('/machines', (req, res) => {
    const { machine } = (req.body ?? {}) as { machine?: unknown };
    const { reserved = [] } = req.session;
    const more = machines.flatMap(({ id }) => (id === machine && !reserved.includes(id) ? [id] : []));
    req.session.reserved = [...reserved, ...more];
    res.redirect(303, '/machines');
  });
  // Where the guard's refusal leads.
  router.get('/tools', (req, res) => {
    const { tools: t, links } = textsOf(req);
    show(req, res, {
      title: t.title,
      lead: t.lead,
      body: html`<ul>
          ${t.items.map((item) => html`<li>${item}</li>`)}
        </ul>
        <p><a class="button" href="/counter">${textsOf(req).machines.hours}</a></p>
        <p class="soft">${t.notMine} <a href="/forget">${links.erase}</a></p>`,
    });
  });
  return router;
}

function machinesPage(req: Request, verifiedAt: Date | undefined, byMembership: boolean): Page {
  const texts = textsOf(req);
  const { machines: t, shelf, links } = texts;
  const { member, reserved = [], heldFor } = req.session;
  const tile = ({ id, price }: (typeof machines)[number]): Html =>
    html`<li>
      <h2>${shelf[id].name}</h2>
      <p>${shelf[id].about}</p>
      <p class="price">${t.perDay(writeEuros(texts, member === undefined ? price : price / 2))}</p>
      ${
        reserved.includes(id)
          ? html`<p class="done">✓ ${t.reserved}</p>`
          : html`<form method="post" action="/machines">
              <button
                class="button other"
                name="machine"
                value="${id}"
                aria-label="${t.reserve}: ${shelf[id].name}"
              >
                ${t.reserve}
              </button>
            </form>`
      }
    </li>`;
  const last = reserved.at(-1);
  return {
    title: t.title,
    lead: t.lead,
    body: html`<p class="proof">
        <strong class="badge">${t.adult} ✓</strong>
        <span>${byMembership ? t.byMembership : t.stored}</span>
        ${verifiedAt && html`<span>${t.verified(writeTime(texts, verifiedAt))}</span>`}
        ${!byMembership && heldFor !== undefined ? html`<span>${t.held(writeSeconds(texts, heldFor))}</span>` : undefined}
      </p>
      ${last && html`<p class="note" role="status">${t.ready(shelf[last].name)} <a href="/counter">${t.hours}</a></p>`}
      <ul class="tiles">
        ${machines.map(tile)}
      </ul>
      <p>${t.half} ${member === undefined ? html`<a href="/membership">${links.join}</a>` : undefined}</p>
      <section class="card">
        <h2>${links.known}</h2>
        <p>${byMembership ? t.knownOfMember : t.known}</p>
        <p><a href="/kept">${links.allKept}</a></p>
        ${
          member === undefined
            ? html`<p class="soft">${t.shared} <a href="/forget">${links.erase}</a></p>`
            : undefined
        }
      </section>`,
  };
}
