import { createServer } from 'node:http';
import express, { type Express, type NextFunction, type RequestHandler } from 'express';
import { describe, expect, test } from '@jest/globals';
import { openConnection } from '../lab/fuzz/connection.js';
import { type Random, randomOf } from '../lab/fuzz/random.js';
import { bytesOf, form } from '../lab/fuzz/wire.js';
import { identityWith } from '../support/app.js';
import { type Asked, startAsking } from '../support/asked-service.js';
import { deep } from '../support/deep.js';
import { nightly, seed } from '../support/seed.js';
import { closeAfter } from '../support/close-after.js';
import { closeServer, listenOn } from '../support/listen.js';
import { good } from '../options/settings.js';

const starts = ['/identity/start', '/identity/start/member'] as const;
const addresses = [...starts, '/identity/callback', '/identity/return', '/identity/status'] as const;

/** Where a request got to: the probes mounted at documented addresses, and the kit. */
interface Met {
  readonly status: number;
  readonly use: readonly string[];
  readonly all: readonly string[];
  readonly kit: boolean;
  /** The address whose question was started. */
  readonly started: string | undefined;
}

/** An app that mounts a probe at each documented address, in both ways that Express has, and notices what passes by. */
async function openProbed(options: Record<string, unknown> = {}) {
  const app = await startAsking({
    options: { questions: { member: { reveal: ['birth_date'] } }, reveal: ['given_name'], ...options },
    before: (its) => {
      its.use(mark('X-App', 'yes'));
      for (const address of addresses) {
        its.use(address, mark('X-Use', address));
        its.all(address, mark('X-All', address));
      }
    },
    after: leave,
  });
  return { app, shoot: shooter(app) };
}

function mark(name: string, value: string): RequestHandler {
  return (_req, res, next) => {
    res.append(name, value);
    next();
  };
}

/** What comes after the kit: whatever is answered here, the kit has not met. */
function leave(its: Express): void {
  its.use((_req, res) => void res.status(404).set('X-Left', 'yes').end());
  const failed: express.ErrorRequestHandler = (_error, _req, res, _next: NextFunction) => {
    res.status(400).set('X-Left', 'yes').end();
  };
  its.use(failed);
}

/** Sends targets of requests exactly as they are spelled. */
function shooter(app: Asked): (method: string, target: string) => Promise<Met> {
  return async (method, target) => {
    const connection = await openConnection(Number(new URL(app.url).port));
    const headers = [
      ['Host', new URL(app.url).host],
      ['Sec-Fetch-Site', 'same-origin'],
      ['Accept', 'application/json'],
      ['Content-Type', form],
    ] as const;
    app.service.seen.length = 0;
    const body = Buffer.from(method === 'POST' ? 'state=x&error=y' : '');
    connection.send(bytesOf({ method, address: target, headers, body }));
    const reply = await connection.reply(method);
    await connection.abort(false);
    if (reply === undefined) throw new Error(`No reply to ${method} ${target}`);
    const all = (name: string): string[] =>
      [...reply.head.matchAll(new RegExp(`\\r\\n${name}: ([^\\r]*)`, 'gi'))].flatMap(([, value = '']) =>
        value.split(', '),
      );
    const [asked] = app.service.seen;
    return {
      status: reply.status,
      use: all('X-Use'),
      all: all('X-All'),
      kit: all('X-App').length > 0 && all('X-Left').length === 0,
      started: asked && (asked.body.includes('birth_date') ? starts[1] : starts[0]),
    };
  };
}

/** Both probes of one address, and where a question was started, of that one. */
function isPastProbe({ kit, use, all, started }: Met): boolean {
  const [probed = ''] = all;
  return kit && (all.length !== 1 || !use.includes(probed) || (started !== undefined && started !== probed));
}

/** The last segment of the address, which is what middleware is mounted for. */
const last = (address: string): string => address.slice(address.lastIndexOf('/') + 1);
const parent = (address: string): string => address.slice(0, address.lastIndexOf('/'));

