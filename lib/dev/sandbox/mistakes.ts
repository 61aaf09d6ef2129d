import type { IncomingMessage, ServerResponse } from 'node:http';
import { configInvalid } from '../../errors.js';
import type { IdentityVerification } from '../../identity-verification.js';
import { lostInJson } from '../../internal/find-unserializable.js';
import { inWholeUnits, toMilliseconds } from '../../internal/timeouts.js';
import { isPlainObject } from '../../internal/validate.js';
import type { AppRequest } from '../../options/options.js';
import type { ResolvedQuestion } from '../../options/questions.js';
import type { Configuration } from '../../options/resolve.js';
import type { Facts } from '../../set-up/facts.js';
import { findingsIn, wordsOf } from '../../set-up/list.js';

// Mistakes that neither compiler nor options refuse, told in the terminal of an app in development. Only the process of
// such an app loads this: what is told here costs a production nothing.

type Given = Readonly<Record<string, unknown>>;
type Call = (...args: unknown[]) => unknown;

/** Tells each sentence once. */
export type Tell = (sentence: string) => void;

/** Tells what the list says of these facts. */
function tellFacts(tell: Tell, facts: Facts): void {
  for (const finding of findingsIn(facts)) tell(wordsOf(finding));
}

/** For the apps of one sandbox. */
export function newTell(): Tell {
  const told = new Set<string>();
  return (sentence) => {
    if (told.has(sentence)) return;
    told.add(sentence);
    process.emitWarning(`pidgate: ${sentence}`, { type: 'PidgateWarning', code: 'PIDGATE_MISTAKE' });
  };
}

/**
 * Tells what the options show, and returns them with functions that tell what only shows when they run. `places` has the
 * addresses of the factories before this one.
 */
export function tellMistakes(tell: Tell, config: Configuration, given: Given, places: Set<string>) {
  tellOfDurations(tell, given);
  tellOfExpressHabits(tell, given);
  tellOfSecondFactory(tell, config, places);
  checkClock(config);
  return {
    config: watchFunctions(tell, config),
    watchRouter: (router: IdentityVerification) => watchRouter(tell, router, config, given),
  };
}

/** Options that are durations, with the unit that a bare number was probably meant in. */
const durations = {
  keepFor: 'd',
  flowTtl: 'm',
  requestTimeout: 's',
  verifyTimeout: 's',
  hookTimeout: 's',
} as const;

function tellOfDurations(tell: Tell, { keepFor, flowTtl, limits, questions }: Given): void {
  const atMost = (value: unknown): unknown => (isPlainObject(value) ? value['atMost'] : value);
  tellOfDuration(tell, 'keepFor', atMost(keepFor), durations.keepFor);
  tellOfDuration(tell, 'flowTtl', flowTtl, durations.flowTtl);
  for (const [name, value] of Object.entries(limits ?? {})) {
    if (name in durations)
      tellOfDuration(tell, `limits.${name}`, value, durations[name as keyof typeof durations]);
  }
  for (const [name, question] of Object.entries((questions ?? {}) as Record<string, Given>)) {
    tellOfDuration(tell, `questions.${name}: keepFor`, atMost(question['keepFor']), durations.keepFor);
  }
}

/** A number of seconds is seen where it is whole hours or minutes of them, and odd in milliseconds. */
function tellOfDuration(tell: Tell, place: string, value: unknown, unit: string): void {
  if (typeof value !== 'number') return;
  if (value < 1_000) {
    const meant = value >= 300 && value % 60 === 0 ? 's' : unit; // max_age of OpenID Connect is in seconds
    tell(`${place}: ${value} is in milliseconds. Did you mean '${value}${meant}'?`);
  } else if (value % 3_600 === 0 && value % 60_000 !== 0) {
    const { amount, unit: word } = inWholeUnits(value * 1_000);
    tell(
      `${place}: ${value} is in milliseconds, so ${value / 1_000} seconds. Did you mean '${amount}${word.slice(0, 1)}'?`,
    );
  }
}

