import { IdentityError, kitError } from '../errors.js';
import { endWithoutFlow, startFlow } from '../flow/flow.js';
import { knownOptions } from '../internal/validate.js';
import type { ResolvedQuestion } from '../options/questions.js';
import {
  inSameLanguage,
  isFromThisApp,
  ownAddress,
  queryOf,
  staleReason,
  startAddress,
  startPath,
  type Exchange,
} from './context.js';
import { walletRedirectPage } from './pages/error-page.js';
import { startPage } from './pages/start-page.js';
import {
  type Sender,
  isNavigation,
  send,
  sendJsonError,
  sendWithSession,
  setSecurityHeaders,
  wantsJson,
} from './respond.js';
import { hintIn, sendError, sendPage } from './send-page.js';
import { bringsOtherSession, bringsSession, endWithProcess } from './session/session.js';
import { writeStart } from './session/write-session.js';
import {
  type StartOptions,
  checkReturnTo,
  isFreshForm,
  isKitForm,
  kitFormAddress,
  readStartInput,
  reasonOf,
  questionNamed,
} from './start-input.js';

/** `GET /start`: the page that says what is requested. Nothing happens until its button is pressed. */
export async function showStart(exchange: Exchange, question: ResolvedQuestion): Promise<void> {
  await sendErrors(exchange, question.name, () => sendStartPage(exchange, question, kitAddress));
}

/** `GET /start` where the options have no question at their top: only those in `questions` have a start. */
export async function showNoQuestion(exchange: Exchange): Promise<void> {
  const { kit } = exchange;
  const starts = [...kit.config.questions.keys()].map((name) => startPath(kit, name)).join(', ');
  const message = `The options have no reveal at their top, so every start needs the name of a question: ${starts}.`;
  await sendError(exchange, kitError('not_found', { message }));
}

/** `POST /start`. */
export async function startQuestion(exchange: Exchange, question: ResolvedQuestion): Promise<void> {
  await sendErrors(exchange, question.name, async () => {
    if (isFromThisApp(exchange)) await begin(exchange, { question: question.name }, kitAddress);
    else await refuseCrossSite(exchange, question, kitAddress);
  });
}

/** `identity.start()`, in a `POST` route of the app. */
export async function startFromRoute(exchange: Exchange, overrides: StartOptions = {}): Promise<void> {
  const { kit, req, res } = exchange;
  setSecurityHeaders(res);
  await sendErrors(exchange, overrides.question ?? 'default', async () => {
    knownOptions(overrides, ['question', 'returnTo', 'sameDevice', 'ways', 'context'], 'identity.start');
    if (req.method !== 'POST') await refuseLink(exchange, overrides);
    else if (isFromThisApp(exchange)) await begin(exchange, overrides, ownAddress);
    else await refuseCrossSite(exchange, questionNamed(kit, overrides.question), ownAddress);
  });
}

/** Somebody followed a link to the app's own route, where only a form starts. The page leads to the start that links may name. */
async function refuseLink(exchange: Exchange, overrides: StartOptions): Promise<void> {
  const { kit, req, res } = exchange;
  const question = questionNamed(kit, overrides.question).name;
  const start = startPath(kit, question);
  const link = start === undefined ? '' : ` For a link, use ${start}?returnTo=/club.`;
  const message = `identity.start needs a POST: app.post('/go', …) with a form.${link}`;
  kit.log.once(message);
  res.set('Allow', 'POST');
  const returnTo = checkReturnTo(kit, req, overrides.returnTo);
  await sendError(exchange, kitError('method_not_allowed', { message }), { own: { question, returnTo } });
}

/** Begins a flow, and answers as it ended. */
async function begin(exchange: Exchange, overrides: StartOptions, addressOf: FormAddress): Promise<void> {
  const { kit, req, res } = exchange;
  const input = await readStartInput(exchange, overrides);
  if (kit.config.secrets === undefined && kit.config.isProduction && !endWithProcess(req))
    kit.log.once(secretOfProcess);
  let until = 0;
  let sender: Sender = send;
  const end = await startFlow(kit.flow, input, async (start) => {
    ({ until } = start);
    const facts = { mayHaveAnother: mayHaveAnother(exchange), isOfRoute: addressOf === ownAddress };
    const { digest, needsCookie } = await writeStart(kit, req, start, facts);
    if (needsCookie) sender = sendWithSession;
    return digest;
  });
  const { error, own } = end;
  const asksWallets = kit.config.access !== undefined; // then the next page is the kit's own
  const { location = '' } = end;
  const redirectUrl = asksWallets ? inSameLanguage(exchange, location) : location;
  // Where the browser may have another session by now, the person presses once more.
  if (end.transition === 'session_left') {
    if (wantsJson(req)) sendJsonError(res, new IdentityError('session_save_failed'));
    else await sendStartPage(exchange, questionNamed(kit, overrides.question), addressOf, { isFresh: true });
  } else if (error !== undefined) await sendError(exchange, error, end, sender);
  else if (wantsJson(req)) {
    sender.json(res, 200, { redirectUrl, flowId: own?.id, expiresAt: new Date(until).toISOString() });
  } else if (asksWallets || isKitForm(req) || !isNavigation(req)) sender.redirect(res, redirectUrl);
  // Chromium applies the form-action of the app's page to a redirect, and not to where the next page goes by itself.
  else await sendPage(exchange, (site) => walletRedirectPage(site, redirectUrl), sender);
}

