import { origin } from './app.js';
import { follow, next, send, type Visit } from './browser.js';
import { judgeAnswered, judgeOwnReturn } from './judges.js';
import type { Action } from './plan.js';
import { bring } from './service.js';
import { readSession } from './sessions.js';
import { tamper } from './tamper.js';
import { type Browser, type Return, sessionIdOf, type Town } from './town.js';
import { virtualNow } from './virtual.js';
import type { Reply } from './wire.js';
import { note, say, wait } from './world.js';

const pick = <T>(list: readonly T[], which: number): T | undefined =>
  list.at(-1 - (which % Math.max(1, list.length)));

/** What a person does. */
export async function act(town: Town, action: Action, at: number): Promise<void> {
  const { does } = action;
  const browser = town.browsers[action.browser];
  if (browser === undefined) return;
  const { which, machine, cut, hold, about, isScript } = action;
  const post = async (path: string) => await send(town, browser, { method: 'POST', path, machine });
  const open = async (path: string | undefined, isCrossSite = false): Promise<Reply | undefined> => {
    if (path === undefined) return undefined;
    const { reply, isEndless } = await follow(town, browser, { path, machine, cut, isCrossSite, origin });
    if (isEndless) note(town.world, 'I6', `${browser.name} is sent on without end`);
    return reply;
  };
  // Another account is another person, and whoever logs out has nothing more to expect.
  if (/account|log|forget/.test(does)) browser.excuse ??= does;
  switch (does) {
    case 'start':
      return await start(town, browser, action);
    case 'approve':
    case 'decline':
      return await answerInWallet(town, browser, action, at);
    case 'return':
    case 'replay': {
      const found = chooseReturn(town, browser, action);
      if (found === undefined) return;
      const isOwn = browser.links.some(({ number }) => number === found.link);
      const link = town.links[found.link];
      if (link !== undefined && !isOwn) link.isHandedOn = true;
      const began = virtualNow();
      const reply = await open(found.address.slice(origin.length), true);
      if (isOwn) judgeOwnReturn(town, browser, found.link, reply);
      if (isOwn) judgeForgotten(town, browser, found.link, began, reply);
      return;
    }
    case 'back':
      await open(pick(browser.history, which + 1));
      return;
    case 'reload':
      await open(pick(browser.history, 0));
      return;
    case 'status': {
      const path = `/identity/status?flow=${pick(browser.flowIds, which) ?? 'none'}`;
      await send(town, browser, { path, machine, isScript: true });
      return;
    }
    case 'start page':
      await open(about === 'club' ? '/identity/start' : '/identity/start/member');
      return;
    case 'page':
      if (isScript) await send(town, browser, { path: `/${about}`, machine, isScript });
      else await open(`/${about}`);
      return;
    case 'log in':
      await post(`/log-in/${browser.owner}`);
      return;
    case 'change account':
      await post(`/account/other-${browser.owner}`);
      return;
    case 'switch account':
      return await switchAccount(town, browser, { machine, hold });
    case 'basket':
      await post(`/basket/item${at}`);
      return;
    case 'log out':
      return await logOut(town, browser, '/log-out', { machine });
    case 'soft log out':
      return await logOut(town, browser, '/soft-log-out', { machine, hold });
    case 'forget':
      return await forget(town, browser, { which, machine, hold });
    case 'copy cookie':
      copyCookie(town, browser, which);
      return;
    case 'tamper':
      tamper(town, action);
      return;
    case 'kill':
    case 'stop':
    case 'deploy':
    case 'clock':
    case 'clock jump':
      return; // the world's own
  }
}

