import { type RequestHandler, Router } from 'express';
import { type Say, sayTo } from '../language.js';
import { linesOf } from './drawer.js';
import { stories } from './home.js';
import { type Html, html } from './html.js';
import { show } from './layout.js';

type Words = readonly [en: string, de: string];

interface Family {
  readonly codes: readonly string[];
  /** False where trying again cannot help. */
  readonly again?: false;
  readonly title: Words;
  readonly text: Words;
  /** Instead, where a date of birth was asked for. */
  readonly birth?: Words;
}

/** A page for each family of codes: what happened, whether anything was shared, and what helps. */
const families: readonly Family[] = [
  {
    codes: ['declined'],
    title: ['You kept your data to yourself', 'Sie haben Ihre Daten für sich behalten'],
    text: [
      'Nothing was shared with us, and nothing has changed.',
      'Wir haben nichts erhalten, und es hat sich nichts geändert.',
    ],
  },
  {
    codes: ['not_shared'],
    title: ['Your wallet shared nothing', 'Ihre Ausweis-App hat nichts übermittelt'],
    text: [
      'Perhaps you cancelled or said no, or there is no matching ID in it. Nothing has changed.',
      'Vielleicht haben Sie abgebrochen oder abgelehnt, oder die App enthält keinen passenden Ausweis. Es hat sich nichts geändert.',
    ],
  },
  {
    codes: ['card_blocked'],
    title: ['Your identity card is blocked', 'Ihr Personalausweis ist gesperrt'],
    text: [
      'Unblock it with the PUK from your PIN letter first, then try again. Nothing was shared.',
      'Entsperren Sie ihn zuerst mit der PUK aus Ihrem PIN-Brief und versuchen Sie es dann noch einmal. Wir haben nichts erhalten.',
    ],
  },
  {
    codes: ['attribute_invalid'],
    again: false,
    title: ['Your ID cannot be used here', 'Ihr Ausweis lässt sich hier nicht nutzen'],
    text: [
      'Something on your ID is incomplete or cannot be read here. Please come to the counter.',
      'Eine Angabe auf Ihrem Ausweis ist unvollständig oder hier nicht lesbar. Bitte kommen Sie zur Theke.',
    ],
    birth: [
      'Your card shows no full date of birth, and we need it here. Please come to the counter.',
      'Auf Ihrem Ausweis steht kein vollständiges Geburtsdatum, und hier brauchen wir es. Bitte kommen Sie zur Theke.',
    ],
  },
  {
    codes: ['timed_out'],
    title: ['Your request timed out', 'Die Zeit ist abgelaufen'],
    text: [
      'Your wallet did not answer in time, and nothing was shared. Please start again when you are ready.',
      'Ihre Ausweis-App hat nicht rechtzeitig geantwortet, und wir haben nichts erhalten. Beginnen Sie neu, wenn Sie so weit sind.',
    ],
  },
  {
    codes: ['state_unknown'],
    title: ['This verification has ended', 'Dieser Vorgang ist beendet'],
    text: [
      'It has expired or was used already, or you have logged out meanwhile. Nothing was kept. Please start again.',
      'Er ist abgelaufen oder wurde schon benutzt, oder Sie haben sich inzwischen abgemeldet. Es wurde nichts gespeichert. Bitte beginnen Sie neu.',
    ],
  },
  {
    codes: ['credential_missing'],
    title: ['No matching ID in your wallet', 'Ihre Ausweis-App hat keinen passenden Ausweis'],
    text: [
      'Nothing was shared. Add your identity card to the wallet, then start again.',
      'Wir haben nichts erhalten. Fügen Sie der App Ihren Ausweis hinzu und beginnen Sie dann neu.',
    ],
  },
  {
    codes: ['attributes_missing'],
    title: ['Something is missing', 'Es fehlt etwas'],
    text: [
      'Your wallet did not share everything that was requested. We kept nothing of it.',
      'Ihre Ausweis-App hat nicht alle abgefragten Angaben übermittelt. Wir haben nichts davon gespeichert.',
    ],
  },
  {
    codes: ['presentation_invalid'],
    title: ['Your proof was not accepted', 'Ihr Nachweis wurde nicht anerkannt'],
    text: [
      'We could not rely on what your wallet sent, and kept nothing of it. If it happens again, your wallet may be out of date or your card may have expired.',
      'Wir konnten die Daten nicht bestätigen und haben nichts gespeichert. Falls es wieder passiert: Vielleicht ist die App veraltet oder der Ausweis abgelaufen.',
    ],
  },
  {
    codes: ['other_person'],
    title: ['The names do not match', 'Die Namen stimmen nicht überein'],
    text: [
      'Your ID and the account that you are logged in to have different names. Nothing was kept. Use your own ID, or log out.',
      'Auf dem Ausweis steht ein anderer Name als im Konto, in dem Sie angemeldet sind. Es wurde nichts gespeichert. Bitte nutzen Sie Ihren eigenen Ausweis oder melden Sie sich ab.',
    ],
  },
  {
    codes: [
      'service_unreachable',
      'service_timeout',
      'keys_unavailable',
      'credential_status_unavailable',
      'verify_timeout',
      'busy',
      'store_unavailable',
      'store_full',
      'hook_timeout',
      'error_internal',
    ],
    title: ['We cannot check identities right now', 'Die Prüfung ist gerade nicht möglich'],
    text: [
      'You did nothing wrong. Please try again in a few minutes; everything else works as usual.',
      'Das liegt nicht an Ihnen. Bitte versuchen Sie es in einigen Minuten noch einmal. Alles andere funktioniert wie gewohnt.',
    ],
  },
  {
    codes: [
      'config_invalid',
      'body_consumed',
      'service_reply_invalid',
      'session_missing',
      'session_unsupported',
      'error_account',
      'error_api_key',
      'error_invalid_attribute',
      'error_invalid_body',
      'error_missing_parameter',
      'error_missing_state',
      'error_wrong_issuer',
    ],
    again: false,
    title: ['Something is wrong on our side', 'Bei uns stimmt etwas nicht'],
    text: [
      'Trying again will not help. We have been informed; please come back another day, or ask at the counter.',
      'Ein neuer Versuch hilft nicht. Wir sind informiert. Bitte kommen Sie später wieder oder fragen Sie an der Theke.',
    ],
  },
];

