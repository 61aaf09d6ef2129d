import { type Request, type RequestHandler, Router } from 'express';
import { textsOf } from '../language.js';
import type { Texts } from '../texts/index.js';
import { stories } from './home.js';
import { type Html, html } from './html.js';
import { type Page, show } from './layout.js';

type Words = (texts: Texts['notVerified']) => { readonly title: string; readonly text: string };

interface Family {
  readonly codes: readonly string[];
  /** What happened, whether anything was shared, and what helps. */
  readonly words: Words;
  /** Instead, where it is known what was asked for: every question asks for a date of birth. */
  readonly birth?: Words;
  /** What helps: a new try, unless it is named. */
  readonly way?: 'counter' | 'logOut' | 'start';
}

/** A page for each family of codes. */
const families: readonly Family[] = [
  { codes: ['declined'], words: (t) => t.declined },
  { codes: ['not_shared'], words: (t) => t.notShared },
  { codes: ['card_blocked'], words: (t) => t.cardBlocked },
  { codes: ['attribute_invalid'], words: (t) => t.unusable, birth: (t) => t.noBirthday, way: 'counter' },
  { codes: ['timed_out'], words: (t) => t.timedOut },
  { codes: ['state_unknown'], words: (t) => t.ended },
  { codes: ['credential_missing'], words: (t) => t.noCredential },
  { codes: ['attributes_missing'], words: (t) => t.incomplete },
  { codes: ['credential_expired', 'credential_revoked'], words: (t) => t.noLongerValid, way: 'counter' },
  { codes: ['presentation_invalid'], words: (t) => t.notAccepted },
  { codes: ['other_person'], words: (t) => t.otherPerson, way: 'logOut' },
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
    way: 'start',
  },
];

const unknown: Family = { codes: [], words: (t) => t.unknown };

const notVerifiedPage = (req: Request): Page => {
  const { error, question, returnTo, supportCode } = req.query;
  const code = typeof error === 'string' && /^[a-z_]{1,40}$/.test(error) ? error : 'unknown';
  const { words, birth, way } = families.find(({ codes }) => codes.includes(code)) ?? unknown;
  const texts = textsOf(req);
  const { notVerified: t, links } = texts;
  const { title, text } = ((isQuestion(question) && birth) || words)(t);
  const main = mainWay(texts, way, question, returnTo);
  // By this the operator finds the verification in the log, and `pidgate dev` its timeline.
  const said =
    typeof supportCode === 'string' && /^[\dA-Z]{4}-[\dA-Z]{4}$/.test(supportCode) ? supportCode : undefined;
  const isOwnChoice = ['declined', 'not_shared'].includes(code); // nothing to ask anybody about
  return {
    title,
    lead: text,
    body: html`<div class="actions">
        ${main} <a class="button${main && ' other'}" href="/">${links.start}</a>
        ${way === 'counter' ? undefined : html`<a href="/counter">${t.otherWay}</a>`}
      </div>
      ${
        isOwnChoice
          ? undefined
          : html`<p class="soft">
              ${t.support}
              <span translate="no"
                >${said && html`<strong>${said}</strong> (`}<code>${code}</code>${said && ')'}</span
              >
            </p>`
      }`,
    receipt: said,
  };
};

/** What helps most, as a button; where nothing does, the way back to the start is it. */
function mainWay(
  { notVerified: t, links, frame }: Texts,
  way: Family['way'],
  question: unknown,
  returnTo: unknown,
): Html | undefined {
  if (way === 'counter') return html`<a class="button" href="/counter">${links.counter}</a>`;
  if (way === 'logOut') {
    return html`<form method="post" action="/log-out"><button class="button">${frame.logOut}</button></form>`;
  }
  if (way === 'start' || !isQuestion(question)) return undefined;
  return html`<a class="button" href="${startOf(question, returnTo)}">${t.tryAgain}</a>`;
}

function isQuestion(name: unknown): name is string {
  return ['default', 'age', 'vote', 'door', 'erasure'].includes(String(name));
}

/**
 * Where a new try begins. The question and the page are what pidgate says of the person who was here, but an address could
 * have come from anyone: it leads to a known question.
 */
function startOf(question: string, returnTo: unknown): string {
  const query = typeof returnTo === 'string' ? `?returnTo=${encodeURIComponent(returnTo)}` : '';
  return `/identity/start${question === 'default' ? '' : `/${question}`}${query}`;
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
export function otherPages(): Router {
  const router = Router();
  router.get('/not-verified', (req, res) => show(req, res, notVerifiedPage(req)));
  return router.use(counter, notFound);
}
