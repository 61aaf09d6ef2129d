import { Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf, writeDay } from '../language.js';
import { membersOnly } from '../log-in.js';
import { type Member, writeName } from '../members.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';
import type { Texts } from '../texts/index.js';

/** Story 3, the card for the election of the board. */
export function votingPages(identity: Identity): Router {
  const router = Router();
  router.get('/voting-card', membersOnly, identity.require({ question: 'vote' }), (req, res) => {
    const answer = identity.of(req, { question: 'vote' });
    const page = votingPage(textsOf(req), req.session.member, answer?.kept.mayVote === true);
    show(req, res, { ...page, receipt: answer?.receipt.id });
  });
  return router;
}

function votingPage(texts: Texts, member: Member | undefined, mayVote: boolean): Page {
  const { vote: t, member: words, links } = texts;
  return {
    title: mayVote ? t.title : t.no.title,
    lead: mayVote ? t.lead(writeDay(texts, '2026-12-12')) : t.no.lead,
    body: html`${
        mayVote
          ? html`<section class="card member">
              <h2>${t.election}</h2>
              <dl>
                <div>
                  <dt>${words.name}</dt>
                  <dd>${member && writeName(member.name)}</dd>
                </div>
                <div>
                  <dt>${words.number}</dt>
                  <dd>${member?.number}</dd>
                </div>
              </dl>
            </section>`
          : undefined
      }
      <p class="section actions">
        <a class="button" href="/machines">${links.machines}</a>
        ${mayVote ? undefined : html`<a href="/identity/start/vote?returnTo=/voting-card">${t.again}</a>`}
      </p>
      <section class="card">
        <h2>${links.known}</h2>
        <p>${t.known}</p>
        <p><a href="/kept">${links.allKept}</a></p>
      </section>`,
  };
}
