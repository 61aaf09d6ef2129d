import { keepFor, maxAge } from './ages.js';
import type { IdentityEvent } from '../../../lib/types/events.js';
import type { Link } from './service.js';
import { isAllowed, readKept, readSession } from './sessions.js';
import { type Browser, sessionIdOf, type Town } from './town.js';
import { virtualNow } from './virtual.js';
import type { Reply } from './wire.js';
import { note, say, short, type World } from './world.js';

/** I1: what a wallet proved is in the sessions of its person's browsers alone. I5: it stays there. */
export function judgeSession({ world, sessions }: Town, browser: Browser): void {
  const { kept } = readSession(sessions.textOf(sessionIdOf(browser) ?? ''));
  for (const [question, receipt] of browser.kept) {
    const isOver =
      virtualNow() - (world.kept.get(receipt) ?? 0) > keepFor[question === 'member' ? 'vault' : 'club'] / 2;
    if (mayLose(world, browser) || isOver || kept.some((one) => one.question === question)) continue;
    note(world, 'I5', `${browser.name} no longer has what was kept of its proof`);
  }
  browser.kept = new Map(kept.map(({ question, receipt }) => [question, receipt]));
  for (const { person, receipt } of kept) {
    if (!world.released.has(receipt)) world.released.set(receipt, virtualNow());
    if (person !== browser.owner)
      note(world, 'I1', `${browser.name} has a session with what ${person} proved`);
  }
}

/** Why somebody may lose what is their own, and pidgate is not to blame. */
export const mayLose = (world: World, browser: Browser): boolean =>
  [world.excuse, browser.excuse].some((why) => why !== undefined) ||
  browser.mayHaveLost ||
  world.skew !== 0 ||
  world.plan.secrets === 'forgotten' ||
  world.isTampered;

/** Until then a flow is open, by every clock, and so is the session that began it. */
export const flowTime = 7 * 60_000;

/** I6: a flow that a session has begun and its wallet has answered is handed to it, if nothing stands against that. */
export function judgeOwnReturn(
  { world, links }: Town,
  browser: Browser,
  number: number,
  reply: Reply | undefined,
): void {
  const link = links[number];
  if (link === undefined || reply === undefined || mayLose(world, browser)) return;
  if (link.isHandedOn || virtualNow() - link.startedAt > flowTime) return;
  const isHanded = [...world.released.keys()].some((receipt) => world.linkOf.get(receipt) === number);
  if (isHanded) say(world, `${browser.name} is home with start ${number}`);
  if (reply.status === 403 && !isHanded)
    note(world, 'I6', `${browser.name} comes back with its own flow, and is sent away`);
}

/** I6: a wallet's first answer to an open flow is taken. */
export function judgeAnswered({ world }: Town, link: Link, address: string): void {
  const isOpen = link.answers === 1 && virtualNow() - link.startedAt < flowTime;
  if (!isOpen || world.excuse !== undefined || world.isTampered || world.skew !== 0) return;
  if (address.endsWith('error=state_unknown'))
    note(world, 'I6', `what was proved for start ${link.number} is lost`);
}

/** I2: a code that was revoked hands nothing over, and what was handed over is not revoked. */
export function judgeEvent(world: World, { type, ...event }: IdentityEvent): void {
  const flow = 'flow' in event ? event.flow : undefined;
  const isRevoked = type === 'flow.failed' && 'code' in event && event.code === 'return_wrong_browser';
  if (flow === undefined || (type !== 'flow.confirmed' && !isRevoked)) return;
  const end = isRevoked ? 'revoked' : 'confirmed';
  const before = world.ends.get(flow) ?? end;
  world.ends.set(flow, end);
  if (before !== end && !world.mayRepeat) note(world, 'I2', `a flow that is ${before} is ${end} too`);
}

/** The answers that the table allows, by route. */
const pages: Readonly<Record<string, readonly number[]>> = {
  start: [200, 303, 400, 403, 429, 500, 502, 503, 504],
  return: [200, 303, 400, 403, 409, 500, 503, 504],
  status: [],
};
const scripts: Readonly<Record<string, readonly number[]>> = {
  start: [200, 400, 403, 429, 500, 502, 503, 504],
  status: [200, 400, 404, 410, 500, 503],
};
const members = /^(error error_description( start)?|redirectUrl flowId expiresAt|status( start)?)$/;

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly isScript: boolean;
}

/** I9: the answers that the table allows, with a body of their type. I6: every page has a way on. */
export function judgeAnswer(world: World, { method, path, isScript }: Asked, reply: Reply): void {
  const { status, headers, body } = reply;
  const route = /^\/identity\/(\w+)/.exec(path)?.[1] ?? '';
  const header = (wanted: string): string => headers.find(([name]) => name === wanted)?.[1] ?? '';
  if (body === 'broken by an engine' || body === 'answered by the hook') return; // the kit was not asked
  const type = header('content-type');
  const about = `${method} ${route} is answered ${status} ${type}`;
  if (route === 'status' || (isScript && route === 'start' && method === 'POST')) {
    const isJson = type.startsWith('application/json');
    const isRight = isJson && members.test(Object.keys(JSON.parse(body) as object).join(' '));
    if (!isRight || scripts[route]?.includes(status) !== true) note(world, 'I9', about);
    return;
  }
  const isPage = type.startsWith('text/html') && body.includes('</html>');
  const isRight = status === 303 ? header('location') !== '' : isPage;
  if (pages[route]?.includes(status) !== true || !isRight) note(world, 'I9', about);
  const hasWay = status === 303 || /<a |<form|http-equiv="refresh"/.test(body);
  if (!hasWay) note(world, 'I6', `${about}: a page without a way on`);
}

