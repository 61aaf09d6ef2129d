import { type Request, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { textsOf, writeDay, writeShortTime } from '../language.js';
import { type Member, regularWith, writeName } from '../members.js';
import type { Texts } from '../texts/index.js';
import { type Html, html } from './html.js';
import { type Page, show } from './layout.js';

/** Everything that this app has stored about the person, and the button that erases it. */
export function keptPages(identity: Identity): Router {
  const router = Router();
  router.get('/kept', (req, res) => {
    // Whoever is refused sees what is stored of them, too.
    const age = identity.of(req, { question: 'age', evenIfRefused: true });
    const account = identity.of(req);
    const vote = identity.of(req, { question: 'vote' });
    const door = identity.of(req, { question: 'door' });
    const erasure = identity.of(req, { question: 'erasure' });
    show(req, res, keptPage(req, { account, age, vote, door, erasure }));
  });
  router.get('/forget', (req, res) => {
    if (questions.every((question) => identity.of(req, { question, evenIfRefused: true }) === undefined))
      res.redirect(303, '/kept');
    else show(req, res, forgetPage(textsOf(req)));
  });
  router.post('/forget', (req, res, next) => {
    identity.forget(req).then(() => res.redirect(303, '/kept?erased'), next);
  });
  return router;
}

const questions = ['default', 'age', 'vote', 'door', 'erasure'] as const;

/** What is kept for each of the five questions. */
interface All {
  readonly account: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined;
  readonly age: KeptIdentity<{ readonly adult: boolean }> | undefined;
  readonly vote: KeptIdentity<{ readonly mayVote: boolean }> | undefined;
  readonly door: KeptIdentity | undefined;
  readonly erasure: KeptIdentity<{ readonly account: string }> | undefined;
}

/** Asks once: what is erased does not come back. */
function forgetPage({ forget: t, links }: Texts): Page {
  return {
    title: t.title,
    lead: t.lead,
    body: html`<form method="post" action="/forget" class="actions">
      <button class="button">${links.erase}</button>
      <a href="/kept">${links.keep}</a>
    </form>`,
  };
}

function keptPage(req: Request, all: All): Page {
  const texts = textsOf(req);
  const { kept: t, links } = texts;
  const { member, erased } = req.session;
  const rows = rowsOf(texts, all, member?.number);
  const nothing = req.query['erased'] === undefined ? t.nothing : t.erased;
  return {
    title: links.kept,
    lead: rows.length === 0 ? nothing : t.all,
    body: html`${rows.length === 0 ? undefined : table(texts, rows)}
      <div class="split">
        ${rows.length === 0 ? undefined : notKept(texts, all)}
        <section>
          ${erased && html`<p>${t.receiptOfAccount}: <code translate="no">${erased.receipt}</code></p>`}
          <h2>${t.howLong}</h2>
          <p>${rows.length === 0 ? t.atMost : member ? t.untilLogOut : t.untilThen} ${t.randomReceipt}</p>
          ${member && html`<p>${accountOf(texts, member)}</p>`} ${erasing(texts, rows.length > 0, member)}
        </section>
      </div>`,
  };
}

const accountOf = (texts: Texts, { number, name, born }: Member): string =>
  texts.kept.account(number, writeName(name), writeDay(texts, born));

/** Two things to erase, each with what it means. */
function erasing({ kept: t, links }: Texts, anything: boolean, member: Member | undefined): Html {
  const data = html`<p>${member ? t.eraseHint : t.eraseHintGuest}</p>
    <p><a class="button other" href="/forget">${links.erase}</a></p>`;
  const account = html`<p>${t.eraseAccountHint} <a href="/erasure">${links.eraseAccount}</a></p>`;
  if (!anything && !member) return html`<p><a href="/">${links.start}</a></p>`;
  return html`<div class="erasing">
    <h2>${t.erasing}</h2>
    ${anything ? data : undefined} ${member && account}
  </div>`;
}

function notKept({ kept: { notKept: t } }: Texts, { age, vote, door, erasure }: All): Html {
  return html`<section class="card">
    <h2>${t.title}</h2>
    <ul class="plain">
      ${age && html`<li>${t.age}</li>`} ${vote && html`<li>${t.vote}</li>`}
      ${door && html`<li>${t.door}</li>`} ${erasure && html`<li>${t.erasure}</li>`}
      <li>${t.wallet}</li>
    </ul>
  </section>`;
}

const minutes = 60_000;
const days = 24 * 60 * minutes;

/** Each result, and until when it counts: as `keepFor` of its question says. */
function rowsOf(
  texts: Texts,
  { account, age, vote, door, erasure }: All,
  number: string | undefined,
): Html[] {
  const { kept: t } = texts;
  const row = (what: string, { verifiedAt, receipt }: KeptIdentity, value: string, keptFor: number): Html =>
    html`<tr>
      <th scope="row">${what}</th>
      <td data-label="${t.value}">${value}</td>
      <td data-label="${t.verified}">${writeShortTime(texts, verifiedAt)}</td>
      <td data-label="${t.until}">${writeShortTime(texts, new Date(verifiedAt.getTime() + keptFor))}</td>
      <td data-label="${t.receipt}"><code translate="no">${receipt.number}</code></td>
    </tr>`;
  const yesNo = (what: string, result: KeptIdentity, yes: boolean): Html =>
    row(what, result, yes ? t.yes : t.no, yes ? 30 * days : 10 * minutes);
  const person = account && `${writeName(account.kept.name)}, ${writeDay(texts, account.kept.born)}`;
  const found = erasure && (number ?? regularWith(erasure.kept.account)?.number ?? t.noneFound);
  return [
    account && row(t.membership, account, `${person}`, 30 * days),
    age && yesNo(t.age, age, age.kept.adult),
    vote && yesNo(t.vote, vote, vote.kept.mayVote),
    door && row(t.door, door, t.doorValue, 30 * days),
    erasure && row(t.erasure, erasure, `${found}`, 10 * minutes),
  ].filter((each) => each !== undefined);
}

function table({ kept: t }: Texts, rows: readonly Html[]): Html {
  return html`<div class="wide" tabindex="0" role="region" aria-label="${t.table}">
    <table>
      <thead>
        <tr>
          <th scope="col">${t.what}</th>
          <th scope="col">${t.value}</th>
          <th scope="col">${t.verified}</th>
          <th scope="col">${t.until}</th>
          <th scope="col">${t.receipt}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