async function start(town: Town, browser: Browser, { machine, cut, about, isScript }: Action): Promise<void> {
  const before = town.links.length;
  const route = about === 'club' ? '/identity/start' : '/identity/start/member';
  const press = async (path: string): Promise<Reply | undefined> =>
    await send(town, browser, { method: 'POST', path, machine, cut, isScript });
  // A program of the page is the app's: what it does to its session, it has chosen.
  if (isScript) browser.excuse ??= 'a program starts';
  let reply = await press(`${route}?form=kit&returnTo=/${about}`);
  for (let times = 0; reply !== undefined && times < maxTimes; times += 1) {
    const again = shownForm(reply);
    if (again === undefined) break;
    say(town.world, `${browser.name} is shown the start page once more`);
    await wait(200);
    reply = await press(again);
  }
  if (reply === undefined) return;
  if (shownForm(reply) !== undefined) note(town.world, 'I6', `${browser.name} is asked to start for ever`);
  const { redirectUrl, flowId } = (reply.body.startsWith('{') ? JSON.parse(reply.body) : {}) as Record<
    string,
    string
  >;
  if (flowId !== undefined) browser.flowIds.push(flowId);
  const number = /^https:\/\/wallet\.example\/(\d+)$/.exec(redirectUrl ?? next(reply) ?? '')?.[1];
  const link = number === undefined ? undefined : town.links[Number(number)];
  if (link !== undefined && link.number >= before) browser.links.push(link);
}

/** The session was gone; and the one that there was then, and the one after that. */
const maxTimes = 4;