/** Ways to spell an address. */
const spellings: readonly (readonly [name: string, spell: (address: string) => string])[] = [
  ['a percent-escape', (it) => `${parent(it)}/%${hex(last(it))}${last(it).slice(1)}`],
  ['a percent-escape with small digits', (it) => `${it.slice(0, -1)}%${hex(it.slice(-1)).toLowerCase()}`],
  ['an escaped escape', (it) => `${parent(it)}/%25${hex(last(it))}${last(it).slice(1)}`],
  ['an escape in the mount', (it) => it.replace('/i', '/%69')],
  ['a backslash and a hash', (it) => `${parent(it)}\\/${last(it)}#`],
  ['a backslash for a slash and a hash', (it) => `${parent(it)}\\${last(it)}#`],
  ['a backslash', (it) => `${parent(it)}\\/${last(it)}`],
  ['a backslash, a query and a hash', (it) => `${parent(it)}\\/${last(it)}?x#`],
  ['a hash', (it) => `${it}#`],
  ['a hash before the query', (it) => `${it}#?x`],
  ['capitals', (it) => it.toUpperCase()],
  ['a capital in the mount', (it) => it.replace('/i', '/I')],
  ['a capital in the last segment', (it) => it.replace(last(it), (word) => capital(word))],
  ['a slash at the end', (it) => `${it}/`],
  ['two slashes at the end', (it) => `${it}//`],
  ['two slashes in it', (it) => `${parent(it)}//${last(it)}`],
  ['two slashes in front', (it) => `/${it}`],
  ['a host in front', (it) => `//127.0.0.1${it}`],
  ['a semicolon', (it) => `${it};`],
  ['a parameter of a segment', (it) => `${parent(it)};v=1/${last(it)}`],
  ['an escaped slash', (it) => `${parent(it)}%2f${last(it)}`],
  ['an escaped backslash', (it) => `${parent(it)}%5C${last(it)}`],
  ['an escaped space', (it) => `${it}%20`],
  ['an escaped zero byte', (it) => `${it}%00`],
  ['an escaped query', (it) => `${it}%3Fx`],
  ['a dot', (it) => `${parent(it)}/./${last(it)}`],
  ['a dot in front', (it) => `/.${it}`],
  ['two dots', (it) => `${parent(it)}/x/../${last(it)}`],
  ['two escaped dots', (it) => `${parent(it)}/x/%2e%2E/${last(it)}`],
  ['a dot at the end', (it) => `${it}/.`],
  ['the absolute form', (it) => `http://127.0.0.1${it}`],
  ['the absolute form of another scheme', (it) => `ftp://127.0.0.1${it}`],
  ['a broken escape', (it) => `${it}%`],
  ['an overlong escape of a slash', (it) => `${parent(it)}%c0%af${last(it)}`],
  ['a byte past ASCII', (it) => `${it}\u00e9`],
];

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function hex(text: string): string {
  return text.charCodeAt(0).toString(16).padStart(2, '0').toUpperCase();
}

