import type { IdentityError } from '../errors.js';
import { ignoreRejection } from '../internal/ignore-rejection.js';
import { supportCodeOf } from '../internal/support-code.js';
import { safePath } from '../internal/urls.js';
import { type IdentityService, isListedCode } from '../service/contract.js';
import type { FlowDeps } from './context.js';
import type { Doing, FlowRecord } from './record.js';
import type { ReturnCode } from './secrets.js';

// Where the kit sends a browser, in all of a flow's ends.

/** Where a good proof sends the browser: to the return, with the code that is known from this address alone. */
export const codeAddress = (
  { returnPath }: Pick<FlowDeps, 'returnPath'>,
  { id, secret }: ReturnCode,
): string => `${returnPath}?code=${id}.${secret}`;

/**
 * Where a flow that failed sends the browser: to the return, with a code of the closed list and the flow's public id.
 * What the person was doing is nobody's business on the way; the session that owns the flow knows it.
 */
export function errorAddress(deps: FlowDeps, error: IdentityError, flow?: string): string {
  const { confirm, returnPath, service } = deps;
  const own = confirm === 'callback' ? appErrorAddress(deps, error) : undefined;
  if (own !== undefined) return own;
  const named = namedCode(service, error.code);
  const about = flow === undefined || confirm === 'callback' ? '' : `&flow=${flow}`;
  return `${returnPath}?error=${named}${about}`;
}

/**
 * The app's own page for an error, which is told the code or the app's own word, and what the person was doing; undefined
 * where the app has none.
 */
export function appErrorAddress(
  deps: FlowDeps,
  { code, serviceCode }: Pick<IdentityError, 'code' | 'serviceCode'>,
  { question, returnTo, id }: Doing = {},
): string | undefined {
  const { service, origins } = deps;
  const named = namedCode(service, code);
  const page = appErrorPage(deps, named);
  if (page === undefined) return undefined;
  const url = new URL(page, origins[0]);
  url.searchParams.set('error', (code === 'refused' && refusalWord(service, serviceCode)) || named);
  if (question !== undefined) url.searchParams.set('question', question);
  if (returnTo !== undefined) url.searchParams.set('returnTo', returnTo);
  if (id !== undefined) {
    url.searchParams.set('flow', id);
    url.searchParams.set('supportCode', supportCodeOf(id));
  }
  return `${url.pathname}${url.search}${url.hash}`;
}

/** A code as addresses and records may have it: one of the closed list. */
export const namedCode = (service: IdentityService, code: string): string =>
  isListedCode(service, code) ? code : 'service_error';

/** A function that fails costs no page: the kit's own is shown. */
function appErrorPage({ errorRedirect, origins, log }: FlowDeps, code: string): string | undefined {
  if (typeof errorRedirect !== 'function') return errorRedirect;
  try {
    const page: unknown = errorRedirect(code);
    if (page === undefined) return undefined;
    const path = safePath(page, origins[0]);
    if (path !== undefined) return path;
    ignoreRejection(page);
  } catch {
    // The log says it below, as it does of an address that is none.
  }
  log.once(
    'Option errorRedirect: the function must return a path of this app, such as /sorry. The page of the kit is shown instead.',
  );
  return undefined;
}

/** The app's own word for a refusal, where it has the form of a code and is none of the closed list. */
export function refusalWord(service: IdentityService, word = ''): string | undefined {
  return /^[a-z][a-z0-9_]{0,63}$/.test(word) && !isListedCode(service, word) ? word : undefined;
}

/** Where a flow that succeeded leads, as a browser writes it: what it is shown and what the session remembers are one text. */
export function destination(deps: FlowDeps, record: FlowRecord, bySuccess: string | undefined): string {
  const { origin, redirectTo, returnTo, question } = record;
  return new URL(`${origin}${bySuccess ?? redirectTo ?? returnTo ?? deps.successRedirectOf(question)}`).href;
}