const unknown: Family = {
  codes: [],
  title: ['That did not work', 'Der Vorgang wurde unterbrochen'],
  text: [
    'We could not verify your identity, and kept nothing. Please start again.',
    'Wir konnten Ihre Identität nicht prüfen und haben nichts gespeichert. Bitte beginnen Sie neu.',
  ],
};

const notVerified = Router().get('/not-verified', (req, res) => {
  const { error, request, returnTo } = req.query;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const { title, text, birth, again } = families.find(({ codes }) => codes.includes(code)) ?? unknown;
  const asksBirth = typeof request === 'string' && ['default', 'age', 'erasure'].includes(request);
  const isOwnChoice = ['declined', 'not_shared'].includes(code); // nothing to ask anybody about
  const say = sayTo(req);
  const retry = again === false ? undefined : tryAgain(say, request, returnTo);
  show(req, res, {
    title: say(...title),
    lead: say(...((asksBirth && birth) || text)),
    body: html`<div class="actions">
        ${retry}
        <a class="button${retry && ' other'}" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a>
        ${
          code === 'other_person'
            ? html`<form method="post" action="/log-out">
                <button class="button other">${say('Log out', 'Abmelden')}</button>
              </form>`
            : undefined
        }
        <a href="/counter"
          >${say('Another way: come to the counter', 'Es geht auch ohne App: Kommen Sie zur Theke')}</a
        >
      </div>
      ${
        isOwnChoice
          ? undefined
          : html`<p class="soft">
              ${say('If you ask at the counter about it, this code helps:', 'Wenn Sie an der Theke danach fragen, hilft dieser Code:')}
              <code>${code}</code>
            </p>`
      }`,
    lines: linesOf({ 'pages/not-verified.ts': ['families'] }),
  });
});

/**
 * What pidgate says of the person who was here: where it knows no question, there is nothing to try again. An address could
 * have come from anyone: it leads to a known page.
 */
function tryAgain(say: Say, request: unknown, returnTo: unknown): Html | undefined {
  if (!['default', 'age', 'vote', 'door', 'erasure'].includes(String(request))) return undefined;
  const start = request === 'default' ? '' : `/${String(request)}`;
  const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
  return html`<a class="button" href="/identity/start${start}${query}"
    >${say('Try again', 'Noch einmal versuchen')}</a
  >`;
}

/** The second way: for everybody without a wallet. */
const counter = Router().get('/counter', (req, res) => {
  const say = sayTo(req);
  show(req, res, {
    title: say('At the counter', 'An der Theke'),
    lead: say(
      'Bring any ID with a photo. We look at it, and copy nothing.',
      'Bringen Sie einen Ausweis mit Foto mit. Wir sehen ihn an und kopieren nichts.',
    ),
    body: html`<p>
        ${say('Tuesday to Saturday, 10:00 to 18:00, Werkstraße 12.', 'Dienstag bis Samstag, 10 bis 18 Uhr, Werkstraße 12.')}
      </p>
      <p>
        ${say('The workshop at any other hour: ring the bell, and a member on duty lets you in.', 'In die Werkstatt zu jeder anderen Zeit: Klingeln Sie, ein Mitglied vom Dienst lässt Sie ein.')}
      </p>
      <p>
        ${say('Under 18: drills, ladders and clamps, without an ID.', 'Unter 18: Bohrmaschinen, Leitern und Zwingen, ohne Ausweis.')}
      </p>
      <p><a class="button" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`,
  });
});

const notFound: RequestHandler = (req, res) => {
  const say = sayTo(req);
  show(req, res.status(404), {
    title: say('Page not found', 'Seite nicht gefunden'),
    lead: say(
      'There is no page at this address. Perhaps one of these?',
      'Unter dieser Adresse gibt es keine Seite. Vielleicht eine von diesen?',
    ),
    body: html`${stories(req)}
      <p><a href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`,
  });
};

/** Where a verification ended without success, the second way, and all other addresses. */
export const otherPages = Router().use(notVerified, counter, notFound);