describe('F63 the kit answers one spelling of each of its addresses', () => {
  test.each(spellings)('F63 %s is an address of nobody', async (_name, spell) => {
    const { app, shoot } = await openProbed();
    const met: string[] = [];
    for (const address of addresses) {
      for (const method of ['GET', 'POST', 'HEAD', 'OPTIONS']) {
        const target = spell(address);
        const { kit, status } = await shoot(method, target);
        if (kit || ![400, 404].includes(status)) met.push(`${status} ${method} ${target}`);
      }
    }
    expect(met).toEqual([]);
    expect([app.events, app.told, app.store.created]).toEqual([[], [], []]);
  });

  deep.test('F63 whatever is spelled, the kit is not met where a mounted probe is not', async () => {
    const { shoot } = await openProbed();
    const past: string[] = [];
    const counted = { kit: 0, left: 0 };
    const count = nightly ? 10_000 : 400;
    for (let index = 0; index < count; index += 1) {
      const random = randomOf(seed, index);
      const method = random.pick(['GET', 'POST', 'POST']);
      const target = spelled(random);
      const met = await shoot(method, target);
      if (isPastProbe(met)) past.push(`${met.status} ${method} ${target}`);
      counted[met.kit ? 'kit' : 'left'] += 1;
    }
    expect(past).toEqual([]);
    // The plain ones among them, with a query or without, are met.
    expect(counted.kit).toBeGreaterThan(count / 20);
    expect(counted.left).toBeGreaterThan(count / 2);
  });

  test('F63 the plain addresses are answered, whatever the query is; default is no name in one', async () => {
    const { app, shoot } = await openProbed();
    for (const method of ['GET', 'POST']) {
      expect(await shoot(method, '/identity/start/default')).toMatchObject({ status: 404, kit: false });
    }
    expect(app.service.seen).toEqual([]);
    for (const query of ['', '?', '?a=/\\..//%6D', '?x#', '?returnTo=%2Fclub']) {
      for (const address of starts) {
        expect(await shoot('POST', `${address}${query}`)).toMatchObject({ status: 200, started: address });
      }
      expect(await shoot('POST', `/identity/callback${query}`)).toMatchObject({ status: 400, kit: true });
      expect(await shoot('GET', `/identity/status${query}`)).toMatchObject({ status: 404, kit: true });
      expect(await shoot('GET', `/identity/return${query}`)).toMatchObject({ status: 403, kit: true });
    }
  });

  test('F63 nothing is read: neither body nor session', async () => {
    let read = 0;
    const count = (): void => void (read += 1);
    const { app } = await openProbed({ subject: count, context: count });
    const connection = await openConnection(Number(new URL(app.url).port));
    const headers = Object.entries({ 'Content-Type': form, 'Sec-Fetch-Site': 'same-origin' });
    const escaped = { method: 'POST', address: '/identity/start/%6Dember', headers, body: Buffer.alloc(0) };
    // The body that is announced does not come: an answer that waits for it never does either.
    connection.send(bytesOf(escaped, ['Content-Length: 9']));
    expect((await connection.reply('POST'))?.status).toBe(404);
    expect([read, app.store.created, app.service.seen]).toEqual([0, [], []]);
    await connection.abort(false);
  });
});

const mounts: readonly (readonly [string, (app: Express, identity: RequestHandler) => unknown])[] = [
  ['with a slash at the end', (app, identity) => app.use('/identity/', identity)],
  ['in a list', (app, identity) => app.use(['/identity'], identity)],
  ['by a pattern', (app, identity) => app.use(/^\/identity(?=\/|$)/i, identity)],
  ['in a router of the app', (app, identity) => app.use('/', express.Router().use('/identity', identity))],
  ['in an app of its own', (app, identity) => app.use(express().use('/identity', identity))],
  [
    'in an app whose routing is strict',
    (app, identity) =>
      app.enable('case sensitive routing').enable('strict routing').use('/identity', identity),
  ],
];

describe('F63 however the kit is mounted, it answers the same addresses', () => {
  test.each(mounts)('F63 %s', async (_name, mount) => {
    const app = express();
    mount(app, identityWith(good));
    leave(app);
    const server = createServer(app);
    const { port } = new URL(await listenOn(server));
    closeAfter(async () => await closeServer(server));
    const statuses: number[] = [];
    for (const path of '/start /callback /START /start/ //start /%73tart /./start  /'.split(' ')) {
      const connection = await openConnection(Number(port));
      const headers = [['Host', 'shop.example']] as const;
      const body = Buffer.alloc(0);
      connection.send(bytesOf({ method: 'GET', address: `/identity${path}`, headers, body }));
      statuses.push((await connection.reply('GET'))?.status ?? 0);
      await connection.abort(false);
    }
    expect(statuses).toEqual([200, 405, 404, 404, 404, 404, 404, 404, 404]);
  });
});

