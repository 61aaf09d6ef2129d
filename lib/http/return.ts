import type { IdentityError } from '../errors.js';
import {
  type Doing,
  type End,
  type ReturnCode,
  type Returning,
  appErrorAddress,
  comeBack,
  endWithoutFlow,
  findFlow,
  maxReloads,
  readReturnCode,
  rowOf,
} from '../flow/flow.js';
import type { AppRequest } from '../options/options.js';
import type { IdentityPage } from '../options/pages/page-options.js';
import { isListedCode } from '../service/contract.js';
import { inSameLanguage, startAddress, publicPath, queryOf, retryableOf, type Exchange } from './context.js';
import { errorPage, returnRedirectPage, startAgainPage, tryAgainPage } from './pages/error-page.js';
import type { PageContext } from './pages/page-model.js';
import { retryAfter, send } from './respond.js';
import { returnSession } from './return-session.js';
import { meetsRule } from './rule.js';
import { sendError, sendPage } from './send-page.js';
import { readOwn } from './session/own-data.js';
import { ownerOf } from './session/session-data.js';
import { hasResponded, namesSession, sessionDataOf, sessionIdOf, sessionOf } from './session/session.js';
import { type Refusal, codeOf, hintsOn, refusalOf, tellRefusal, topicOf } from './help/why-refused.js';

/** `GET /return`: the browser is back, with a code, or with the name of an error. */
export async function handleReturn(exchange: Exchange): Promise<void> {
  const { kit, req } = exchange;
  const text = queryOf(req, 'code');
  const error = text === undefined ? queryOf(req, 'error') : undefined;
  if (typeof error === 'string') {
    await showError(exchange, isListedCode(kit.config.service, error) ? error : 'service_error');
    return;
  }
  const code = readReturnCode(text);
  if (code === undefined) {
    await respond(exchange, endWithoutFlow(kit.flow, 'return_unfit'));
    return;
  }
  try {
    sessionOf(req);
  } catch (missing) {
    await sendError(exchange, missing as IdentityError);
    return;
  }
  const returning = { code, ...exchange };
  await respond(returning, await comeBack(kit.flow, returningOf(returning)));
}

/** The browser as the flow sees it. */
function returningOf(exchange: Exchange & { readonly code: ReturnCode }): Returning {
  const { kit, req, code } = exchange;
  const data = sessionOf(req);
  const owner = ownerOf(data, sessionIdOf(req));
  const { last, done } = readOwn(data, kit);
  return {
    code,
    req,
    reloads: reloadsOf(req),
    owner: owner.digest,
    hasStarted: owner.isStored,
    isBrought: namesSession(req),
    last: last?.id === code.id ? last : undefined,
    done: done?.id === code.id ? done.destination : undefined,
    session: returnSession(exchange, owner),
  };
}

/** Answers as the table in flow/transitions.ts says. */
async function respond(
  exchange: Exchange & { readonly code?: ReturnCode },
  { transition, error, location, own, question }: End,
): Promise<void> {
  const { req, res, code } = exchange;
  if (hasResponded(res)) return; // the release, or a hook, which was told that it failed
  const { answer } = rowOf(transition);
  if (location !== undefined) send.redirect(res, location);
  else if (answer === 'try_again' && error !== undefined) await sendTryAgain(exchange, error);
  else if (answer === 'reload' && code !== undefined && reloadsOf(req) < maxReloads) {
    await sendReload(exchange, `code=${code.id}.${code.secret}`);
  } else {
    const isChanged = transition === 'subject_changed';
    // A code that was good a moment ago was sent to this browser, whatever it has finished itself.
    const hasFinished = transition !== 'return_wrong_browser' && hasDone(exchange);
    const refusal = isChanged ? transition : refusalOf(exchange, own !== undefined, hasFinished);
    await sendStartAgain(exchange, refusal, { question, ...own });
  }
}

const hasDone = ({ kit, req }: Exchange): boolean =>
  readOwn(sessionDataOf(req) ?? {}, kit).done !== undefined;

async function sendTryAgain(
  exchange: Exchange & { readonly code?: ReturnCode },
  error: IdentityError,
): Promise<void> {
  const { code, status } = error;
  if (status === 503) exchange.res.set('Retry-After', retryAfter);
  const page = { status, code, flow: exchange.code?.id, hints: exchange.kit.help.hintsFor(error) };
  await sendPage(exchange, (site) => tryAgainPage(site, page));
}

async function sendReload(exchange: Exchange, query: string): Promise<void> {
  const { kit, req } = exchange;
  const again = inSameLanguage(exchange, `${kit.flow.returnPath}?${query}&reload=${reloadsOf(req) + 1}`);
  await sendPage(exchange, (site) => returnRedirectPage(site, publicPath(kit, req, again)));
}

async function sendStartAgain(exchange: Exchange, refusal: Refusal, doing: Doing): Promise<void> {
  const { kit, req } = exchange;
  const { question, id } = doing;
  const start = inSameLanguage(exchange, startAddress(kit, req, question, doing));
  const hints = await tellRefusal(exchange, refusal);
  const page = { status: 403, topic: topicOf(refusal), start, question, hints };
  const address = addressOf(exchange, codeOf(refusal), id, question); // F1
  await sendPage(exchange, (site) => startAgainPage(site, page), send, address);
}

/** How often this browser was sent on to the same address. */
function reloadsOf(req: AppRequest): number {
  const reloads = queryOf(req, 'reload');
  return reloads === '1' ? 1 : reloads === '2' ? 2 : 0;
}

