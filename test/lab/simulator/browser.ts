import { judgeAnswer, judgeGuarded, judgeSession } from './judges.js';
import { type Browser, sessionIdOf, type Town } from './town.js';
import { outside, schedule, virtualNow } from './virtual.js';
import { exchange, type Reply } from './wire.js';
import { note, say } from './world.js';

export interface Visit {
  readonly method?: 'GET' | 'POST';
  readonly path: string;
  readonly machine: number;
  readonly cut?: number | undefined;
  /** A program of the page asks for JSON. */
  readonly isScript?: boolean;
  /** Another site leads there. */
  readonly isCrossSite?: boolean;
}

/** One request of a browser; undefined where no answer came. */
export async function send(town: Town, browser: Browser, visit: Visit): Promise<Reply | undefined> {
  const { world, machines } = town;
  const { method = 'GET', path, machine, cut, isScript = false, isCrossSite = false } = visit;
  const target = machines()[machine % machines().length];
  if (target?.isAlive !== true) return undefined;
  const shown = path.replace(/code=([\w-]{6})[\w.-]*/, 'code=$1*');
  const name = `${browser.name} ${method} ${shown}`;
  const cookie = isCrossSite && world.plan.middleware.sameSite === 'strict' ? undefined : browser.cookie;
  say(world, `${name} on ${target.name}${cookie === undefined ? ' without a session' : ''}`);
  const headers = {
    accept: isScript ? 'application/json' : 'text/html',
    'sec-fetch-site': isCrossSite ? 'cross-site' : 'same-origin',
    'x-request': name,
    ...(cookie !== undefined && { cookie: `connect.sid=${cookie}` }),
  };
  if (method === 'GET' && !isScript) browser.history.push(path);
  browser.busy += 1;
  const sent = exchange(target, { method, path, headers });
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
  takeCookie(town, browser, reply, cookie, path);
  const seen = path.startsWith('/identity/return') ? reply.body.replaceAll(/code=[\w.-]+/g, '') : reply.body;
  world.told.push({ where: `a page at ${path.split('?')[0]}`, text: seen });
  judgeSession(town, browser);
  if (path.startsWith('/identity')) judgeAnswer(world, { method, path, isScript }, reply);
  return reply;
}

function takeCookie(
  { world, sessions }: Town,
  browser: Browser,
  { headers }: Reply,
  sent: string | undefined,
  path: string,
): void {
  for (const [header, value] of headers) {
    if (header === 'location') world.told.push({ where: 'an address', text: value });
    const [, cookie] = header === 'set-cookie' ? (/^connect\.sid=([^;]*)/.exec(value) ?? []) : [];
    if (cookie === undefined) continue;
    if (sent === undefined && browser.cookie !== undefined && path.startsWith('/identity/return')) {
      note(world, 'I5', `${browser.name} comes back without its cookie, and is given another one`);
    }
    const had = sessionIdOf(browser);
    browser.cookie = cookie;
    const id = sessionIdOf(browser) ?? '';
    if (id === sessionIdOf({ cookie: sent })) {
      // With `rolling`, a late answer gives it a session back that it had before, and the log-out was of another one.
      if (id !== had && id !== browser.loggedOut?.session) browser.loggedOut = undefined;
      continue;
    }
    if (!path.startsWith('/identity/return')) continue;
    browser.releases += 1;
    // The return had looked at the session before the log-out was answered: the new one, nobody has ended.
    const [{ looked } = { looked: 0 }] = sessions.writtenByKit.get(id) ?? [];
    if (looked < (browser.loggedOut?.ended ?? 0)) browser.loggedOut = undefined;
  }
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