function tellOfExpressHabits(tell: Tell, given: Given): void {
  for (const name of ['onVerified', 'onSuccess', 'onError', 'onEvent', 'keep']) {
    const hook = given[name];
    if (typeof hook !== 'function' || hook.length < 2) continue;
    const members = name === 'onSuccess' ? '{ result, req }' : name === 'onError' ? '{ error }' : '{ … }';
    tell(
      `${name} is called with one object, unlike a handler of Express: write ${name}: (${members}) => …. To send ` +
        "the browser somewhere, return { redirectTo: '/path' }.",
    );
  }
}

/** A clock of numbers fails in each request. */
function checkClock({ clock }: Configuration): void {
  if ((clock() as unknown) instanceof Date) return;
  throw configInvalid('Option clock: the function must return a Date: clock: () => new Date().');
}

function tellOfSecondFactory(tell: Tell, { path, origins }: Configuration, places: Set<string>): void {
  const place = `${origins.join(' ')} ${path}`;
  if (places.has(place)) {
    tell(
      `a second factory has the path ${path}: identityVerification makes one router for the whole app, so call it ` +
        'once, not for each request. Several questions belong into the option questions of one factory; two factories need a ' +
        'path of their own each.',
    );
  }
  places.add(place);
}

function watchFunctions(tell: Tell, config: Configuration): Configuration {
  const { context, subject, onVerified, onSuccess, questions } = config;
  return {
    ...config,
    subject:
      subject &&
      (watched(subject, (value, req) => tellOfSubject(tell, value, req as AppRequest)) as typeof subject),
    context: context && (watched(context, (value) => tellOfLostContext(tell, value)) as typeof context),
    onVerified: onVerified && (watchedHook(tell, 'onVerified', onVerified) as typeof onVerified),
    onSuccess:
      onSuccess &&
      (watched(watchedHook(tell, 'onSuccess', onSuccess), (_, given) =>
        tellOfLostMembers(tell, Object((given as Given)['req']) as object),
      ) as typeof onSuccess),
    questions: new Map(
      [...questions].map(([name, { keep, ...question }]) => [
        name,
        {
          ...question,
          keep: keep && (watched(keep, (kept, result) => tellOfKept(tell, kept, result)) as typeof keep),
        },
      ]),
    ),
  };
}

/** The function, whose result is looked at, also if it comes later. */
function watched(fn: unknown, look: (value: unknown, given: unknown) => void): Call {
  return (...args) => {
    const value = (fn as Call)(...args);
    Promise.resolve(value)
      .then((settled) => look(settled, args[0]))
      .catch(() => {}); // a rejection is told elsewhere
    return value;
  };
}

/** What `String` makes of something that is no id. */
const noIds: ReadonlySet<unknown> = new Set(['undefined', 'null', '[object Object]', 'NaN']);

function tellOfSubject(tell: Tell, subject: unknown, req: object): void {
  if (typeof subject === 'string' && 'sessionID' in req && subject === req.sessionID) {
    tell(
      "subject returned the session's id, which changes at each return: return the id of who is logged in, and undefined " +
        'where nobody is.',
    );
  }
  if (!noIds.has(subject)) return;
  tell(
    `subject returned the text '${String(subject)}', the same one for everybody: return undefined where nobody is ` +
      'logged in, and an id where somebody is.',
  );
}

function tellOfLostContext(tell: Tell, context: unknown): void {
  const lost = jsonTakes(context) ? lostInJson(context, 'context') : undefined;
  if (lost === undefined) return;
  tell(
    `JSON does not preserve what the option context returned (${lost}): hooks get it empty, or not at all. Return plain ` +
      'objects, lists, texts and numbers.',
  );
}

function jsonTakes(value: unknown): boolean {
  try {
    return JSON.stringify(value) !== undefined;
  } catch {
    return false;
  }
}

function tellOfKept(tell: Tell, kept: unknown, result: unknown): void {
  if (kept === result) {
    tell(
      'keep returned the whole result, so the session holds every attribute: return what your pages need, such as ' +
        '{ name: attributes.given_name }.',
    );
  }
  if (kept !== undefined) return;
  tell(
    'keep returned nothing, so kept is undefined: do its braces lack a return? Write keep: () => ({ … }).',
  );
}

