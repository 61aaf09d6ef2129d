import type { Response } from 'express';
import { IdentityError, kitError } from '../errors.js';
import type { StartInput } from '../flow/flow.js';
import type { AppRequest } from '../options/options.js';
import { invalid, optionalBoolean } from '../internal/validate.js';
import { sanitizeText } from '../internal/sanitize-text.js';
import { returnToPath } from '../internal/urls.js';
import { type ResolvedQuestion, sameDeviceIsOfService, waysAreOfWallets } from '../options/questions.js';
import { waysOf } from '../service/options.js';
import type { Way } from '../types/ways.js';
import { contextOf, isSameDevice, subjectOf } from './app-functions.js';
import type { OpenBodies } from '../internal/open-bodies.js';
import { readForm } from './body.js';
import {
  hostOf,
  originOf,
  queryOf,
  questionIsMissing,
  staleReason,
  whyNoQuestion,
  type Exchange,
  type Kit,
} from './context.js';
import { sessionOf } from './session/session.js';

/** What a start in the app's own code may set. */
export interface StartOptions<Name extends string = string, Context = unknown> {
  /** The name of the question. Default: the question without a name. */
  readonly question?: Name | undefined;
  /** The path of this app where the browser goes in the end. */
  readonly returnTo?: string | undefined;
  /** Of a service: whether the wallet is on the device of the browser. */
  readonly sameDevice?: boolean | undefined;
  /** With `wallets`: by which ways a wallet may answer. */
  readonly ways?: readonly Way[] | undefined;
  /** Replaces what the option `context` would return. */
  readonly context?: Context | undefined;
}

const maxFormBytes = 16 * 1024;

/** Reads and checks everything that a start takes from its request. */
export async function readStartInput(
  { kit, req, res }: Exchange,
  overrides: StartOptions,
): Promise<StartInput> {
  const question = questionNamed(kit, overrides.question);
  const origin = requestOrigin(kit, req);
  const inForm = await readReturnTo(req, res, kit.openBodies);
  const returnTo = checkReturnTo(kit, req, overrides.returnTo ?? queryOf(req, 'returnTo') ?? inForm);
  sessionOf(req);
  const subject = subjectOf(kit, req);
  const context = contextOf(kit, req, overrides.context);
  const reason = reasonOf(req, question);
  const sameDevice = optionalBoolean(overrides.sameDevice, 'identity.start: sameDevice');
  const ways = overrides.ways === undefined ? undefined : waysOf(overrides.ways, 'identity.start: ways');
  const asksWallets = kit.config.access !== undefined;
  if (ways !== undefined && !asksWallets) throw invalid('identity.start: ways', waysAreOfWallets);
  if (ways?.includes('browser') === true && kit.config.routes.answer === false)
    throw invalid(
      'identity.start: ways',
      "has 'browser', which the ways of no question have: name it there too",
    );
  if (sameDevice !== undefined && asksWallets)
    throw invalid('identity.start: sameDevice', sameDeviceIsOfService);
  return {
    question,
    origin,
    sameDevice: sameDevice ?? isSameDevice(kit, req),
    ways: ways ?? question.ways,
    ...(returnTo !== undefined && { returnTo }),
    ...(subject !== undefined && { subject }),
    ...(context !== undefined && { context }),
    ...(reason !== undefined && { reason }),
  };
}

export function questionNamed(kit: Kit, name: string | undefined): ResolvedQuestion {
  const question = kit.config.questions.get(name ?? 'default');
  if (question !== undefined) return question;
  if (name === undefined) throw questionIsMissing(kit, 'identity.start');
  throw kitError('not_found', { message: whyNoQuestion(kit, name) });
}

/** The name of one of the question's reasons, or that its result is too old. Any other text of the address is ignored. */
export function reasonOf(req: AppRequest, { reasons = {} }: ResolvedQuestion): string | undefined {
  const reason = queryOf(req, 'reason');
  if (typeof reason !== 'string') return undefined;
  return Object.hasOwn(reasons, reason) || reason === staleReason ? reason : undefined;
}

export function checkReturnTo(kit: Kit, req: AppRequest, returnTo: unknown): string | undefined {
  if (returnTo === undefined) return undefined;
  const path = returnToPath(returnTo, requestOrigin(kit, req));
  if (path === undefined) throw new IdentityError('return_to_invalid');
  return path;
}

function requestOrigin({ config, help }: Kit, req: AppRequest): string {
  const origin = originOf(req, config.origins);
  if (origin !== undefined) return origin;
  const seen = help.detail(sanitizeText(hostOf(req), 100));
  const message =
    `The request's host${seen} is not listed in appUrl: open the app at ${config.origins.join(' or ')} ` +
    '(localhost and 127.0.0.1 are different hosts); behind a proxy, see "trust proxy", or set APP_URL to the public ' +
    'address (the option appUrl takes several).';
  throw kitError('origin_not_allowed', { message });
}

/** Reads `returnTo` out of a form of the app, which a parser of the app may have read before. */
async function readReturnTo(req: AppRequest, res: Response, open: OpenBodies): Promise<unknown> {
  const { body } = req as { body?: unknown };
  const isForm = req.headers['content-length'] !== '0' && req.is('application/x-www-form-urlencoded');
  const isParsed = req.readableDidRead && typeof body !== 'string' && !Buffer.isBuffer(body);
  const form = isForm && !isParsed ? await readForm(req, res, { bytes: maxFormBytes, open }) : body;
  return Object.getOwnPropertyDescriptor(Object(form), 'returnTo')?.value;
}

/**
 * In the address to which the kit's own page sends its form: the policy of that page lets the reply redirect to the
 * wallet. It protects nothing: a page of the app that sends it is only stopped by its own form-action.
 */
const kitForm = 'kit';

/** The same, from a page that was shown to a browser whose session is not stored: a new one may be made. */
const freshForm = 'fresh';

/** The address of a start, for the form of the kit's own page. That form has no fields, so there is no body to read. */
export function kitFormAddress(address: string, isFresh: boolean): string {
  const [path = ''] = address.split('?', 1);
  // There already if this page responds to its own form, which was refused.
  const members = writtenQuery(address).split('&');
  const others = members.filter((member) => member !== '' && marksIn(member).length === 0);
  return `${path}?${[...others, `form=${isFresh ? freshForm : kitForm}`].join('&')}`;
}

/** What stands behind the first question mark: a value may contain another one. */
const writtenQuery = (address: string): string => /\?(.*)/s.exec(address)?.[1] ?? '';

/** The marks in a query, however they are spelled. An app's own route may have a `form` of its own beside them. */
function marksIn(query: string): readonly string[] {
  const values = new URLSearchParams(`?${query}`).getAll('form');
  return values.filter((value) => value === kitForm || value === freshForm);
}

/** The mark of the page that has sent this start. The app's query parser would make a list of two parameters. */
function markOf({ originalUrl }: AppRequest): string | undefined {
  const [mark, ...others] = marksIn(writtenQuery(originalUrl));
  return others.length === 0 ? mark : undefined;
}

/** Whether the form of the kit's own page has sent this start. */
export const isKitForm = (req: AppRequest): boolean => markOf(req) !== undefined;

export const isFreshForm = (req: AppRequest): boolean => markOf(req) === freshForm;
