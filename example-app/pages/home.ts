import { type Request, Router } from 'express';
import type { Identity } from '../identity.js';
import { sayTo } from '../language.js';
import { logInCard } from '../log-in.js';
import { writeName } from '../members.js';
import { linesOf } from './drawer.js';
import { type Html, html } from './html.js';
import { show } from './layout.js';

export function homePages(identity: Identity): Router {
  const router = Router();
  router.get('/', (req, res) => {
    const say = sayTo(req);
    const { member } = req.session;
    const verified = identity.of(req) !== undefined;
    show(req, res, {
      title: say('Borrow the tool. Keep the shelf empty.', 'Werkzeug leihen. Regal leer lassen.'),
      lead: say(
        'Drills, ladders and clamps go to everyone who asks. For the rest, show us who you are, with your identity wallet.',
        'Bohrmaschinen, Leitern und Zwingen leihen wir allen. Für den Rest zeigen Sie uns, wer Sie sind: mit Ihrer Ausweis-App.',
      ),
      body: html`${stories(req)}
        <div class="split">
          ${
            member === undefined
              ? logInCard(req)
              : html`<section class="card">
                  <h2>
                    ${verified ? say('Welcome', 'Willkommen') : say('Hello', 'Guten Tag')},
                    ${writeName(member.name)}
                  </h2>
                  <p>${say('Your number', 'Ihre Nummer')}: ${member.number}</p>
                  ${
                    verified
                      ? html`<p>${say('Your identity is verified.', 'Ihre Identität ist geprüft.')}</p>
                          <p>
                            <a class="button other" href="/kept"
                              >${say('What we keep about you', 'Was wir über Sie speichern')}</a
                            >
                          </p>`
                      : html`<p>
                            ${say(
                              'You became a member at the counter. Please verify your identity once.',
                              'Sie sind an der Theke Mitglied geworden. Weisen Sie sich bitte einmal aus.',
                            )}
                          </p>
                          <p>
                            <a class="button other" href="/identity/start?reason=counter"
                              >${say('Verify my identity', 'Identität nachweisen')}</a
                            >
                          </p>`
                  }
                </section>`
          }
          <section>
            <h2>${say('How it works', 'So funktioniert es')}</h2>
            <ol class="plain">
              <li>
                ${say('A page says what we ask for, and why.', 'Sie sehen zuerst, was wir wissen wollen und warum.')}
              </li>
              <li>
                ${say('Your wallet shows the same list. You agree there, or you do not.', 'Ihre Ausweis-App zeigt dieselbe Liste. Dort stimmen Sie zu oder nicht.')}
              </li>
              <li>
                ${say('You are back here, and we keep the least that we need.', 'Sie sind wieder hier, und wir speichern so wenig wie möglich.')}
              </li>
            </ol>
          </section>
        </div>`,
      lines: linesOf({ 'identity.ts': ['createIdentity'] }),
      receipt: identity.of(req)?.receipt.id,
    });
  });
  return router;
}

/** The four stories and the step-up, as ways to go from here. */
export function stories(req: Request): Html {
  const say = sayTo(req);
  const story = (title: string, text: string, path: string, link: string): Html =>
    html`<li>
      <h2>${title}</h2>
      <p>${text}</p>
      <a class="button" href="${path}">${link}</a>
    </li>`;
  return html`<ul class="tiles stories">
    ${story(
      say('Machines from 18', 'Maschinen ab 18'),
      say(
        'We ask for your date of birth and keep a yes or no. No account needed.',
        'Wir fragen nach dem Geburtsdatum und speichern ein Ja oder Nein. Ohne Konto.',
      ),
      '/machines',
      say('Go to the machines', 'Zu den Maschinen'),
    )}
    ${story(
      say('An account in two minutes', 'Ein Konto in zwei Minuten'),
      say(
        'Your wallet fills in the form, and you are logged in.',
        'Ihre Ausweis-App füllt das Formular aus, und Sie sind angemeldet.',
      ),
      '/membership',
      req.session.member === undefined
        ? say('Become a member', 'Mitglied werden')
        : say('My membership', 'Meine Mitgliedschaft'),
    )}
    ${story(
      say('A voting card', 'Ein Wahlausweis'),
      say(
        'German citizens elect our board. One question to the identity service, answered with yes or no.',
        'Deutsche Staatsangehörige wählen unseren Vorstand. Eine Frage an den Ausweisdienst, die er mit Ja oder Nein beantwortet.',
      ),
      '/voting-card',
      say('Get my voting card', 'Wahlausweis holen'),
    )}
    ${story(
      say('The workshop at night', 'Die Werkstatt bei Nacht'),
      say(
        'The door code requires a recent proof, even from members.',
        'Für den Türcode brauchen auch Mitglieder einen aktuellen Nachweis.',
      ),
      '/door',
      say('Get the door code', 'Türcode holen'),
    )}
    ${story(
      say('Forget me', 'Meine Daten hier löschen'),
      say(
        'Your wallet shows that the account is yours. We erase it, and you get a receipt.',
        'Ihre Ausweis-App zeigt, dass es Ihr Konto ist. Wir löschen es, und Sie bekommen einen Beleg.',
      ),
      '/erasure',
      say('Erase my account', 'Mein Konto löschen'),
    )}
  </ul>`;
}
