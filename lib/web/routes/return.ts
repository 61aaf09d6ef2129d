import type { Response } from 'express';
import { IdentityError, isKitErrorCode } from '../../errors.js';
import {
  type Arrival,
  arriveElsewhere,
  confirm,
  type ReturnCode,
  readReturnCode,
  unfit,
} from '../../flow/confirm.js';
import { hookError, report } from '../../flow/hooks.js';
import type { FlowResult } from '../../flow/deps.js';
import { life } from '../../flow/transitions.js';
import type { AppRequest } from '../../options/options.js';
import { isServiceErrorCode } from '../../protocol/service-errors.js';
import { fail } from '../reply/fail.js';
import { type KeptRecord, withKept } from '../session/entry.js';
import { errorPage, hopPage, startAgainPage, tryAgainPage } from '../pages/error-page.js';
import { sendPage } from '../pages/page.js';
import { showingFailure } from '../../flow/show-failure.js';
import { detach, sessionIdOf, sessionOf } from '../session/session.js';
import { subjectOf } from '../request/subject.js';
import { queryOf, retryAfter, startAddress, type Web } from '../web.js';

/** `GET /return`: the browser is back, with a code, or with the name of an error. */
export async function comeBack(web: Web, req: AppRequest, res: Response): Promise<void> {
  const text = queryOf(req, 'code');
  const error = queryOf(req, 'error');
  if (text === undefined && typeof error === 'string') {
    sendPage(res, errorPage({ status: 200, code: closedCode(error), start: startAddress(web, 'default') }));
    return;
  }
  const code = readReturnCode(text);
  if (code === undefined) {
    send(web, res, await unfit(web.kit));
    return;
  }
  try {
    sessionOf(req);
  } catch (missing) {
    fail(web, req, res, missing as IdentityError);
    return;
  }
  let done = (): void => undefined;
  try {
    done = await web.releases.turn(sessionIdOf(req));
    send(web, res, await arrive(web, req, res, code));
  } catch (fault) {
    send(web, res, await interrupted(web, code, fault));
  } finally {
    handOn(web, res, done);
  }
}

/**
 * express-session saves when the response ends, and the next one of this session waits for that; but not for a
 * client that never reads its response.
 */
function handOn({ config }: Web, res: Response, done: () => void): void {
  if (res.closed) {
    done();
    return;
  }
  const timer = setTimeout(done, config.limits.hookTimeout).unref();
  res.once('close', () => {
    clearTimeout(timer);
    done();
  });
}

/** The store is away, or a function of the app failed: nothing has changed, and the same address works again. */
async function interrupted({ kit }: Web, { id }: ReturnCode, fault: unknown): Promise<Arrival> {
  const error = fault instanceof IdentityError ? fault : hookError(fault);
  await report(kit, 'return_interrupted', error, { flow: id, origin: kit.origins[0] });
  return { occasion: 'return_interrupted', error };
}

async function arrive(
  web: Web,
  req: AppRequest,
  res: Response,
  code: ReturnCode,
): Promise<Arrival | undefined> {
  const { kit } = web;
  const session = await web.releases.open(req);
  const entry = session?.own.flows.find((it) => it.id === code.id);
  if (session === undefined || entry === undefined) {
    if (queryOf(req, 'hop') === '1') return await arriveElsewhere(kit, code);
    // A Strict cookie does not come with a redirect from another site, but with a step from this one.
    detach(req);
    sendPage(res, hopPage(`${kit.returnPath}?code=${code.id}.${code.secret}&hop=1`));
    return undefined;
  }
  const subject = subjectOf(web, req);
  const released = entry.finished === true;
  const visit = { state: entry.state, secret: code.secret, subject, released, req };
  try {
    return await confirm(kit, visit, {
      keep: (result) => {
        const { keep } = web.config.requests.get(result.request) ?? {};
        return showingFailure(web.config.mode, 'keep', keep)?.(result as never);
      },
      async commit(result, kept) {
        const record = recordOf(web, result, kept, subject);
        await session.commit((own) => withKept(own, code.id, result.request, record));
      },
    });
  } finally {
    await session.leave();
  }
}

function recordOf(
  { config }: Web,
  { issuer, sandbox, verifiedAt, receipt }: FlowResult,
  kept: unknown,
  subject: string | undefined,
): KeptRecord {
  return {
    issuer,
    sandbox,
    verifiedAt: verifiedAt.getTime(),
    receipt,
    kept,
    until: config.clock().getTime() + config.keepFor,
    ...(subject !== undefined && { subject }),
  };
}

function send(web: Web, res: Response, arrival: Arrival | undefined): void {
  if (arrival === undefined) return;
  const { occasion, location, error } = arrival;
  if (location !== undefined) {
    res.redirect(303, location);
    return;
  }
  const { code, status } = error ?? new IdentityError('return_code_invalid');
  if (life[occasion].answer === 'try_again') {
    if (status === 503) res.set('Retry-After', retryAfter);
    sendPage(res, tryAgainPage(status, code));
    return;
  }
  const hint = web.config.mode === 'development' ? likelyCauses : undefined;
  sendPage(res, startAgainPage(startAddress(web, 'default'), hint));
}

const likelyCauses =
  'if this is the browser that started, its session cookie did not come along. Likely causes: localhost against ' +
  '127.0.0.1, a Secure cookie on http, "trust proxy" not set, or two processes with a session store in memory.';

/** Only a code of the closed list is taken from an address. */
function closedCode(code: string): string {
  return isKitErrorCode(code) || isServiceErrorCode(code) ? code : 'service_error';
}