describe('F63 what the app itself does is not judged', () => {
  test('F63 identity.start in a route of the app', async () => {
    const app = await startAsking({
      after: (its, identity) => its.post('/own/:name', async (req, res) => await identity.start(req, res)),
    });
    const json = { accept: 'application/json' };
    expect((await app.browser().post(`${app.url}/own/%6Dember%20of`, {}, json)).status).toBe(200);
  });

  test('F63 middleware that rewrites addresses, if what it rewrites is plain', async () => {
    const rewrite: RequestHandler = (req, _res, next) => {
      if (decodeURIComponent(req.url) === '/verify-me') req.url = '/identity/start';
      next();
    };
    const app = await startAsking({ before: (its) => void its.use(rewrite), after: leave });
    const browser = app.browser();
    expect((await browser.get(`${app.url}/verify-me`)).status).toBe(200);
    const escaped = await browser.get(`${app.url}/verify%2Dme`);
    expect([escaped.status, escaped.headers.get('x-left')]).toEqual([404, 'yes']);
  });

  test.each(['/verify/start', '/verify/%73tart', '/verify//start'])(
    'F63 a wrong mount is told first, at %s',
    async (target) => {
      const app = await startAsking({ after: (its) => its.use('/verify', identityWith(good)) });
      const met = await app.browser().get(`${app.url}${target}`, { accept: 'application/json' });
      expect([met.status, met.json()]).toMatchObject([500, { error: 'config_invalid' }]);
    },
  );
});

const inserted = [
  String.raw`/ // \ /. /./ /.. /../ /x/../ . .. ; ;x=1 # ? ?x# @ : + ~ * ! $ & ' ( , = | ^ { [ ] " <`,
  '% %2 %2f %2F %5c %5C %00 %20 %23 %3f %3F %2e %2E%2e %u002f %c0%af \u00e9 \u00ff',
].flatMap((words) => words.split(' '));
const inFront = String.raw`http://127.0.0.1 HTTPS://evil.example x: // //evil.example \ /x/.. /. ?`.split(
  ' ',
);
const behind = String.raw`/ // # #x ? ?# ?x=1 ?x=1# /default /member /. \ %2f % ;`.split(' ');
const slashes = String.raw`\ \/ /\ // %2f /./ /x/../`.split(' ');

const changes: readonly ((text: string, random: Random) => string)[] = [
  (text, random) => at(text, random, (letter) => `%${hex(letter)}`),
  (text, random) => at(text, random, (letter) => `%${hex(letter).toLowerCase()}`),
  (text, random) => at(text, random, (letter) => `%25${hex(letter)}`),
  (text, random) => at(text, random, (letter) => letter.toUpperCase()),
  (text, random) => at(text, random, (letter) => `${letter}${random.pick(inserted)}`),
  (text, random) => at(text, random, () => ''),
  (text, random) => text.replace(/\/(?=[^/]*$)/, random.pick(slashes)),
  (text, random) => `${random.pick(inFront)}${text}`,
  (text, random) => `${text}${random.pick(behind)}`,
];

function at(text: string, random: Random, change: (letter: string) => string): string {
  const index = random.below(text.length);
  return `${text.slice(0, index)}${change(text.charAt(index))}${text.slice(index + 1)}`;
}

/** One of the addresses, in none to four steps made into another spelling, and now and then with a query. */
function spelled(random: Random): string {
  let target: string = random.pick(addresses);
  for (let steps = random.below(5); steps > 0; steps -= 1) target = random.pick(changes)(target, random);
  return random.oneIn(4) ? `${target}${random.pick(['?', '?x', '?/../#', '#', '\\#'])}` : target || '/';
}
