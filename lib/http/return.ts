import { IdentityError, kitError } from '../errors.js';
import {
  type LastStart,
  type ReleasableFlow,
  type ReturnCode,
  type ReturnOutcome,
  ReturnStop,
  type StoredFlow,
  isSecret,
  isUnreadable,
  mayRunOn,
  sessionLeft,
  subjectChanged,
  toIdentityError,
} from '../flow/flow.js';
import type { AppRequest } from '../options/options.js';
import type { IdentityPage } from '../options/pages/page-options.js';
import { isListedCode } from '../service/contract.js';
import { subjectOf } from './app-functions.js';
import { startAddress, publicPath, queryOf, retryableOf, type Exchange, type Kit } from './context.js';
import { errorPage, returnRedirectPage, startAgainPage, tryAgainPage } from './pages/error-page.js';
import type { PageContext } from './pages/page-model.js';
import { retryAfter, send, sendWithSession } from './respond.js';
import { sendError, sendPage } from './send-page.js';
import { checkKept, withResult } from './session/keep-result.js';
import { type Renewal, isConnected, isRenewing, prepareRenewal } from './session/renew-session.js';
import { type Owner, ownerOf, readOwn } from './session/session-data.js';
import {
  hasResponded,
  namesSession,
  sessionDataOf,
  sessionIdOf,
  sessionOf,
  stored,
} from './session/session.js';
import { newCookieEnd, writeSession } from './session/write-session.js';
import { type Refusal, hintsOn, refusalOf, tellRefusal, topicOf } from './help/why-refused.js';

/** A browser that came back with a code. */
interface Returning extends Exchange {
  readonly code: ReturnCode;
}

/** `GET /return`: the browser is back, with a code, or with the name of an error. */
export async function handleReturn(exchange: Exchange): Promise<void> {
  const { kit, req } = exchange;
  const text = queryOf(req, 'code');
  const error = text === undefined ? queryOf(req, 'error') : undefined;
  if (typeof error === 'string') {
    await showError(exchange, isListedCode(kit.config.service, error) ? error : 'service_error');
    return;
  }
  const code = kit.flow.readCode(text);
  if (code === undefined) {
    await respond(exchange, kit.flow.rejectCode());
    return;
  }
  try {
    sessionOf(req);
  } catch (missing) {
    await sendError(exchange, missing as IdentityError);
    return;
  }
  const returning = { ...exchange, code };
  const flow = startedLast(returning) === undefined ? undefined : code.id;
  await respond(returning, await kit.flow.traceReturn(flow, async () => await returnOrRevoke(returning)));
}

async function returnOrRevoke(returning: Returning): Promise<ReturnOutcome> {
  const { kit, code } = returning;
  try {
    const outcome = await returnWithCode(returning);
    return outcome === 'unowned' ? await judgeUnowned(returning) : outcome;
  } catch (fault) {
    const isOwned = startedLast(returning) !== undefined && !isUnreadable(fault);
    return isOwned ? await kit.flow.failReturn(code, fault) : kit.flow.failUnownedReturn(code, fault);
  }
}

/** The whole return, in its order. Wherever it stops, the request has its old session again, and nothing was kept. */
async function returnWithCode(returning: Returning): Promise<ReturnOutcome | 'unowned'> {
  const { kit, req, res, code } = returning;
  const { flow } = kit;
  const { done } = readOwn(sessionOf(req), kit.key);
  if (done?.id === code.id) return flow.repeat(done.destination);

  const owner = ownerOf(sessionOf(req), sessionIdOf(req));
  // A session in which nothing was started yet makes no lock, unless the flow is its own all the same.
  if (!owner.isStored && !(namesSession(req) && owns(owner, await flow.find(code.id)))) return 'unowned';
  const lock = await flow.lock(owner.digest, code.id);
  if (lock === undefined) return flow.busy();

  const renewal = prepareRenewal(req, owner);
  let found: StoredFlow | undefined;
  let mayHookRun = false;
  try {
    if (lock.hasWaited && !(await renewal.isStored())) return flow.reload();
    found = await flow.find(code.id);
    if (found === undefined || !owns(owner, found)) return 'unowned';
    const opened = flow.openResult(found, code);
    checkSubject(returning, found);

    renewal.start();
    const location = await flow.runOnSuccess(opened, req, (hook) => {
      kit.log.warn(lateHook);
      renewal.disarm(lateHook, hook);
    });
    const kept = await flow.runKeep(opened, (result) => keepOf(kit, result));
    await save(returning, opened, renewal, kept, location);

    const confirmed = flow.confirm(opened, location);
    sendWithSession.redirect(res, location);
    if (await renewal.destroyOldSession(res)) await flow.close(opened);
    else flow.leaveOpen(opened);
    return confirmed;
  } catch (fault) {
    const stop = stopFor(fault, isRenewing(req));
    await renewal.rollback(res);
    if (stop === undefined || found === undefined) throw fault;
    mayHookRun = mayRunOn(stop.error);
    return await flow.stop(found, stop);
  } finally {
    if (!mayHookRun) await lock.unlock(); // else it runs out: no second run begins beside a hook that was late
  }
}