function tellOfLostMembers(tell: Tell, req: object): void {
  const { session } = req as { readonly session?: Readonly<Record<string, unknown>> | null };
  const { cookie: _, ...members } = session ?? {};
  const lost = jsonTakes(members) ? lostInJson(members, 'session') : undefined;
  if (lost === undefined) return;
  tell(
    `onSuccess put a value into the session that JSON does not preserve (${lost}): it is missing or empty there. Store plain ` +
      'objects, lists, texts and numbers.',
  );
}

function watchedHook(tell: Tell, name: string, hook: unknown): Call {
  const refusal = `to refuse a person, ${name} returns { refuse: 'too_young' }: what it throws counts as a failure.`;
  const look = (error: unknown): never => {
    if (error instanceof Error && error.constructor === Error) tell(refusal);
    throw error;
  };
  return (...args) => {
    try {
      const value = (hook as Call)(...args);
      return value instanceof Promise ? value.catch(look) : value;
    } catch (error) {
      return look(error);
    }
  };
}

/** The parts of a router that an app calls, each of which is replaced by one that looks at how. */
interface Watched {
  handle: Call;
  require: Call;
  start: Call;
  of: Call;
  forget: Call;
  busy: Call;
}

function watchRouter(tell: Tell, router: object, config: Configuration, given: Given): void {
  const wishes = keptLongest(config, given);
  const its = router as Watched;
  const { handle, require, start, of, forget, busy } = its;
  its.of = needingRequest('of', of);
  its.forget = needingRequest('forget', async (req) => {
    try {
      return await (forget(req) as Promise<void>);
    } finally {
      if ((req as AppRequest).res?.headersSent === true) tell(forgetTooLate);
    }
  });
  its.busy = needingRequest('busy', busy);
  its.handle = (...args) => {
    const [req] = args as [AppRequest | undefined];
    if (req === undefined) {
      throw configInvalid(`identity is the router itself: app.use('${config.path}', identity), without ().`);
    }
    tellOfShortSession(tell, req, wishes);
    return handle.apply(router, args);
  };
  its.require = (...args) => {
    if (args.length > 1) {
      throw configInvalid(
        'identity.require makes the guard of a route, so call it: identity.require(), or identity.require({ … }).',
      );
    }
    const { maxAge, question = 'default' } = Object(args[0]) as Given;
    tellOfDuration(tell, 'identity.require: maxAge', maxAge, 'd');
    const longest = toMilliseconds(maxAge) ?? 0;
    if (longest > wishes.maxAge) wishes.maxAge = longest;
    tellOfMaxAge(tell, toMilliseconds(maxAge), config.questions.get(String(question)));
    return require.apply(router, args);
  };
  its.start = async (...args) => {
    try {
      return await (start.apply(router, args) as Promise<void>);
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'ERR_HTTP_HEADERS_SENT') throw error;
      throw configInvalid('identity.start answers the request: await it, and send nothing yourself.');
    }
  };
}

function tellOfMaxAge(tell: Tell, maxAge: number | undefined, question: ResolvedQuestion | undefined): void {
  if (maxAge === undefined || question === undefined || maxAge <= question.keepFor) return;
  tell(
    `identity.require: maxAge is longer than keepFor of the question ${question.name} ` +
      `(${inWords(question.keepFor)}): people verify again when keepFor has passed.`,
  );
}

const forgetTooLate =
  'identity.forget ended after the response had been sent: await it before you respond. What it throws would end the process.';

/** The call, which names the request where none was given. */
const needingRequest =
  (name: string, call: Call): Call =>
  (...args) => {
    if (args[0] !== undefined) return call(...args);
    throw configInvalid(
      name === 'busy'
        ? 'identity.busy is a handler itself: write handler: identity.busy, without ().'
        : `identity.${name} needs the request: identity.${name}(req).`,
    );
  };

interface SessionCookie {
  readonly originalMaxAge?: number | null;
}

