import { type Request, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { type Say, sayTo, writeTime } from '../language.js';
import { linesOf } from './drawer.js';
import { type Html, html } from './html.js';
import { type Page, show } from './layout.js';

/** Everything that this app has stored about the person, and the button that erases it. */
export function keptPages(identity: Identity): Router {
  const router = Router();
  router.get('/kept', (req, res) => {
    const account = identity.of(req);
    const age = identity.of(req, { request: 'age' });
    const resident = identity.of(req, { request: 'resident' });
    show(req, res, { ...keptPage(req, { account, age, resident }), lines });
  });
  router.post('/forget', (req, res, next) => {
    identity.forget(req).then(() => res.redirect(303, '/kept'), next);
  });
  return router;
}

const lines = linesOf({ 'pages/kept.ts': ['keptPages'] });

/** What is kept for each of the three questions. */
interface All {
  readonly account: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined;
  readonly age: KeptIdentity<{ readonly adult: boolean }> | undefined;
  readonly resident: KeptIdentity<{ readonly resident: boolean }> | undefined;
}

function keptPage(req: Request, { account, age, resident }: All): Page {
  const say = sayTo(req);
  const { member } = req.session;
  const yesNo = (yes: boolean): string => (yes ? say('yes', 'ja') : say('no', 'nein'));
  const rows = [
    account &&
      row(req, say('Membership', 'Mitgliedschaft'), account, `${account.kept.name}, ${account.kept.born}`),
    age && row(req, say('At least 18', 'Mindestens 18'), age, yesNo(age.kept.adult)),
    resident &&
      row(
        req,
        say('German citizen', 'Deutsche Staatsangehörigkeit'),
        resident,
        yesNo(resident.kept.resident),
      ),
  ].filter((it) => it !== undefined);
  return {
    title: say('What we keep about you', 'Was wir über Sie speichern'),
    lead:
      rows.length === 0
        ? say('No verification is stored.', 'Kein Nachweis ist gespeichert.')
        : say(
            'Of your verifications this, and nothing else.',
            'Von Ihren Nachweisen das, und nichts anderes.',
          ),
    body: html`${rows.length === 0 ? undefined : table(say, rows)}
      <div class="split">
        <section class="card">
          <h2>${say('What we asked for and did not keep', 'Was wir gefragt und nicht gespeichert haben')}</h2>
          <ul class="plain">
            <li>
              ${say(
                'For the machines: your date of birth. We keep only whether you are 18.',
                'Für die Maschinen: Ihr Geburtsdatum. Wir speichern nur, ob Sie 18 sind.',
              )}
            </li>
            <li>
              ${say(
                'For the price: your name, to see that it is you. Your nationalities are never sent to us.',
                'Für den Preis: Ihren Namen, um zu sehen, dass Sie es sind. Ihre Staatsangehörigkeiten erfahren wir nie.',
              )}
            </li>
            <li>${say('What your wallet sent, as a file.', 'Die Daten der Ausweis-App als Datei.')}</li>
          </ul>
        </section>
        <section>
          <h2>${say('How long', 'Wie lange')}</h2>
          <p>
            ${say(
              'Thirty days at most, and until you log out. The receipt is a number that says nothing about you.',
              'Höchstens dreißig Tage, und nur bis zur Abmeldung. Der Beleg ist eine Nummer, die nichts über Sie sagt.',
            )}
          </p>
          ${
            member &&
            html`<p>
              ${say('Your account', 'Ihr Konto')} (${member.number}, ${member.name})
              ${say('stays until you log out.', 'bleibt bis zur Abmeldung.')}
            </p>`
          }
          ${
            rows.length === 0
              ? html`<p><a href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`
              : html`<form method="post" action="/forget">
                  <button class="button">${say('Forget my data', 'Meine Daten löschen')}</button>
                </form>`
          }
        </section>
      </div>`,
  };
}

function row(req: Request, what: string, { verifiedAt, receipt }: KeptIdentity, value: string): Html {
  return html`<tr>
    <th scope="row">${what}</th>
    <td>${value}</td>
    <td>${writeTime(req, verifiedAt)}</td>
    <td><code>${receipt.id}</code></td>
  </tr>`;
}

function table(say: Say, rows: readonly Html[]): Html {
  return html`<div
    class="wide"
    tabindex="0"
    role="region"
    aria-label="${say('What we keep', 'Was gespeichert ist')}"
  >
    <table>
      <thead>
        <tr>
          <th scope="col">${say('What', 'Was')}</th>
          <th scope="col">${say('Value', 'Wert')}</th>
          <th scope="col">${say('Verified', 'Geprüft')}</th>
          <th scope="col">${say('Receipt', 'Beleg')}</th>
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;
}
