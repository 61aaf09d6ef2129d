import type { Response } from 'express';
import { type IdentityError, errorCodes, isKitErrorCode } from '../../errors.js';
import { errorAddress } from '../../flow/hooks.js';
import type { AppRequest } from '../../options/options.js';
import { errorPage } from '../pages/error-page.js';
import { sendPage } from '../pages/page.js';
import { retryAfter, startAddress, type Web } from '../web.js';

/** Whether the caller is a program that asked for JSON by name. */
export function wantsJson(req: AppRequest): boolean {
  return req.accepts(['html', 'json']) === 'json';
}

/** The status for the caller: what the service thinks of our request to it is not the caller's fault. */
function statusOf({ code, status }: IdentityError): number {
  return isKitErrorCode(code) && code !== 'service_error' ? status : 502;
}

/** An error as JSON: its code and that code's own sentence, nothing from inside. */
export function sendJsonError(res: Response, error: IdentityError, more: object = {}): void {
  const { code } = error;
  const status = statusOf(error);
  if (status === 503) res.set('Retry-After', retryAfter);
  const error_description = errorCodes[isKitErrorCode(code) ? code : 'service_error'];
  res.status(status).json({ error: code, error_description, ...more });
}

/** Tells a person (or the program that asked) that it did not work, and where to go on. */
export function fail(
  web: Web,
  req: AppRequest,
  res: Response,
  error: IdentityError,
  redirectTo?: string,
): void {
  if (wantsJson(req)) {
    sendJsonError(res, error);
    return;
  }
  const { config, kit } = web;
  const status = statusOf(error);
  // A wrong address stays what it is, such as a 404; the app's page is for verifications that failed.
  const own = config.errorRedirect !== undefined && status >= 500;
  if (redirectTo !== undefined || own) {
    res.redirect(303, redirectTo ?? errorAddress(kit, error.code));
    return;
  }
  if (status === 503) res.set('Retry-After', retryAfter);
  // The address that the person is at does not work for this one.
  const base = error.code === 'origin_unknown' ? kit.origins[0] : '';
  const address = startAddress(web, 'default');
  const start = address && `${base}${address}`;
  const page = { status, code: error.code, start };
  sendPage(res, errorPage({ ...page, hint: hintFor(web, error) }));
}

/** In development a mistake in the app's set-up is explained on the page itself. */
function hintFor({ config }: Web, error: IdentityError): string | undefined {
  return config.mode === 'development' ? `${error.message} See ${error.docs}.` : undefined;
}