/** How long the app itself wishes something to last: what it has written, and no default. */
interface Wishes {
  readonly keepFor: number;
  maxAge: number;
}

function keptLongest({ questions }: Configuration, { keepFor, questions: own = {} }: Given): Wishes {
  const written = [...questions].filter(
    ([name]) =>
      keepFor !== undefined || (Object(own) as Record<string, Given>)[name]?.['keepFor'] !== undefined,
  );
  return { keepFor: Math.max(0, ...written.map(([, question]) => question.keepFor)), maxAge: 0 };
}

/** What is kept lies in the session, and ends with it. */
function tellOfShortSession(tell: Tell, req: object, { keepFor, maxAge }: Wishes): void {
  const { session } = req as { readonly session?: { readonly cookie?: SessionCookie } | null };
  const { originalMaxAge: life } = session?.cookie ?? {};
  const longest = Math.max(keepFor, maxAge);
  if (typeof life !== 'number' || life + slack >= longest) return;
  const name = keepFor >= maxAge ? 'keepFor' : 'maxAge of a guard';
  const cookie = inWords(Math.round(life / slack) * slack);
  tellFacts(tell, { outlives: { name, wished: inWords(longest), cookie } });
}

/** express-session works the life out from the end of the cookie, so it may be a moment shorter than what the app set. */
const slack = 1_000;

function inWords(ms: number): string {
  const { amount, unit } = inWholeUnits(ms);
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`;
}

/** A response that ended, as Node tells it. */
export interface Finished {
  readonly request: IncomingMessage & { readonly originalUrl?: string };
  readonly response: ServerResponse;
}

/** An address of the router that is none, or that a script asks for as a page would. */
export function tellOfAnswer(tell: Tell, { request, response }: Finished, config: Configuration): void {
  const { path, routes, questions } = config;
  const [pathname = ''] = (request.originalUrl ?? request.url ?? '').split('?', 1);
  if (!pathname.startsWith(`${path}/`)) return;
  const isPost = request.method === 'POST';
  if (isPost && response.statusCode === 303 && request.headers['sec-fetch-dest'] === 'empty') {
    tell(
      `a script fetched POST ${pathname}, and cannot follow it to the wallet: send Accept: application/json, and set ` +
        'location to the redirectUrl of the reply.',
    );
  }
  // The kit's own pages and replies pass no address on.
  if (response.statusCode !== 404 || response.getHeader('referrer-policy') === 'no-referrer') return;
  const own = Object.values(routes).flatMap((route) => (route === false ? [] : path + route));
  const names = [...questions.keys()].filter((name) => name !== 'default');
  const starts = routes.start === false ? [] : names.map((name) => `${path}${routes.start}/${name}`);
  // Of an unknown flow these answer so themselves, where something between hands on their status alone.
  if ([path + routes.status, path + routes.request].includes(pathname)) return;
  const isOwn = [...own, ...starts].includes(pathname);
  const list = new Intl.ListFormat('en').format([...own, ...starts]);
  if (isOwn)
    tellFacts(tell, {
      page: { status: 404 },
      paths: { mount: path, start: pathname, callback: '', request: '' },
    });
  else tell(`there is nothing at ${pathname}: the addresses of this router are ${list}.`);
}

/** A guard that sent a browser to a start, and where it had been. */
interface Observed {
  /** The path and query that the guard kept away from. */
  readonly from: URL;
  readonly config: Configuration;
}

/** Redirects that would go on for ever. */
export function tellOfRedirect(tell: Tell, { from: { pathname, searchParams }, config }: Observed): void {
  const { path, errorRedirect } = config;
  const shown = typeof errorRedirect === 'string' ? errorRedirect.replace(/[?#].*$/, '') : undefined;
  if (pathname === path || pathname.startsWith(`${path}/`)) {
    tellFacts(tell, { guards: { path: pathname, is: 'router' } });
  }
  if (shown === pathname && searchParams.has('error')) {
    tellFacts(tell, { guards: { path: pathname, is: 'errorRedirect' } });
  }
}
