import { flowTime, judgeAnswer, judgeGuarded, judgeSession, mayLose } from './judges.js';
import { type Browser, sessionIdOf, type Town } from './town.js';
import { readSession, type SessionView } from './sessions.js';
import { outside, schedule, virtualNow } from './virtual.js';
import { exchange, type Reply } from './wire.js';
import { note, say, type World } from './world.js';

export interface Visit {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly machine: number;
  readonly cut?: number | undefined;
  /** A program of the page asks for JSON. */
  readonly isScript?: boolean;
  /** The rest of what it posts comes so many milliseconds later. */
  readonly hold?: number | undefined;
  /** Another site leads there. */
  readonly isCrossSite?: boolean;
}

/** One request of a browser; undefined where no answer came. */
export async function send(town: Town, browser: Browser, visit: Visit): Promise<Reply | undefined> {
  const { world, machines } = town;
  const { method = 'GET', path, machine, cut, hold, isScript = false, isCrossSite = false } = visit;
  const target = machines()[machine % machines().length];
  if (target?.isAlive !== true) return undefined;
  const shown = path.replace(/code=([\w-]{6})[\w.-]*/, 'code=$1*');
  const name = `${browser.name} ${method} ${shown}`;
  forgetCookie(world, browser);
  // It would be given a session by each of the two.
  if (browser.cookie === undefined && browser.busy > 0) browser.excuse ??= 'two first requests at once';
  const cookie = isCrossSite && world.plan.middleware.sameSite === 'strict' ? undefined : browser.cookie;
  const { cookieEnds: ends } = browser;
  say(world, `${name} on ${target.name}${cookie === undefined ? ' without a session' : ''}`);
  const headers = {
    accept: isScript ? 'application/json' : 'text/html',
    'sec-fetch-site': isCrossSite ? 'cross-site' : 'same-origin',
    'x-request': name,
    ...(cookie !== undefined && { cookie: `connect.sid=${cookie}` }),
    ...(hold !== undefined && { 'content-type': 'application/x-www-form-urlencoded' }),
  };
  if (method === 'GET' && !isScript) browser.history.push(path);
  browser.busy += 1;
  browser.sent += 1;
  const sent = exchange(target, {
    method,
    path,
    headers,
    ...(hold !== undefined && { body: 'sure=1', hold }),
  });
  if (cut !== undefined) {
    browser.mayHaveLost = true;
    outside(() => schedule(cut, () => sent.cut()));
  }
  const reply = await sent.reply;
  browser.busy -= 1;
  say(world, `${name} → ${reply?.status ?? 'nothing'}`);
  if (reply === undefined) {
    browser.mayHaveLost = true;
    return undefined;
  }
  takeCookie(town, browser, reply, { cookie, ends, path, isScript });
  const seen = path.startsWith('/identity/return') ? reply.body.replaceAll(/code=[\w.-]+/g, '') : reply.body;
  world.told.push({ where: `a page at ${path.split('?')[0]}`, text: seen });
  judgeSession(town, browser);
  if (path.startsWith('/identity')) judgeAnswer(world, { method, path, isScript }, reply);
  return reply;
}

/** Its time is over. */
function forgetCookie(world: World, browser: Browser): void {
  if (browser.cookie === undefined || browser.cookieEnds > virtualNow()) return;
  say(world, `${browser.name} has forgotten its cookie`);
  // A start sees to it that the cookie lasts as long as its flow, or as the app lets it.
  const started = browser.links.at(-1)?.startedAt ?? -Infinity;
  if (!mayLose(world, browser) && virtualNow() < started + flowTime)
    note(world, 'I6', `the cookie of ${browser.name} has run out before its flow`);
  browser.cookie = undefined;
  browser.mayHaveLost = true;
  browser.kept = new Map();
}

interface Sent {
  readonly cookie: string | undefined;
  /** When the browser would have forgotten it. */
  readonly ends: number;
  readonly path: string;
  readonly isScript: boolean;
}