const owns = (owner: Owner, flow: StoredFlow | undefined): boolean => flow?.record.owner === owner.digest;

const lateHook =
  'onSuccess took longer than limits.hookTimeout: what it does with req.session from now on reaches no session.';

const keepOf = ({ config }: Kit, result: ReleasableFlow['result']): unknown =>
  config.questions.get(result.question)?.keep?.(result as never);

/** Who is logged in must be who was at the start, or nobody as then. */
function checkSubject({ kit, req }: Returning, { record }: StoredFlow): void {
  if (subjectOf(kit, req) === record.subject) return;
  // The cookie of a log-in may be SameSite=Strict: it comes with a step from this site.
  throw reloadsOf(req) === 0 ? sessionLeft() : subjectChanged();
}

/** Saves the copy of the session with what the hook did, what was stored meanwhile, and what is kept. */
async function save(
  { kit, req, res }: Returning,
  opened: ReleasableFlow,
  renewal: Renewal,
  kept: unknown,
  destination: string,
): Promise<void> {
  if (hasResponded(res)) {
    const message = 'onSuccess sent a response itself: return { redirectTo } instead.';
    throw kitError('hook_failed', { message });
  }
  checkKept(kit, kept);
  if (res.closed || !isConnected(req)) {
    throw new ReturnStop('return_abandoned', new IdentityError('session_save_failed'));
  }
  let subject: string | undefined;
  const written = await writeSession(req, kit.key, {
    id: renewal.oldId,
    take(now) {
      if (!renewal.isSameOwner(now)) throw sessionLeft();
      renewal.merge(now);
      // Asked of what will be saved: a log-in inside the hook binds what is kept.
      subject = subjectOf(kit, req);
      if (opened.record.subject !== undefined && subject !== opened.record.subject) throw subjectChanged();
    },
    change: (session) => ({
      owner: ownerOf(session, sessionIdOf(req)).text,
      own: withResult(kit, readOwn(session, kit.key), opened, { kept, subject }, destination),
      cookieEnds: newCookieEnd(session),
    }),
  });
  if (written === 'absent') throw sessionLeft();
}

/** What is no stop of its own failed in a function of the app or in the session's store, once the copy was made. */
function stopFor(fault: unknown, isRenewed: boolean): ReturnStop | undefined {
  if (fault instanceof ReturnStop) return fault;
  return isRenewed ? new ReturnStop('return_hook_failed', toIdentityError(fault)) : undefined;
}

/**
 * A session that does not own the flow. A SameSite=Strict cookie does not come with a redirect from another site, but
 * with a step from this one; and the session may have a new id by now. A code is revoked by a browser that has come
 * twice from this site, or once with a session that is still there.
 */
async function judgeUnowned(returning: Returning): Promise<ReturnOutcome> {
  const { kit, req, code } = returning;
  const own = startedLast(returning);
  if (own !== undefined) return kit.flow.rejectCode({ ...own, id: code.id }); // expired, or forgotten
  const reloads = reloadsOf(req);
  // A failing store has not said that this session owns nothing.
  const mayHaveAnother =
    reloads === 0 || (reloads < maxReloads && (await stored(req, sessionIdOf(req))) === undefined);
  return mayHaveAnother ? kit.flow.reload() : await kit.flow.revokeCode(code);
}

/** The flow of this code, where it is the one that this session started last. */
function startedLast({ kit, req, code }: Returning): LastStart | undefined {
  const { last } = readOwn(sessionOf(req), kit.key);
  return last !== undefined && kit.flow.idOf(last.state) === code.id ? last : undefined;
}

/** Answers as the table in flow/transitions.ts says. */
async function respond(
  exchange: Exchange & { readonly code?: ReturnCode },
  outcome: ReturnOutcome,
): Promise<void> {
  const { req, res, code } = exchange;
  if (hasResponded(res)) return; // the release, or a hook, which was told that it failed
  switch (outcome.answer) {
    case 'release':
      return;
    case 'redirect':
      return send.redirect(res, outcome.location);
    case 'try_again':
      return await sendTryAgain(exchange, outcome.error);
    case 'reload':
      if (code !== undefined && reloadsOf(req) < maxReloads) return await sendReload(exchange, code);
      return await sendStartAgain(exchange, refusalOf(exchange));
    case 'start_again': {
      const { transition, own } = outcome;
      const refusal = transition === 'subject_changed' ? transition : refusalOf(exchange, own !== undefined);
      const known = own && code && startedLast({ ...exchange, code });
      return await sendStartAgain(exchange, refusal, known ?? own);
    }
    default:
      return outcome satisfies never;
  }
}

