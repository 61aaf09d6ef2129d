import { type Request, type RequestHandler, Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf, writeTime } from '../language.js';
import { type Member, regularWith, writeName } from '../members.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import type { Texts } from '../texts/index.js';

declare module 'express-session' {
  interface SessionData {
    /** All that is left of an erased account: the receipt. */
    erased: { readonly receipt: string; readonly at: string };
  }
}

/** Story 4, the right to be forgotten. The law wants to know that it is you who asks: the wallet shows it. */
export function erasurePages(identity: Identity): Router {
  const router = Router();
  router.get('/erasure', identity.require({ question: 'erasure' }), (req, res) => {
    const proved = identity.of(req, { question: 'erasure' });
    const page = askPage(textsOf(req), accountOf(req, proved?.kept.account));
    show(req, res, { ...page, receipt: proved?.receipt.id });
  });
  router.post('/erasure', eraseAccount(identity));
  router.get('/erased', (req, res) => {
    const { erased } = req.session;
    if (erased === undefined) res.redirect(303, '/');
    else show(req, res, { ...receiptPage(textsOf(req), erased), receipt: erased.receipt });
  });
  return router;
}

/** The account that is logged in, which the proof must fit (`onSuccess`), or else the one that the proof has found. */
function accountOf(req: Request, found: string | undefined): Member | undefined {
  return req.session.member ?? regularWith(found);
}

/** Erases the account and all that was kept. A new session has only the receipt. */
function eraseAccount(identity: Identity): RequestHandler {
  return (req, res, next) => {
    const proved = identity.of(req, { question: 'erasure' });
    if (proved === undefined || accountOf(req, proved.kept.account) === undefined) {
      res.redirect(303, '/erasure'); // ten minutes are over: the page asks again
      return;
    }
    // A shop with a database erases its row here. What was kept from verifications ends with the session.
    req.session.regenerate((fault: unknown) => {
      if (fault) {
        next(fault);
        return;
      }
      req.session.erased = { receipt: proved.receipt.number, at: new Date().toISOString() };
      req.session.save((unsaved: unknown) => {
        if (unsaved) next(unsaved);
        else res.redirect(303, '/erased');
      });
    });
  };
}

function askPage({ erasure: t, member, links }: Texts, account: Member | undefined): Page {
  if (account === undefined) {
    return {
      ...t.none,
      body: html`<p class="actions">
        <a class="button" href="/">${links.start}</a>
        <a href="/kept">${links.kept}</a>
      </p>`,
    };
  }
  return {
    title: t.title,
    lead: t.lead,
    body: html`<section class="card member">
        <h2>${member.title}</h2>
        <dl>
          <div>
            <dt>${member.name}</dt>
            <dd>${writeName(account.name)}</dd>
          </div>
          <div>
            <dt>${member.number}</dt>
            <dd>${account.number}</dd>
          </div>
        </dl>
      </section>
      <p class="section">${t.all}</p>
      <form method="post" action="/erasure" class="actions">
        <button class="button">${links.eraseAccount}</button>
        <a href="/kept">${links.keep}</a>
      </form>`,
  };
}

function receiptPage(texts: Texts, { receipt, at }: { readonly receipt: string; readonly at: string }): Page {
  const { member, links } = texts;
  const t = texts.erasure.done;
  return {
    title: t.title,
    lead: t.lead,
    body: html`<section class="card member">
        <h2>${t.receipt}</h2>
        <dl>
          <div>
            <dt>${t.erased}</dt>
            <dd>${writeTime(texts, new Date(at))}</dd>
          </div>
          <div>
            <dt>${member.number}</dt>
            <dd><code translate="no">${receipt}</code></dd>
          </div>
        </dl>
      </section>
      <p class="soft section">${t.regulars}</p>
      <p><a class="button" href="/">${links.start}</a></p>`,
  };
}
