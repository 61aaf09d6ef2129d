import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { textsOf } from '../language.js';
import { logInCard } from '../log-in.js';
import { type Member, writeName } from '../members.js';
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
      body: html`${tour(req)} ${stories(req)}
        <div class="split">
          ${member === undefined ? logInCard(req) : memberCard(req, member, account !== undefined)}
          <section>
            <h2>${t.how}</h2>
            <ol class="plain">
              ${t.steps.map((step) => html`<li>${step}</li>`)}
            </ol>
          </section>
        </div>`,
      receipt: account?.receipt.id,
    });
  });
  return router;
}

/** Under `pidgate dev`: to the sandbox's page, which says whom to try. */
function tour(req: Request): Html | undefined {
  const { home: t } = textsOf(req);
  const { sandboxUrl } = req.app.locals as { sandboxUrl?: string };
  if (sandboxUrl === undefined) return undefined;
  return html`<p class="note">${t.tour} <a href="${sandboxUrl}/">${t.tourLink}</a></p>`;
}

function memberCard(req: Request, { name, number }: Member, verified: boolean): Html {
  const { home: t, links } = textsOf(req);
  return html`<section class="card">
    <h2>${(verified ? t.welcome : t.hello)(writeName(name))}</h2>
    <p>${t.number} <span translate="no">${number}</span></p>
    ${
      verified
        ? html`<p>${t.verified}</p>
            <p><a class="button other" href="/kept">${links.kept}</a></p>`
        : html`<p>${t.counter}</p>
            <p><a class="button other" href="/identity/start?reason=counter">${t.verify}</a></p>`
    }
  </section>`;
}

interface Story {
  readonly title: string;
  readonly text: string;
}

/** The ways to go from here: two that everybody can take, and what is for members. */
export function stories(req: Request): Html {
  const { stories: t, links } = textsOf(req);
  const card = ({ title, text }: Story, path: string, link: string): Html =>
    html`<li>
      <h2>${title}</h2>
      <p>${text}</p>
      <a class="button" href="${path}">${link}</a>
    </li>`;
  const row = ({ title, text }: Story, path: string, link: string): Html =>
    html`<li>
      <h2>${title}</h2>
      <p>${text}</p>
      <a href="${path}">${link}</a>
    </li>`;
  return html`<ul class="tiles two">
      ${card(t.machines, '/machines', links.machines)}
      ${card(t.account, '/membership', req.session.member === undefined ? links.join : t.account.mine)}
    </ul>
    <ul class="rows">
      ${row(t.door, '/door', links.door)} ${row(t.erasure, '/erasure', links.eraseAccount)}
      ${row(t.vote, '/voting-card', links.vote)}
    </ul>`;
}
