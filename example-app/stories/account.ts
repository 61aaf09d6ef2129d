import { type Request, Router } from 'express';
import type { KeptIdentity } from 'pidgate';
import type { Identity } from '../identity.js';
import { sayTo, writeTime } from '../language.js';
import { type Member, isName, newMember } from '../members.js';
import { linesOf } from '../pages/drawer.js';
import { html } from '../pages/html.js';
import { type Page, show } from '../pages/layout.js';

interface Names {
  readonly given_name: string;
  readonly family_name: string;
}

interface Proved {
  readonly attributes: Names & { readonly birth_date: string };
}

/** Story 2, an account: the wallet fills in the form, and the log-in happens inside onSuccess. */
export const account = {
  reveal: ['given_name', 'family_name', 'birth_date'],
  keep: ({ attributes }: Proved) => ({ name: fullName(attributes), born: attributes.birth_date }),
  successRedirect: '/membership',
} as const;

/**
 * Nobody is logged in: this opens an account and logs the person in. It never logs in to an account that exists, since
 * two people may share a name and a birthday. A member who is logged in must be the one who was proved.
 */
export function openAccount(req: Request, receiptId: string, names: Names): { refuse: string } | undefined {
  const { member } = req.session;
  if (member !== undefined) return refuseOthers(member, names);
  req.session.member = newMember(receiptId, fullName(names));
  return undefined;
}

/** The name that was proved must be the member's. */
export function refuseOthers(member: Member | undefined, names: Names): { refuse: string } | undefined {
  return member !== undefined && isName(member, fullName(names)) ? undefined : { refuse: 'other_person' };
}

export function accountPages(identity: Identity): Router {
  const router = Router();
  router.get('/membership', identity.require({ maxAge: '30d' }), (req, res) => {
    const proved = identity.of(req);
    show(req, res, { ...membershipPage(req, proved), lines, receipt: proved?.receipt.id });
  });
  return router;
}

const lines = linesOf('stories/account.ts', 'account', 'openAccount', 'accountPages');

function fullName({ given_name, family_name }: Names): string {
  return `${given_name} ${family_name}`;
}

function membershipPage(
  req: Request,
  proved: KeptIdentity<{ readonly name: string; readonly born: string }> | undefined,
): Page {
  const say = sayTo(req);
  return {
    title: say('Your membership', 'Ihre Mitgliedschaft'),
    lead: say(
      'Thank you, that is you. Your wallet has filled in the form.',
      'Danke, das sind Sie. Ihre Ausweis-App hat das Formular ausgefüllt.',
    ),
    body: html`<div class="split">
      <section class="card member">
        <h2>${say('Member of Drehmoment', 'Mitglied bei Drehmoment')}</h2>
        <dl>
          <div>
            <dt>${say('Name', 'Name')}</dt>
            <dd>${proved?.kept.name}</dd>
          </div>
          <div>
            <dt>${say('Born', 'Geboren')}</dt>
            <dd>${proved?.kept.born}</dd>
          </div>
          <div>
            <dt>${say('Number', 'Nummer')}</dt>
            <dd>${req.session.member?.number}</dd>
          </div>
          <div>
            <dt>${say('Verified', 'Geprüft')}</dt>
            <dd>${proved && writeTime(req, proved.verifiedAt)}</dd>
          </div>
          <div>
            <dt>${say('Receipt', 'Beleg')}</dt>
            <dd><code>${proved?.receipt.id}</code></dd>
          </div>
        </dl>
        ${
          proved?.sandbox === true
            ? html`<p class="note">
                ${say(
                  'A test wallet answered. This proves nothing about anyone.',
                  'Eine Test-App hat geantwortet. Das beweist nichts über irgendwen.',
                )}
              </p>`
            : undefined
        }
      </section>
      <div>
        <h2>${say('What you can do now', 'Was Sie jetzt tun können')}</h2>
        <ul class="ways">
          <li><a href="/machines">${say('Go to the machines', 'Zu den Maschinen')}</a></li>
          <li><a href="/resident">${say('See my price', 'Meinen Preis ansehen')}</a></li>
          <li><a href="/door">${say('Get the door code', 'Türcode holen')}</a></li>
          <li>
            <a href="/kept">${say('All that we keep about you', 'Alles, was wir über Sie speichern')}</a>
          </li>
        </ul>
        <p class="soft">
          ${say(
            'This made-up library has no database: the account lives in your session and is gone when you log out.',
            'Diese erfundene Bibliothek hat keine Datenbank: Das Konto liegt in Ihrer Sitzung und endet mit der Abmeldung.',
          )}
        </p>
      </div>
    </div>`,
  };
}
