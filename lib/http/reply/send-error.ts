import type { Response } from 'express';
import { type IdentityError, errorCodes, isKitErrorCode, sentenceOf } from '../../errors.js';
import type { AppRequest } from '../../options/options.js';
import { errorPage } from '../pages/error-page.js';
import { sendPage } from './page.js';
import { type Sender, send } from './senders.js';
import { publicPath, retryAfter, startPath, type RouteContext } from '../context.js';

/** Whether the caller is a program that asked for JSON by name. */
export function wantsJson(req: AppRequest): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** The status for the caller: what the service thinks of our request to it is not the caller's fault. */
function statusOf({ code, status }: IdentityError): number {
  return isKitErrorCode(code) && code !== 'service_error' ? status : 502;
}

/** An error as JSON: its code and that code's own sentence, nothing from inside. */
export function sendJsonError(
  res: Response,
  error: IdentityError,
  more: object = {},
  sender: Sender = send,
): void {
  const { code } = error;
  const status = statusOf(error);
  if (status === 503) res.set('Retry-After', retryAfter);
  const error_description = errorCodes[isKitErrorCode(code) ? code : 'service_error'];
  sender.json(res, status, { error: code, error_description, ...more });
}

/** Which start to offer again. */
export interface Retry {
  readonly request?: string;
  readonly returnTo?: string | undefined;
}

/** What else is known of a failure. */
interface Failing {
  /** Where `onError` wants the browser to go. */
  readonly redirectTo?: string | undefined;
  readonly retry?: Retry;
  readonly sender?: Sender;
}

/** Tells a person (or the program that asked) that it did not work, and where to go on. */
export async function fail(
  web: RouteContext,
  req: AppRequest,
  res: Response,
  error: IdentityError,
  { redirectTo, retry = {}, sender = send }: Failing = {},
): Promise<void> {
  web.log.fault(error); // of what the flow has told already, nothing is written a second time
  if (wantsJson(req)) {
    sendJsonError(res, error, {}, sender);
    return;
  }
  const { config, flow } = web;
  const status = statusOf(error);
  // A wrong address stays what it is, such as a 404; the app's page is for verifications that failed.
  const own = config.errorRedirect !== undefined && status >= 500;
  if (redirectTo !== undefined || own) {
    sender.redirect(res, publicPath(web, req, redirectTo ?? flow.errorAddress(error)));
    return;
  }
  if (status === 503) res.set('Retry-After', retryAfter);
  // The address that the person is at does not work for this one.
  const path = startPath(web, retry.request ?? 'default', retry.returnTo);
  const elsewhere = error.code === 'origin_not_allowed';
  const start = path && (elsewhere ? `${config.origins[0]}${path}` : publicPath(web, req, path));
  const page = { status, code: error.code, start, hints: hintsFor(web, error) };
  await sendPage(web, req, res, (site) => errorPage(site, page), sender);
}

/** In development a mistake in the app's set-up is explained on the page itself. */
export function hintsFor({ config }: RouteContext, error: IdentityError): string[] {
  return config.mode === 'development' ? [`${sentenceOf(error)} See ${error.docs}.`] : [];
}