async function sendTryAgain(
  exchange: Exchange & { readonly code?: ReturnCode },
  error: IdentityError,
): Promise<void> {
  const { code, status } = error;
  if (status === 503) exchange.res.set('Retry-After', retryAfter);
  const page = { status, code, flow: exchange.code?.id, hints: exchange.kit.help.hintsFor(error) };
  await sendPage(exchange, (site) => tryAgainPage(site, page));
}

async function sendReload(exchange: Exchange, { id, secret }: ReturnCode): Promise<void> {
  const { kit, req } = exchange;
  const again = `${kit.flow.returnPath}?code=${id}.${secret}&reload=${reloadsOf(req) + 1}`;
  await sendPage(exchange, (site) => returnRedirectPage(site, publicPath(kit, req, again)));
}

/** What the person was doing, where this session owns the flow. */
interface Doing {
  readonly question?: string;
  readonly returnTo?: string;
  readonly reason?: string;
}

async function sendStartAgain(exchange: Exchange, refusal: Refusal, doing?: Doing): Promise<void> {
  const { kit, req } = exchange;
  const start = startAddress(kit, req, doing?.question, doing);
  const hints = tellRefusal(exchange, refusal);
  const page = { status: 403, topic: topicOf(refusal), start, question: doing?.question, hints };
  const address = addressOf(exchange, refusal === 'subject_changed' ? refusal : 'return_code_invalid'); // F1
  await sendPage(exchange, (site) => startAgainPage(site, page), send, address);
}

/** One for a SameSite=Strict cookie, and one for a session that got a new id meanwhile. */
const maxReloads = 2;

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
  const own = await ownFlow(exchange, queryOf(req, 'flow'), code === 'refused');
  const refused = code === 'refused' ? own?.refusal : undefined;
  // An address of the kit's own, or the one that all ended flows share, names no flow: then it is the session's last one.
  const last = own ?? lastUnfinished(exchange);
  const error = { code, ...(refused !== undefined && { serviceCode: refused }) };
  const about = code === 'state_unknown' ? last : own;
  const appPage = startAgainCodes.has(code) ? undefined : kit.flow.appErrorAddress(error, about);
  if (appPage !== undefined) {
    send.redirect(res, publicPath(kit, req, appPage));
    return;
  }
  const start = startAddress(kit, req, last?.question, last);
  const stillCounts = last !== undefined && isStillKept(exchange, last);
  const page = { status: 200, start, question: last?.question, refused, stillCounts, flow: own?.id };
  const retryable = retryableOf(kit, code);
  const hints = kit.help.whyFailed(code, [lastUnfinished(exchange)?.id, own?.id]);
  const refusal = code === 'subject_changed' ? code : refusalOf(exchange);
  const make = (site: PageContext): IdentityPage =>
    startAgainCodes.has(code)
      ? startAgainPage(site, { ...page, topic: topicOf(refusal), hints: hintsOn(exchange, refusal) })
      : errorPage(site, { ...page, code, retryable, hints });
  await sendPage(exchange, make, send, addressOf(exchange, code, own?.id));
}

/** Whether an earlier result of the same question counts, which is not enough where the page had a reason to ask. */
function isStillKept({ kit, req }: Exchange, { question: name, reason }: Doing): boolean {
  const question = reason === undefined ? kit.config.questions.get(name ?? '') : undefined;
  return (
    question !== undefined && kit.findKept(kit, req, question, kit.config.clock().getTime()) !== undefined
  );
}

/** An address without a code that shows the same page. */
function addressOf({ kit, req }: Exchange, error: string, flow?: string): string {
  const about = flow === undefined ? '' : `&flow=${flow}`;
  return publicPath(kit, req, `${kit.flow.returnPath}?error=${error}${about}`);
}

interface OwnFlow extends Doing {
  readonly id: string;
  /** The app's own word for its refusal. */
  readonly refusal?: string;
}

/** The flow that an address names, where this session owns it. A store that fails costs no page. */
async function ownFlow(exchange: Exchange, id: unknown, needsRecord: boolean): Promise<OwnFlow | undefined> {
  const { kit, req } = exchange;
  const session = sessionDataOf(req);
  if (session === undefined || typeof id !== 'string' || !isSecret(id)) return undefined;
  const { last } = readOwn(session, kit.key);
  const known = last !== undefined && kit.flow.idOf(last.state) === id ? { ...last, id } : undefined;
  if (known !== undefined && !needsRecord) return known;
  const found = await kit.flow.find(id).catch(() => undefined);
  return found !== undefined && owns(ownerOf(session, sessionIdOf(req)), found)
    ? { ...found.record, ...known, id }
    : known;
}

/** The flow that this session started last, unless that was the one that it finished. */
function lastUnfinished({ kit, req }: Exchange): OwnFlow | undefined {
  const { last, done } = readOwn(sessionDataOf(req) ?? {}, kit.key);
  const id = last && kit.flow.idOf(last.state);
  return id === undefined || id === done?.id ? undefined : { ...last, id };
}

const startAgainCodes: ReadonlySet<string> = new Set([
  'return_code_invalid',
  'return_wrong_browser',
  'subject_changed',
]);
