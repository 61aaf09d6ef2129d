import { type Request, type RequestHandler, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { textsOf, writeDay, writeTime } from '../language.js';
import { regularWith, writeName } from '../members.js';
import { type Html, html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

/** Story 2, an account: the wallet fills in the form, and the login happens in `onSuccess` (identity.ts). */
export function accountPages(identity: Identity): Router {
  const router = Router();
  const signedUp = identity.require({ maxAge: '30d' });
  const fromCounter = identity.require({ maxAge: '30d', reason: 'counter' });
  const verified: RequestHandler = (req, res, next) => {
    (isRegular(req) ? fromCounter : signedUp)(req, res, next);
  };
  router.get('/membership', verified, (req, res) => {
    const proved = identity.of(req);
    show(req, res, { ...membershipPage(req, proved), receipt: proved?.receipt.id });
  });
  return router;
}

const isRegular = (req: Request): boolean => regularWith(req.session.member?.id) !== undefined;

function membershipPage(
  req: Request,
  proved: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined,
): Page {
  const texts = textsOf(req);
  const { membership: t, member, links } = texts;
  const row = (name: string, value: string | Html | undefined): Html =>
    html`<div>
      <dt>${name}</dt>
      <dd>${value}</dd>
    </div>`;
  return {
    title: t.title,
    lead: isRegular(req) ? t.lead : t.filledIn,
    body: html`<div class="split">
      <section class="card member">
        <h2>${member.title}</h2>
        <dl>
          ${row(member.name, proved && writeName(proved.kept.name))}
          ${row(member.born, proved && writeDay(texts, proved.kept.born))}
          ${row(member.number, req.session.member?.number)}
          ${row(t.verified, proved && writeTime(texts, proved.verifiedAt))}
          ${row(t.receipt, html`<code translate="no">${proved?.receipt.number}</code>`)}
        </dl>
        ${proved?.sandbox === true ? html`<p class="note">${t.sandbox}</p>` : undefined}
      </section>
      <div>
        <h2>${t.next}</h2>
        <ul class="ways">
          <li><a href="/machines">${links.machines}</a></li>
          <li><a href="/voting-card">${links.vote}</a></li>
          <li><a href="/door">${links.door}</a></li>
          <li><a href="/kept">${links.allKept}</a></li>
        </ul>
        <p>${t.machines}</p>
        <p class="soft">${t.session}</p>
      </div>
    </div>`,
  };
}