/** Where the button of a start page leads. */
const shownForm = ({ body }: Reply): string | undefined =>
  /<form method="post" action="([^"]*form=[^"]*)"/.exec(body)?.[1]?.replaceAll('&amp;', '&');

async function answerInWallet(town: Town, browser: Browser, action: Action, at: number): Promise<void> {
  const { world, machines, links } = town;
  const { which, machine, delivery, does } = action;
  // Now and then a link of somebody else, who has handed it on.
  const link = which < 2 ? pick(browser.links, which) : pick(links, which);
  if (link === undefined) return;
  const { number, state } = link;
  const presentation = `presentation|${browser.owner}|${number}|${at}`;
  world.secrets.set(presentation, `presentation ${number}`);
  const fields = does === 'approve' ? { presentation, state } : { error: 'access_denied', state };
  const name = `${browser.name}'s wallet for start ${number}`;
  link.answers += 1;
  const address = await bring(world, machines, fields, { name, delivery, machine });
  if (address === undefined) return;
  if (does === 'approve' && delivery === 'once') judgeAnswered(town, link, address);
  browser.returns.push({ address, link: number });
  const flowId = /code=([\w-]+)\./.exec(address)?.[1];
  if (flowId !== undefined) browser.flowIds.push(flowId);
}

function chooseReturn({ browsers }: Town, browser: Browser, { does, which }: Action): Return | undefined {
  // Addresses are handed on only by whose browser started: nobody defends a person who hands over a proof unused.
  const others = browsers.filter((other) => other.returns.length > 0);
  const from = does === 'return' || which < 2 ? browser : (pick(others, which) ?? browser);
  if (from.owner === browser.owner) return pick(from.returns, which);
  // Who has the session and the address of somebody, stolen or planted, has all that the kit can ask for.
  if (browser.hasCopy || from.hasCopy) return undefined;
  const started = from.returns.filter(({ link }) => from.links.some(({ number }) => number === link));
  return pick(started, which);
}

/** I4: what was begun before `forget` is handed to nobody. */
function judgeForgotten(
  { world, links }: Town,
  browser: Browser,
  number: number,
  began: number,
  reply: Reply | undefined,
): void {
  // What began meanwhile, in the time of a log-out that was slow, may be in the session that it did not reach.
  const { forgotten } = browser;
  const isBefore = (links[number]?.startedAt ?? Infinity) < forgotten.began && forgotten.ended < began;
  const isHanded = [...browser.kept.values()].some((receipt) => world.linkOf.get(receipt) === number);
  if (reply !== undefined && isBefore && isHanded && !browser.hasCopy && !world.hasOldSession)
    note(world, 'I4', `${browser.name} is handed what it had begun before it was forgotten`);
}

/** A cookie that was stolen, or planted, before anything was proved: what comes later must not come along. */
function copyCookie({ world, sessions, browsers }: Town, browser: Browser, which: number): void {
  const from = pick(
    browsers.filter(({ cookie }) => cookie !== undefined && cookie !== browser.cookie),
    which,
  );
  if (from === undefined || from.busy > 0) return;
  if (readSession(sessions.textOf(sessionIdOf(from) ?? '')).kept.length > 0) return;
  say(world, `${browser.name} has the cookie of ${from.name}`);
  browser.cookie = from.cookie;
  browser.cookieEnds = from.cookieEnds;
  browser.hasCopy = true;
  browser.mayHaveLost = true;
  from.mayHaveLost = true;
}

/** What SECURITY.md says of a log-out that meets a return is not held against it; of a start, see judgeGuarded. */
async function logOut(
  town: Town,
  browser: Browser,
  path: string,
  more: Pick<Visit, 'machine' | 'hold'>,
): Promise<void> {
  const { world } = town;
  const { cookie, releases, sent } = browser;
  const began = virtualNow();
  const isAlone = browser.busy === 0;
  const reply = await send(town, browser, { method: 'POST', path, ...more });
  // A start or a return may have begun and ended meanwhile.
  const isUndisturbed = isAlone && browser.sent === sent + 1;
  if (path === '/soft-log-out' && cookie !== undefined && reply?.status === 200 && isUndisturbed)
    browser.forgotten = { began, ended: virtualNow() };
  // A return that was under way has given the browser another session, which nobody has ended.
  const isSame = cookie === browser.cookie || (world.plan.middleware.passport && browser.busy === 0);
  if (reply?.status === 200 && isSame && releases === browser.releases)
    browser.loggedOut = { session: sessionIdOf({ cookie }), began, ended: virtualNow() };
}

/** I4: what is begun before it is handed to nobody. I6: nothing but another request stands against it. */
async function forget(
  town: Town,
  browser: Browser,
  { which, ...more }: Pick<Visit, 'machine' | 'hold'> & { readonly which: number },
): Promise<void> {
  const { world, sessions } = town;
  const { cookie, sent } = browser;
  const [began, isAlone] = [virtualNow(), browser.busy === 0];
  const path = `/forget/${['once', 'both', 'twice', 'failing'][which % 4] ?? ''}`;
  const reply = await send(town, browser, { method: 'POST', path, ...more });
  const isUndisturbed = isAlone && browser.sent === sent + 1;
  if (cookie === undefined || !isUndisturbed || browser.hasCopy || reply === undefined) return;
  if (reply.status === 409 && world.excuse === undefined && !browser.mayHaveLost && !world.hasOldSession)
    note(world, 'I6', `${browser.name} cannot forget, and nobody else has changed its session`);
  if (reply.status !== 200) return;
  browser.forgotten = { began, ended: virtualNow() };
  const { kept } = readSession(sessions.textOf(sessionIdOf(browser) ?? ''));
  if (kept.length > 0 && !world.hasOldSession) note(world, 'I4', `${browser.name} has what was forgotten`);
}

/** I4: what `forget` was called for is gone when the app answers, in a request too that has just renewed its session. */
async function switchAccount(
  town: Town,
  browser: Browser,
  more: Pick<Visit, 'machine' | 'hold'>,
): Promise<void> {
  const { world, sessions } = town;
  const { cookie, sent } = browser;
  const [began, isAlone] = [virtualNow(), browser.busy === 0];
  const reply = await send(town, browser, { method: 'POST', path: `/switch/${browser.owner}`, ...more });
  const isUndisturbed = isAlone && browser.sent === sent + 1;
  if (reply?.status !== 200 || !isUndisturbed || browser.hasCopy) return;
  if (cookie !== undefined) browser.forgotten = { began, ended: virtualNow() };
  const { kept } = readSession(sessions.textOf(sessionIdOf(browser) ?? ''));
  if (kept.length > 0 && !world.hasOldSession) note(world, 'I4', `${browser.name} has what was forgotten`);
}