interface Shown {
  readonly kept?: string;
  readonly user?: string;
  readonly verifiedAt?: number;
  readonly version: number;
}

/** I7: the page behind the guard shows what fits its session at that moment. */
export function judgeGuarded(
  { world, links, sessions }: Town,
  browser: Browser,
  page: 'club' | 'vault',
  began: number,
  { status, body }: Reply,
): void {
  if (body === 'broken by an engine') return;
  if (![200, 303, 401, 403].includes(status)) note(world, 'I9', `${page} is answered ${status}`);
  if (status !== 200) return;
  const shown = JSON.parse(body) as Shown;
  const [{ person, receipt, link } = { person: '', receipt: '', link: -1 }] = readKept(shown.kept ?? '');
  const told = (what: string): void => note(world, 'I7', `${browser.name} is let in ${what}`);
  // Answers take their time, and a release is a little later than the choice of what is kept.
  const slack = 2 * world.skew + 30_000;
  if (person !== browser.owner) note(world, 'I1', `${browser.name} is let in with what ${person} proved`);
  if (world.plan.hasSubject && world.subjects.get(receipt)?.has(shown.user) !== true) {
    told(`as ${shown.user}, and was somebody else when it was kept`);
  }
  if (page === 'club' && links[link]?.version !== shown.version) told('with the answer to another question');
  if (page === 'vault' && !isAllowed(shown.kept ?? '')) told('by a proof that is not allowed there');
  const age = virtualNow() - (shown.verifiedAt ?? 0);
  if (age > maxAge[page] + slack) told(`with a proof of ${age} ms`);
  const since = virtualNow() - (world.kept.get(receipt) ?? 0);
  if (since > keepFor[page] + slack) told(`with what was kept ${since} ms ago`);
  const { loggedOut = { began: Infinity, ended: Infinity } } = browser;
  const released = world.released.get(receipt) ?? 0;
  // A start or a return that looked before the log-out and wrote after it has put back what it saw.
  const isPutBack = (sessions.writtenByKit.get(sessionIdOf(browser) ?? '') ?? []).some(
    ({ looked, written }) => looked <= loggedOut.ended && written >= loggedOut.began,
  );
  if (released < loggedOut.ended && loggedOut.ended < began && !isPutBack && !world.hasOldSession)
    note(world, 'I4', `${browser.name} is let in after a log-out`);
}

/** I3: what a hook did after its time is in no session. */
function judgeLate({ world, sessions }: Town): void {
  // A hook that waits for ever for its save has not ended: what it wrote stays under an id that no browser was told. So
  // does what one wrote whose process was killed before it erased that.
  if (world.hasHungSession) return;
  const texts = sessions.texts();
  for (const { hook, mark, end, machine } of world.hooks) {
    if (mark === undefined || end !== 'late' || world.killed.has(machine)) continue;
    if (texts.some((text) => text.includes(`"${mark}"`)))
      note(world, 'I3', `a session has what ${hook} wrote when its time was over`);
  }
}

/** I2: no two sessions that browsers hold have one receipt, and never those of two people. I5: none has lost its own. */
export function judgeEnd(town: Town): void {
  const { world, browsers, sessions } = town;
  judgeLate(town);
  const holders = new Map<string, Map<string, Browser>>();
  for (const browser of browsers) {
    const id = sessionIdOf(browser);
    if (id === undefined) continue;
    for (const { receipt } of readSession(sessions.textOf(id)).kept) {
      const ids = holders.get(receipt) ?? new Map<string, Browser>();
      holders.set(receipt, ids.set(id, browser));
    }
    // With `rolling`, an answer of the app that is late gives the browser its old cookie again.
    const isLost = sessions.endedByKit.has(id) && sessions.textOf(id) === undefined;
    if (isLost && !browser.mayHaveLost && !world.plan.middleware.rolling) {
      note(world, 'I5', `${browser.name} has lost its session to the kit`);
    }
  }
  for (const [receipt, ids] of holders) {
    const owners = new Set([...ids.values()].map(({ owner }) => owner));
    const isExcused = world.mayRepeat && owners.size === 1;
    if (ids.size > 1 && !isExcused) note(world, 'I2', `${short(receipt)} is in ${ids.size} sessions`);
  }
}

/** I8: no secret and nothing personal is where others read. */
export function judgeSecrets(world: World): void {
  const words = [
    ...[...world.secrets].map(([secret, what]) => [secret, what.replace(/ \d+$/, '')] as const),
    ['Erika A', 'an attribute'],
    ['Erika M', 'an attribute'],
    ['the-api-key', 'the API key'],
    ['a secret of the simulated app', 'the secret of the app'],
    ['context-secret', 'the context'],
  ] as const;
  const everything = world.told.map(({ text }) => text).join('\n');
  for (const [secret, what] of words) {
    if (!everything.includes(secret)) continue;
    for (const { where, text } of world.told)
      if (text.includes(secret)) note(world, 'I8', `${where} has ${what}`);
  }
  if (world.plan.secrets === 'forgotten' || world.isTampered) return;
  if (world.told.some(({ where, text }) => where === 'the log' && text.includes('does not open')))
    note(world, 'I6', 'a process does not open what another one has sealed');
}