const secretOfProcess =
  'there is no option secret (or IDENTITY_SECRET), so what sessions keep is sealed with a secret of this process: after ' +
  'its restart it does not count, and people verify again. To keep it, set the option. See pidgate/docs/options.md';

/**
 * Whether the browser may have another session than this request's, where that is not stored: it brought the cookie of
 * one that was. That has ended, or a release or a log-in has just given it another id, and a new session's cookie would go
 * over that one's.
 */
const mayHaveAnother = ({ req }: Exchange): boolean =>
  bringsSession(req) && !isFreshForm(req) && !wantsJson(req);

/** Another site's page, or no page at all, sent this POST: nothing happens, a person gets the start page. */
async function refuseCrossSite(
  exchange: Exchange,
  question: ResolvedQuestion,
  addressOf: FormAddress,
): Promise<void> {
  const { kit, req, res } = exchange;
  const start = startAddress(kit, req, question.name) ?? 'the page with the button';
  const message = `A page of another origin sent this: it may link to ${start}, and not post or fetch it.`;
  const error = kitError('cross_site', { message });
  if (wantsJson(req) || !req.accepts('html')) sendJsonError(res, error, hintIn(kit, error));
  else {
    // The kit's own page has sent it, so somebody in between has dropped what a browser says of that.
    const isDropped =
      isKitForm(req) && req.headers.origin === undefined && req.headers['sec-fetch-site'] === undefined;
    if (isDropped) kit.log.warn(droppedHeaders);
    await sendStartPage(exchange, question, addressOf, { refused: isDropped ? 'dropped' : 'foreign' });
  }
}

const droppedHeaders =
  'a start came without Origin and Sec-Fetch-Site headers: a proxy in front of the app drops them, and so nobody can ' +
  'start. Let it pass them on. See pidgate/docs/errors.md#cross_site';

/** Where the form of the start page goes. */
type FormAddress = (exchange: Exchange, question: ResolvedQuestion) => string | undefined;

/** Why the page is shown in answer to its own button. */
interface ShownAgain {
  readonly refused?: 'foreign' | 'dropped';
  /** With the mark with which a new session is made. */
  readonly isFresh?: boolean;
}

async function sendStartPage(
  exchange: Exchange,
  question: ResolvedQuestion,
  addressOf: FormAddress,
  { refused, isFresh = bringsOtherSession(exchange.req) }: ShownAgain = {},
): Promise<void> {
  const { config, help, log } = exchange.kit;
  const address = addressOf(exchange, question);
  const keepFor = config.confirm === 'return' ? question.keepFor : undefined;
  const sandbox = config.sandboxIssuers.has(question.issuer);
  const action = address === undefined ? '' : kitFormAddress(address, isFresh);
  // Under no-referrer the form would send `Origin: null`.
  exchange.res.set('Referrer-Policy', 'same-origin');
  const hints = await help.setUpMistakes(exchange.req);
  for (const hint of hints) log.once(hint);
  const reason = reasonOf(exchange.req, question);
  const isStale = reason === staleReason;
  const page = { question, keepFor, sandbox, action, reason, isStale, hints, refused };
  await sendPage(
    exchange,
    (site) => startPage(site, page),
    send,
    refused === undefined ? address : undefined,
  );
}

/**
 * Where the kit's own start route is, with the query of this request: `context` reads it when the form comes. Of
 * `returnTo` and the reason only what was checked.
 */
function kitAddress({ kit, req }: Exchange, question: ResolvedQuestion): string | undefined {
  const returnTo = checkReturnTo(kit, req, queryOf(req, 'returnTo'));
  const address = startAddress(kit, req, question.name, { returnTo, reason: reasonOf(req, question) });
  const [, query = ''] = /\?(.*)/s.exec(req.originalUrl) ?? [];
  const others = [...new URLSearchParams(query)].filter(
    ([name]) => !/^(returnTo|reason|form)(\[|$)/.test(name),
  );
  const own = new URLSearchParams(others).toString();
  if (own.length > maxQuery) kit.help.tell(kit.log, queryIsLong);
  if (address === undefined || own === '' || own.length > maxQuery) return address;
  return `${address}${address.includes('?') ? '&' : '?'}${own}`;
}

/** It stands in the form and in each link of the page, which anybody can ask for. */
const maxQuery = 1_024;
const queryIsLong =
  `the address of a start page has more than ${maxQuery} characters of query beside returnTo and reason: they are not ` +
  'carried on, so the option context does not read them.';

/** The person gets a response whatever goes wrong before there is a flow; anything but a malformed question is an event. */
async function sendErrors(exchange: Exchange, question: string, work: () => Promise<void>) {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof IdentityError)) throw error;
    const isEvent = error.status >= 500 || error.code === 'origin_not_allowed';
    if (isEvent) endWithoutFlow(exchange.kit.flow, 'start_impossible', error);
    await sendError(exchange, error, { own: { question } });
  }
}