function takeCookie(
  town: Town,
  browser: Browser,
  { status, headers }: Reply,
  { cookie: sent, ...more }: Sent,
): void {
  const { path } = more;
  const { world, sessions } = town;
  for (const [header, value] of headers) {
    if (header === 'location') world.told.push({ where: 'an address', text: value });
    const [, cookie] = header === 'set-cookie' ? (/^connect\.sid=([^;]*)/.exec(value) ?? []) : [];
    if (cookie === undefined) continue;
    if (sent === undefined && browser.cookie !== undefined && path.startsWith('/identity/return')) {
      note(world, 'I5', `${browser.name} comes back without its cookie, and is given another one`);
    }
    const had = sessionIdOf(browser);
    browser.cookie = cookie;
    const expires = /; Expires=([^;]*)/.exec(value)?.[1];
    browser.cookieEnds = expires === undefined ? Infinity : Date.parse(expires);
    const id = sessionIdOf(browser) ?? '';
    // With `maxAge`, a late answer of the app gives it a session back that a release has replaced.
    if (id !== had && !path.startsWith('/identity') && sessions.endedByKit.has(id))
      browser.mayHaveLost = true;
    if (id !== had && had !== undefined)
      judgeOther(town, browser, had, id, { cookie: sent, ...more, hasFailed: status >= 500 });
    if (id === sessionIdOf({ cookie: sent })) {
      // With `rolling`, a late answer gives it a session back that it had before, and the log-out was of another one.
      if (id !== had && id !== browser.loggedOut?.session) browser.loggedOut = undefined;
      continue;
    }
    if (!path.startsWith('/identity/return')) continue;
    browser.releases += 1;
    browser.released = id;
    // The return had looked at the session before the log-out was answered: the new one, nobody has ended.
    const [{ looked } = { looked: 0 }] = sessions.writtenByKit.get(id) ?? [];
    if (looked < (browser.loggedOut?.ended ?? 0)) browser.loggedOut = undefined;
  }
}

/** I5: a start gives nobody another session over the one that a release, or the app, has given meanwhile. */
function judgeOther(
  { world, sessions }: Town,
  browser: Browser,
  had: string,
  id: string,
  { cookie, ends, path, isScript, hasFailed }: Sent & { readonly hasFailed: boolean },
): void {
  // A program that starts by itself is told so by the documents, a first start had no session to lose when it was sent, and
  // a cookie is renewed that would have ended before the flow, or that the app has sent; by a start that fails too.
  const isFirst = cookie === undefined || path.includes('form=fresh');
  const isShort = ends < virtualNow() + flowTtl + 2 * world.skew || had !== browser.released || hasFailed;
  const isRenewed = id === sessionIdOf({ cookie }) && ends < Infinity && isShort;
  const isStart = path.startsWith('/identity/start');
  // Where the session that it had is gone, too: the renewed cookie may be of one that a release has replaced.
  if (sessions.textOf(had) === undefined && !(isStart && isRenewed)) return;
  if (isStart ? isScript || isFirst || isRenewed : !path.startsWith('/identity')) browser.mayHaveLost = true;
  if (!isStart || browser.mayHaveLost) return;
  const [before, after] = [readSession(sessions.textOf(had)), readSession(sessions.textOf(id))];
  const has = (other: SessionView): string =>
    [...other.basket, ...other.kept.map(({ receipt }) => receipt)].join();
  if (before.user !== after.user || has(before) !== has(after))
    note(world, 'I5', `${browser.name} is given another session by a start, over the one that it has`);
}

/** Where a page leads by itself. */
export const next = (reply: Reply): string | undefined => {
  const location = reply.headers.find(([name]) => name === 'location')?.[1];
  const refresh = /<meta http-equiv="refresh" content="0;url=([^"]*)"/.exec(reply.body)?.[1];
  return location ?? refresh?.replaceAll('&amp;', '&');
};

/** Where the browser ended up. */
export interface Followed {
  readonly reply: Reply | undefined;
  /** It would have gone on and on. */
  readonly isEndless: boolean;
}

/** The default of the option. */
const flowTtl = 10 * 60_000;

const guarded = /^\/(club|vault)/;
const maxSteps = 6;

/** Follows redirects within the app, and pages that go on by themselves. */
export async function follow(
  town: Town,
  browser: Browser,
  visit: Visit & { readonly origin: string },
): Promise<Followed> {
  let { path } = visit;
  let reply: Reply | undefined;
  for (let steps = 0; steps < maxSteps; steps += 1) {
    const page = guarded.exec(path)?.[1] as 'club' | 'vault' | undefined;
    const step = { ...visit, path, ...(steps > 0 && { cut: undefined, isCrossSite: false }) };
    const began = virtualNow();
    reply = await send(town, browser, step);
    if (page !== undefined && reply !== undefined) judgeGuarded(town, browser, page, began, reply);
    const to = reply && next(reply);
    if (to === undefined || page !== undefined) return { reply, isEndless: false };
    const url = new URL(to, visit.origin);
    if (url.origin !== visit.origin) return { reply, isEndless: false };
    path = `${url.pathname}${url.search}`;
    if (path.startsWith('/identity/start')) return { reply, isEndless: false };
  }
  return { reply, isEndless: true };
}
