import { type Request, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { type Say, sayTo, writeDay, writeTime } from '../language.js';
import { writeName } from '../members.js';
import { linesOf } from './drawer.js';
import { type Html, html } from './html.js';
import { type Page, show } from './layout.js';

/** Everything that this app has stored about the person, and the button that erases it. */
export function keptPages(identity: Identity): Router {
  const router = Router();
  router.get('/kept', (req, res) => {
    const account = identity.of(req);
    const age = identity.of(req, { request: 'age' });
    const vote = identity.of(req, { request: 'vote' });
    const door = identity.of(req, { request: 'door' });
    const erasure = identity.of(req, { request: 'erasure' });
    show(req, res, { ...keptPage(req, { account, age, vote, door, erasure }), lines });
  });
  router.get('/forget', (req, res) => {
    if (questions.every((request) => identity.of(req, { request }) === undefined)) res.redirect(303, '/kept');
    else show(req, res, { ...forgetPage(req), lines });
  });
  router.post('/forget', (req, res, next) => {
    identity.forget(req).then(() => res.redirect(303, '/kept?erased'), next);
  });
  return router;
}

const questions = ['default', 'age', 'vote', 'door', 'erasure'] as const;

const lines = linesOf({ 'pages/kept.ts': ['keptPages'] });

/** What is kept for each of the five questions. */
interface All {
  readonly account: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined;
  readonly age: KeptIdentity<{ readonly adult: boolean }> | undefined;
  readonly vote: KeptIdentity<{ readonly mayVote: boolean }> | undefined;
  readonly door: KeptIdentity | undefined;
  readonly erasure: KeptIdentity<{ readonly account: string }> | undefined;
}

/** Asks once: what is erased does not come back. */
function forgetPage(req: Request): Page {
  const say = sayTo(req);
  return {
    title: say('Erase your data?', 'Ihre Daten löschen?'),
    lead: say(
      'We erase all that we kept from your verifications. For machines, election and workshop you then verify again.',
      'Wir löschen alles, was wir aus Ihren Nachweisen gespeichert haben. Für Maschinen, Wahl und Werkstatt weisen Sie sich dann neu aus.',
    ),
    body: html`<form method="post" action="/forget" class="actions">
      <button class="button">${say('Erase my data', 'Meine Daten löschen')}</button>
      <a href="/kept">${say('Keep it', 'Nicht löschen')}</a>
    </form>`,
  };
}

function keptPage(req: Request, { account, age, vote, door, erasure }: All): Page {
  const say = sayTo(req);
  const { member, erased } = req.session;
  const yesNo = (yes: boolean): string => (yes ? say('yes', 'ja') : say('no', 'nein'));
  const found = erasure?.kept.account.replace('none', say('none found', 'keines gefunden'));
  const rows = [
    account &&
      row(
        req,
        say('Membership', 'Mitgliedschaft'),
        account,
        `${writeName(account.kept.name)}, ${writeDay(req, account.kept.born)}`,
      ),
    age && row(req, say('At least 18', 'Mindestens 18'), age, yesNo(age.kept.adult)),
    vote && row(req, say('German citizen', 'Deutsche Staatsangehörigkeit'), vote, yesNo(vote.kept.mayVote)),
    door && row(req, say('At the door', 'An der Tür'), door, say('you verified', 'ausgewiesen')),
    erasure &&
      row(
        req,
        say('Account to erase', 'Konto, das Sie löschen möchten'),
        erasure,
        member?.number ?? `${found}`,
      ),
  ].filter((row) => row !== undefined);
  return {
    title: say('What we keep about you', 'Was wir über Sie speichern'),
    lead:
      rows.length === 0
        ? req.query['erased'] === undefined
          ? say('No verification is stored.', 'Wir haben keinen Nachweis von Ihnen gespeichert.')
          : say(
              'Your data is erased. No verification is stored.',
              'Ihre Daten sind gelöscht. Wir haben keinen Nachweis von Ihnen gespeichert.',
            )
        : say(
            'This is all that we kept from your verifications.',
            'Das haben wir aus Ihren Nachweisen gespeichert, sonst nichts.',
          ),
    body: html`${rows.length === 0 ? undefined : table(say, rows)}
      <div class="split">
        ${
          rows.length === 0
            ? undefined
            : html`<section class="card">
                <h2>
                  ${say('What we asked for and did not keep', 'Was wir erfragt, aber nicht gespeichert haben')}
                </h2>
                <ul class="plain">
                  ${
                    age &&
                    html`<li>
                      ${say(
                        'For the machines: your date of birth. We keep only whether you are at least 18.',
                        'Für die Maschinen: Ihr Geburtsdatum. Wir speichern nur, ob Sie mindestens 18 sind.',
                      )}
                    </li>`
                  }
                  ${
                    vote &&
                    html`<li>
                      ${say(
                        'For the election: your name, to compare it with your account. Your nationalities are never sent to us.',
                        'Für die Wahl: Ihren Namen, um ihn mit dem Konto zu vergleichen. Ihre Staatsangehörigkeiten erfahren wir nie.',
                      )}
                    </li>`
                  }
                  ${
                    door &&
                    html`<li>
                      ${say(
                        'For the door: your name, to compare it with your account.',
                        'Für die Tür: Ihren Namen, um ihn mit dem Konto zu vergleichen.',
                      )}
                    </li>`
                  }
                  ${
                    erasure &&
                    html`<li>
                      ${say(
                        'For the erasure: your name and your date of birth, to find your account.',
                        'Für die Löschung: Ihren Namen und Ihr Geburtsdatum, um Ihr Konto zu finden.',
                      )}
                    </li>`
                  }
                  <li>
                    ${say('The signed answer of your wallet itself.', 'Die Antwort Ihrer Ausweis-App selbst.')}
                  </li>
                </ul>
              </section>`
        }
        <section>
          ${
            erased &&
            html`<p>
              ${say('The receipt of your erased account', 'Der Beleg Ihres gelöschten Kontos')}:
              <code>${erased.receipt}</code>
            </p>`
          }
          <h2>${say('How long', 'Wie lange')}</h2>
          <p>
            ${say(
              'At most thirty days. A “no”, and the data for an erasure: ten minutes only. The receipt is a random number.',
              'Höchstens dreißig Tage. Ein Nein und die Angaben für eine Löschung nur zehn Minuten. Der Beleg ist eine zufällige Nummer.',
            )}
            ${member && say('Logging out erases all of it.', 'Wenn Sie sich abmelden, wird alles gelöscht.')}
          </p>
          ${
            member &&
            html`<p>
              ${say('Your account', 'Ihr Konto')} (${member.number}, ${writeName(member.name)})
              ${say('stays until you log out.', 'bleibt bis zur Abmeldung.')}
              <a href="/erasure">${say('Erase my account', 'Mein Konto löschen')}</a>
            </p>`
          }
          ${
            rows.length === 0
              ? html`<p><a href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`
              : html`<p>
                  <a class="button other" href="/forget"
                    >${say('Erase my data …', 'Meine Daten löschen …')}</a
                  >
                </p>`
          }
        </section>
      </div>`,
  };
}

function row(req: Request, what: string, { verifiedAt, receipt }: KeptIdentity, value: string): Html {
  const say = sayTo(req);
  return html`<tr>
    <th scope="row">${what}</th>
    <td data-label="${say('Value', 'Wert')}">${value}</td>
    <td data-label="${say('Verified', 'Geprüft')}">${writeTime(req, verifiedAt)}</td>
    <td data-label="${say('Receipt', 'Beleg')}"><code>${receipt.id}</code></td>
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
