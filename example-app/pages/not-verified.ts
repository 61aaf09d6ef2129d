import { type RequestHandler, Router } from 'express';
import { textsOf } from '../language.js';
import type { Texts } from '../texts/index.js';
import { linesOf } from './drawer.js';
import { stories } from './home.js';
import { type Html, html } from './html.js';
import { show } from './layout.js';

type Words = (texts: Texts['notVerified']) => { readonly title: string; readonly text: string };

interface Family {
  readonly codes: readonly string[];
  /** What happened, whether anything was shared, and what helps. */
  readonly words: Words;
  /** Instead, where it is known what was asked for: every question asks for a date of birth. */
  readonly birth?: Words;
  /** False where trying again cannot help. */
  readonly again?: false;
}

/** A page for each family of codes. */
const families: readonly Family[] = [
  { codes: ['declined'], words: (t) => t.declined },
  { codes: ['not_shared'], words: (t) => t.notShared },
  { codes: ['card_blocked'], words: (t) => t.cardBlocked },
  { codes: ['attribute_invalid'], words: (t) => t.unusable, birth: (t) => t.noBirthday, again: false },
  { codes: ['timed_out'], words: (t) => t.timedOut },
  { codes: ['state_unknown'], words: (t) => t.ended },
  { codes: ['credential_missing'], words: (t) => t.noCredential },
  { codes: ['attributes_missing'], words: (t) => t.incomplete },
  { codes: ['presentation_invalid'], words: (t) => t.notAccepted },
  { codes: ['other_person'], words: (t) => t.otherPerson },
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
    words: (t) => t.unavailable,
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
    words: (t) => t.broken,
    again: false,
  },
];

const unknown: Family = { codes: [], words: (t) => t.unknown };

const notVerified = Router().get('/not-verified', (req, res) => {
  const { error, request, returnTo } = req.query;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const { words, birth, again } = families.find(({ codes }) => codes.includes(code)) ?? unknown;
  const isOwnChoice = ['declined', 'not_shared'].includes(code); // nothing to ask anybody about
  const { notVerified: t, links, frame } = textsOf(req);
  const { title, text } = ((isQuestion(request) && birth) || words)(t);
  const retry = again === false ? undefined : tryAgain(t.tryAgain, request, returnTo);
  show(req, res, {
    title,
    lead: text,
    body: html`<div class="actions">
        ${retry}
        <a class="button${retry && ' other'}" href="/">${links.start}</a>
        ${
          code === 'other_person'
            ? html`<form method="post" action="/log-out">
                <button class="button other">${frame.logOut}</button>
              </form>`
            : undefined
        }
        <a href="/counter">${t.counter}</a>
      </div>
      ${isOwnChoice ? undefined : html`<p class="soft">${t.code} <code>${code}</code></p>`}`,
    lines: linesOf({ 'pages/not-verified.ts': ['families'] }),
  });
});

function isQuestion(name: unknown): name is string {
  return ['default', 'age', 'vote', 'door', 'erasure'].includes(String(name));
}

/**
 * What pidgate says of the person who was here: where it knows no question, there is nothing to try again. An address could
 * have come from anyone: it leads to a known page.
 */
function tryAgain(text: string, request: unknown, returnTo: unknown): Html | undefined {
  if (!isQuestion(request)) return undefined;
  const start = request === 'default' ? '' : `/${request}`;
  const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
  return html`<a class="button" href="/identity/start${start}${query}">${text}</a>`;
}

/** The second way: for everybody without a wallet. */
const counter = Router().get('/counter', (req, res) => {
  const { counter: t, links } = textsOf(req);
  show(req, res, {
    title: t.title,
    lead: t.lead,
    body: html`<p>${t.hours}</p>
      <p>${t.door}</p>
      <p>${t.minors}</p>
      <p><a class="button" href="/">${links.start}</a></p>`,
  });
});

const notFound: RequestHandler = (req, res) => {
  const { notFound: t, links } = textsOf(req);
  const body = html`${stories(req)}
    <p><a href="/">${links.start}</a></p>`;
  show(req, res.status(404), { ...t, body });
};

/** Where a verification ended without success, the second way, and all other addresses. */
export const otherPages = Router().use(notVerified, counter, notFound);
