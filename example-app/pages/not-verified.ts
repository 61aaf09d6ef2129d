import { type RequestHandler, Router } from 'express';
import { sayTo } from '../language.js';
import { linesOf } from './drawer.js';
import { stories } from './home.js';
import { html } from './html.js';
import { show } from './layout.js';

type Words = readonly [en: string, de: string];

interface Family {
  readonly codes: readonly string[];
  readonly title: Words;
  readonly text: Words;
}

/** A page for each family of codes: what happened, whether anything was shared, and what helps. */
const families: readonly Family[] = [
  {
    codes: ['declined'],
    title: ['You kept your data to yourself', 'Sie haben Ihre Daten für sich behalten'],
    text: [
      'Nothing was shared with us, and nothing has changed. Drills, ladders and clamps are still yours to borrow.',
      'Wir haben nichts erhalten, und nichts hat sich geändert. Bohrer, Leitern und Zwingen leihen wir Ihnen weiterhin.',
    ],
  },
  {
    codes: ['timed_out'],
    title: ['The time was up', 'Die Zeit war um'],
    text: [
      'Your wallet did not answer in time, and nothing was shared. Take your time and begin once more.',
      'Ihre Ausweis-App hat nicht rechtzeitig geantwortet, und wir haben nichts erhalten. Beginnen Sie in Ruhe noch einmal.',
    ],
  },
  {
    codes: ['credential_missing'],
    title: ['Your wallet has no identity that fits', 'Ihre Ausweis-App hat keinen passenden Ausweis'],
    text: [
      'Nothing was shared. Add your identity card to the wallet, then begin once more.',
      'Wir haben nichts erhalten. Fügen Sie der App Ihren Ausweis hinzu und beginnen Sie noch einmal.',
    ],
  },
  {
    codes: ['presentation_invalid', 'attributes_missing'],
    title: ['Your proof was not accepted', 'Ihr Nachweis wurde nicht angenommen'],
    text: [
      'We could not rely on what your wallet sent, and kept nothing of it. Your card or the wallet may need to be renewed.',
      'Wir konnten uns auf die Daten nicht verlassen und haben nichts gespeichert. Vielleicht muss der Ausweis oder die App erneuert werden.',
    ],
  },
  {
    codes: ['other_person'],
    title: ['This is not your account', 'Das ist nicht Ihr Konto'],
    text: [
      'The name that you proved is not the name of the account that you are logged in to. Nothing was kept. Log out to open an account of your own.',
      'Der nachgewiesene Name ist nicht der Name des Kontos, in dem Sie angemeldet sind. Nichts wurde gespeichert. Melden Sie sich ab, um ein eigenes Konto zu eröffnen.',
    ],
  },
  {
    codes: [
      'service_unreachable',
      'service_timeout',
      'busy',
      'store_unavailable',
      'store_full',
      'hook_timeout',
    ],
    title: ['We cannot verify anybody right now', 'Wir können gerade niemanden prüfen'],
    text: [
      'The fault is not yours. Please try again in a few minutes; everything that needs no proof works as always.',
      'Das liegt nicht an Ihnen. Bitte versuchen Sie es in einigen Minuten wieder. Alles, was keinen Nachweis braucht, geht wie immer.',
    ],
  },
  {
    codes: ['config_invalid', 'service_reply_invalid', 'session_unsupported'],
    title: ['Something is set up wrongly here', 'Hier ist etwas falsch eingerichtet'],
    text: [
      'Trying again will not help. We are told about it; please come back another day, or ask at the counter.',
      'Es hilft nicht, es noch einmal zu versuchen. Wir erfahren davon. Bitte kommen Sie später wieder oder fragen Sie an der Theke.',
    ],
  },
];

const unknown: Family = {
  codes: [],
  title: ['That did not work', 'Das hat nicht geklappt'],
  text: [
    'We could not verify your identity, and kept nothing. Please begin once more.',
    'Wir konnten Ihre Identität nicht prüfen und haben nichts gespeichert. Bitte beginnen Sie noch einmal.',
  ],
};

export const notVerifiedPages = Router().get('/not-verified', (req, res) => {
  const { error } = req.query;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const { title, text } = families.find(({ codes }) => codes.includes(code)) ?? unknown;
  const say = sayTo(req);
  show(req, res, {
    title: say(...title),
    lead: say(...text),
    body: html`<p><a class="button" href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>
      <h2 class="section">${say('Where would you like to go?', 'Wohin möchten Sie?')}</h2>
      ${stories(req)}
      <p class="soft">
        ${say('If you write to us about it, this code helps:', 'Wenn Sie uns dazu schreiben, hilft dieser Code:')}
        <code>${code}</code>
      </p>`,
    lines: linesOf({ 'pages/not-verified.ts': ['families'] }),
  });
});

export const notFound: RequestHandler = (req, res) => {
  const say = sayTo(req);
  show(req, res.status(404), {
    title: say('Nothing here', 'Hier ist nichts'),
    lead: say(
      'There is no page at this address. Perhaps one of these?',
      'Unter dieser Adresse gibt es keine Seite. Vielleicht eine von diesen?',
    ),
    body: html`${stories(req)}
      <p><a href="/">${say('Back to the start', 'Zurück zum Anfang')}</a></p>`,
  });
};
