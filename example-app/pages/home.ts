import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf } from '../language.js';
import { logInCard } from '../log-in.js';
import { type Member, writeName } from '../members.js';
import { linesOf } from './drawer.js';
import { type Html, html } from './html.js';
import { show } from './layout.js';

export function homePages(identity: Identity): Router {
  const router = Router();
  router.get('/', (req, res) => {
    const { home: t } = textsOf(req);
    const { member } = req.session;
    const account = identity.of(req);
    show(req, res, {
      title: t.title,
      lead: t.lead,
      body: html`${stories(req)}
        <div class="split">
          ${member === undefined ? logInCard(req) : memberCard(req, member, account !== undefined)}
          <section>
            <h2>${t.how}</h2>
            <ol class="plain">
              ${t.steps.map((step) => html`<li>${step}</li>`)}
            </ol>
          </section>
        </div>`,
      lines: linesOf({ 'identity.ts': ['createIdentity'] }),
      receipt: account?.receipt.id,
    });
  });
  return router;
}

function memberCard(req: Request, { name, number }: Member, verified: boolean): Html {
  const { home: t, links } = textsOf(req);
  return html`<section class="card">
    <h2>${(verified ? t.welcome : t.hello)(writeName(name))}</h2>
    <p>${t.number(number)}</p>
    ${
      verified
        ? html`<p>${t.verified}</p>
            <p><a class="button other" href="/kept">${links.kept}</a></p>`
        : html`<p>${t.counter}</p>
            <p><a class="button other" href="/identity/start?reason=counter">${t.verify}</a></p>`
    }
  </section>`;
}

/** The four stories and the step-up, as ways to go from here. */
export function stories(req: Request): Html {
  const { stories: t, links } = textsOf(req);
  const story = ({ title, text }: { title: string; text: string }, path: string, link: string): Html =>
    html`<li>
      <h2>${title}</h2>
      <p>${text}</p>
      <a class="button" href="${path}">${link}</a>
    </li>`;
  return html`<ul class="tiles stories">
    ${story(t.machines, '/machines', links.machines)}
    ${story(t.account, '/membership', req.session.member === undefined ? links.join : t.account.mine)}
    ${story(t.vote, '/voting-card', links.vote)} ${story(t.door, '/door', links.door)}
    ${story(t.erasure, '/erasure', links.eraseAccount)}
  </ul>`;
}