/**
 * The error is in the address: the browser was sent here with it, or a page of the kit just reported it. Only the session
 * that owns the flow learns what the person was doing, and the app's own word for a refusal.
 */
async function showError(exchange: Exchange, code: string): Promise<void> {
  const { kit, req, res } = exchange;
  const flow = queryOf(req, 'flow');
  const own = await ownFlow(exchange, flow, code === 'refused');
  // With confirm: 'callback' the browser that comes here need not be the one that began.
  if (codesAboutPerson.has(code) && (own === undefined || kit.config.confirm === 'callback')) {
    if (mayOwnAfterStep(exchange, flow)) await sendReload(exchange, `error=${code}&flow=${flow}`);
    else await showError(exchange, 'state_unknown');
    return;
  }
  const refused = code === 'refused' ? own?.refusal : undefined;
  // An address of the kit's own, or the one that all ended flows share, names no flow: then it is the session's last one.
  const last = own ?? lastUnfinished(exchange);
  const error = { code, ...(refused !== undefined && { serviceCode: refused }) };
  const about = code === 'state_unknown' ? last : own;
  const appPage = startAgainCodes.has(code) ? undefined : appErrorAddress(kit.flow, error, about);
  if (appPage !== undefined) {
    send.redirect(res, publicPath(kit, req, appPage));
    return;
  }
  const question = last?.question ?? namedQuestion(exchange);
  const start = inSameLanguage(exchange, startAddress(kit, req, question, last));
  const stillCounts = last !== undefined && isStillKept(exchange, last);
  const page = { status: 200, start, question, refused, stillCounts, flow: own?.id };
  const retryable = retryableOf(kit, code);
  const hints = kit.help.whyFailed(code, [lastUnfinished(exchange)?.id, own?.id]);
  const refusal = code === 'subject_changed' ? code : refusalOf(exchange, own !== undefined);
  const why = startAgainCodes.has(code) ? await hintsOn(exchange, refusal) : [];
  const make = (site: PageContext): IdentityPage =>
    startAgainCodes.has(code)
      ? startAgainPage(site, { ...page, topic: topicOf(refusal), hints: why })
      : errorPage(site, { ...page, code, retryable, hints });
  await sendPage(exchange, make, send, addressOf(exchange, code, own?.id, question));
}

/** Whether an earlier result of the same question counts, which is not enough where the page had a reason to ask. */
function isStillKept({ kit, req }: Exchange, { question: name, reason }: Doing): boolean {
  const question = reason === undefined ? kit.config.questions.get(name ?? '') : undefined;
  if (question === undefined) return false;
  const found = kit.findKept(kit, req, question, kit.config.clock().getTime());
  return found !== undefined && meetsRule(kit, req, question, found.identity.kept);
}

/** An address without a code that shows the same page. Of several questions it names the one that was asked. */
function addressOf(exchange: Exchange, error: string, flow?: string, question?: string): string {
  const { kit, req } = exchange;
  const isNamed = flow === undefined && question !== undefined && kit.config.questions.size > 1;
  const about = flow !== undefined ? `&flow=${flow}` : isNamed ? `&question=${question}` : '';
  return inSameLanguage(exchange, publicPath(kit, req, `${kit.flow.returnPath}?error=${error}${about}`));
}

/** The question that the address of this page names: whoever wrote it there, a start page is for everybody. */
function namedQuestion({ kit, req }: Exchange): string | undefined {
  const name = queryOf(req, 'question');
  return typeof name === 'string' && kit.config.questions.has(name) ? name : undefined;
}

/** The flow that an address names, where this session owns it. A store that fails costs no page. */
async function ownFlow(exchange: Exchange, id: unknown, needsRecord: boolean): Promise<Doing | undefined> {
  const { kit, req } = exchange;
  const session = sessionDataOf(req);
  if (session === undefined) return undefined;
  const { last } = readOwn(session, kit);
  const known = last?.id === id ? last : undefined;
  if (known !== undefined && !needsRecord) return known;
  const found = await findFlow(kit.flow, id).catch(() => undefined);
  if (found?.record.owner !== ownerOf(session, sessionIdOf(req)).digest) return known;
  return { ...found.record, ...known, id: found.id }; // the session has the reason, too
}

/** The flow that this session started last, and has not finished. */
const lastUnfinished = ({ kit, req }: Exchange): Doing | undefined =>
  readOwn(sessionDataOf(req) ?? {}, kit).last;

/**
 * What these say is about a person's ID, or what the person did. Anybody can send such an address to somebody, as a pretext,
 * so the page speaks only to whom it happened (F125).
 */
const codesAboutPerson: ReadonlySet<string> = new Set([
  'attribute_invalid',
  'attributes_missing',
  'card_blocked',
  'credential_expired',
  'credential_missing',
  'credential_revoked',
  'declined',
  'identity_insufficient',
  'not_shared',
  'refused',
  'timed_out',
]);

/** A SameSite=Strict cookie does not come with a redirect from another site, but with a step from this one. */
const mayOwnAfterStep = ({ kit, req }: Exchange, flow: unknown): flow is string =>
  kit.config.confirm === 'return' &&
  typeof flow === 'string' &&
  /^[\w-]{43}$/.test(flow) &&
  reloadsOf(req) === 0 &&
  !namesSession(req);

const startAgainCodes: ReadonlySet<string> = new Set([
  'return_code_invalid',
  'return_wrong_browser',
  'subject_changed',
]);
