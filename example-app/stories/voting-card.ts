import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo, writeDay } from '../language.js';
import { membersOnly } from '../log-in.js';
import { writeName } from '../members.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

/** Story 3, the card for the election of the board. */
export function votingPages(identity: Identity): Router {
  const router = Router();
  router.get('/voting-card', membersOnly, identity.require({ request: 'vote' }), (req, res) => {
    const answer = identity.of(req, { request: 'vote' });
    const page = votingPage(req, answer?.kept.mayVote === true);
    show(req, res, { ...page, lines, receipt: answer?.receipt.id });
  });
  return router;
}

const lines = linesOf({ 'questions/vote.ts': ['vote'], 'stories/voting-card.ts': ['votingPages'] });

function votingPage(req: Request, mayVote: boolean): Page {
  const say = sayTo(req);
  const { name = '', number = '' } = req.session.member ?? {};
  const day = writeDay(req, '2026-12-12');
  return {
    title: mayVote
      ? say('Voting card', 'Wahlausweis')
      : say('You cannot vote in this election', 'Bei dieser Wahl sind Sie nicht stimmberechtigt'),
    lead: mayVote
      ? say(`You can elect the board on ${day}.`, `Sie können am ${day} den Vorstand wählen.`)
      : say(
          'The answer was no: no German citizenship. Under our statutes, only German citizens elect the board. Everything else is open to you as to every member.',
          'Laut Ihrer Ausweis-App haben Sie nicht die deutsche Staatsangehörigkeit. Nach unserer Satzung wählen nur deutsche Staatsangehörige den Vorstand. Alles andere steht Ihnen offen wie allen Mitgliedern.',
        ),
    body: html`${
        mayVote
          ? html`<section class="card member">
              <h2>${say('Election of the board', 'Wahl des Vorstands')}</h2>
              <dl>
                <div>
                  <dt>${say('Name', 'Name')}</dt>
                  <dd>${writeName(name)}</dd>
                </div>
                <div>
                  <dt>${say('Number', 'Nummer')}</dt>
                  <dd>${number}</dd>
                </div>
              </dl>
            </section>`
          : undefined
      }
      <p class="section actions">
        <a class="button" href="/machines">${say('Go to the machines', 'Zu den Maschinen')}</a>
        ${
          mayVote
            ? undefined
            : html`<a href="/identity/start/vote?returnTo=/voting-card"
                >${say('Verify again', 'Noch einmal ausweisen')}</a
              >`
        }
      </p>
      <section class="card">
        <h2>${say('What we know about you here', 'Was wir hier über Sie wissen')}</h2>
        <p>
          ${say(
            'Yes or no to one question: are you a German citizen? Your nationalities were not shown to us. We compared your name with your account, and did not keep it.',
            'Ja oder Nein auf eine Frage: Haben Sie die deutsche Staatsangehörigkeit? Welche Staatsangehörigkeiten Sie haben, erfahren wir nicht. Ihren Namen haben wir mit dem im Konto verglichen und nicht gespeichert.',
          )}
        </p>
        <p><a href="/kept">${say('All that we keep about you', 'Alles, was wir über Sie speichern')}</a></p>
      </section>`,
  };
}
