import { createServer, request as send, type RequestListener } from 'node:http';
import { MemoryStore } from 'express-session';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt } from 'jose';
import { memoryStore } from '../../../lib/stores/memory.js';
import { read } from '../../house/documents.js';
import { seenFromOutside } from '../../dev/cli/doctor/patient.js';
import { type AppSetup, identityWith } from '../../support/app.js';
import { closeAfter } from '../../support/close-after.js';
import { closeServer, listenOn } from '../../support/listen.js';
import { certify, pemOf } from '../../support/verify/certificates.js';
import {
  accessOf,
  entryOf,
  startWalletApp,
  type WalletApp,
  walletOptions,
  walletWorld,
} from '../../support/wallets.js';

// Each wrong step of docs/going-live.md, and where it is seen.

const shared = walletWorld();
const kept = { keep: ({ attributes }: { attributes: unknown }) => attributes, keptAs: 'All of it' };

interface Played extends WalletApp {
  /** What the log says. */
  readonly lines: readonly string[];
}

async function openApp(
  options: object = {},
  setup: AppSetup = {},
  access = shared.access(),
): Promise<Played> {
  const lines: string[] = [];
  const log = (line: string): void => void lines.push(line);
  const app = await startWalletApp(
    {
      sandbox: shared.sandbox(),
      ...setup,
      options: { logger: { error: log, warn: log }, ...kept, ...options },
    },
    { access },
  );
  return { ...app, lines };
}

/** Somebody verifies: what the wallet is told, what the page then says, and how far the events came. */
async function walk(app: Played) {
  const flow = await app.asked('code');
  const answered = await flow.opened.respond().then(flow.opened.send).catch(String);
  const { notice = '' } = (await flow.poll()).body;
  return {
    answered,
    notice,
    events: app.events.map(({ type }) => type),
    checks: app.events.map(({ check }) => check),
  };
}

const sandboxEntry = () => entryOf(shared.sandbox());

/** The trust of an app, changed. */
function trusting(change: { readonly iss?: string | undefined; readonly keys?: object }) {
  const changed = Object.entries({ ...sandboxEntry(), ...change });
  return { trust: { 'de-ausweis': Object.fromEntries(changed.filter(([, value]) => value !== undefined)) } };
}

/** What the factory says, where it is not made. */
function said(options: object): string {
  try {
    const appUrl = 'https://shop.example';
    identityWith({
      ...walletOptions(shared.sandbox(), shared.access()),
      reveal: ['given_name'],
      appUrl,
      ...options,
    });
    return 'made';
  } catch (error) {
    return (error as Error).message;
  }
}

/** Doctor, on another machine, of an app in front of which something stands. */
async function doctorOf(before: AppSetup['before'], options: object = {}) {
  const app = await openApp(options, before && { before });
  const { findings } = await seenFromOutside(app, {
    IDENTITY_ACCESS_KEY: 'a file',
    IDENTITY_ISSUER: 'de-ausweis',
  });
  return {
    app,
    ids: findings.map(({ id }) => id),
    told: findings.map((each) => Object.values(each).join(' ')),
  };
}

const guide = read('docs/going-live.md');

describe('F178 a wrong step 2, at the start', () => {
  const entry = () => shared.access().entry;
  const stranger = certify({ subject: 'Stranger', isCa: true });
  const ended = certify({ subject: 'Shop', issuer: stranger, notAfter: -86_400 });

  it.each<[mistake: string, wallets: () => object, sentence: string]>([
    [
      'the certificate of another key',
      () => ({ ...entry(), key: stranger.keys.privateKey }),
      'does not belong to the certificate',
    ],
    [
      'the root in place of the certificate',
      () => ({ ...entry(), certificate: shared.access().anchors.join('') }),
      'is self-signed, and wallets refuse that',
    ],
    [
      'a chain out of order',
      () => ({ ...entry(), certificate: entry().certificate + pemOf(stranger) }),
      'is out of order',
    ],
    [
      'a certificate that has expired',
      () => ({ certificate: pemOf(ended), key: ended.keys.privateKey }),
      'has no certificate that is valid now',
    ],
    [
      'a file in DER',
      () => ({ ...entry(), certificate: stranger.der.toString('latin1') }),
      'must be the text of certificates in PEM',
    ],
  ])('%s', (_mistake, wallets, sentence) => {
    expect(said({ wallets: wallets() })).toContain(sentence);
  });

  it('a root at the end of the chain does no harm: no wallet gets it', async () => {
    const { anchors } = shared.access();
    const wallets = { ...entry(), certificate: entry().certificate + anchors.join('') };
    const app = await openApp({ wallets });
    expect(await walk(app)).toMatchObject({ answered: { status: 200, body: {} } });
    expect(guide).toContain('A root at the end does no harm');
  });
});

describe('F178 a wrong step 2 that only an ID shows: the event, the log and the page', () => {
  it.each<[mistake: string, check: string, change: () => object, line: RegExp]>([
    [
      'the anchors of another issuer',
      'K03',
      () => ({ keys: { x5c: { anchors: [pemOf(certify({ subject: 'Other', isCa: true }))] } } }),
      /K03: /,
    ],
    ['no iss', 'K10', () => ({ iss: undefined }), /K10: .*the trust entry allows none/],
    [
      'another iss',
      'K10',
      () => ({ iss: 'https://other.example' }),
      /K10: .*allowed is `https:\/\/other\.example`/,
    ],
  ])('%s: %s', async (_mistake, check, change, line) => {
    const app = await openApp(trusting(change()));
    const { answered, notice, events, checks } = await walk(app);
    expect(answered).toMatchObject({ status: 200 });
    expect([events.at(-1), checks.at(-1)]).toEqual(['callback.refused', check]);
    expect(app.lines).toContainEqual(expect.stringMatching(line));
    expect(notice).toMatch(/\w{4}-\w{4} \(\w+\)/);
    expect(guide).toContain(`\`callback.refused\` with \`${check}\``);
  });

  const withClock = async (seconds: number) => {
    const clock = () => new Date(Date.now() + seconds * 1000);
    const access = await accessOf(new Date(Date.now() - 3_600_000));
    return await openApp({ clock, store: memoryStore({ clock }) }, {}, access);
  };

  it.each([
    ['ten minutes ahead', 600, 'B11', /fast/],
    ['nine minutes behind', -540, 'C07', /C07: /],
  ])('a clock that is %s', async (_where, seconds, check, line) => {
    const app = await withClock(seconds);
    const { events, checks, notice } = await walk(app);
    expect([events.at(-1), checks.at(-1)]).toEqual(['callback.refused', check]);
    expect(app.lines).toContainEqual(expect.stringMatching(line));
    expect(notice).toMatch(/\w{4}-\w{4} \(\w+\)/);
    expect(read('docs/errors.md')).toContain(`\`${check}\``);
  });

  it('a clock that is more than ten minutes behind: for the wallet the request has ended', async () => {
    const app = await withClock(-660);
    await expect(app.asked('code')).rejects.toThrow("'exp' is in the past");
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started', 'flow.requested']);
    expect(guide).toContain('the clock of this machine is ten minutes behind');
  });
});

const cut: RequestListener = (req) => void req.socket.destroy();
const dated =
  (seconds: number): RequestListener =>
  (_req, res) =>
    void res.setHeader('date', new Date(Date.now() + seconds * 1000).toUTCString());

describe('a wrong step 3: doctor from outside, and the events', () => {
  it('the address of the request is not reachable: nothing follows flow.started', async () => {
    const { app, ids, told } = await doctorOf((it) => it.use('/identity/request', cut));
    expect(ids).toEqual(['request-stopped']);
    expect(told[0]).toContain('GET /identity/request gets no response');
    const flow = await app.begin();
    await expect(app.wallet.open(flow.links.code ?? '')).rejects.toThrow(/fetch/i);
    expect(app.events.map(({ type }) => type)).toEqual(['flow.started']);
    expect(guide).toContain('| `flow.started` |');
  });

  it('the callback is behind a firewall: nothing follows flow.requested', async () => {
    const { app, ids, told } = await doctorOf((it) => it.use('/identity/callback', cut));
    expect(ids).toEqual(['callback-unreachable']);
    expect(told[0]).toMatch(/POST \/identity\/callback: .*firewall/);
    const { answered, events } = await walk(app);
    expect(answered).toMatch(/failed/);
    expect(events).toEqual(['flow.started', 'flow.requested']);
    expect(guide).toContain('| `flow.requested` |');
  });

  it('a proxy that takes no answer of a wallet for its length', async () => {
    const { ids, told } = await doctorOf((it) =>
      it.use('/identity/callback', (req, res, next) => {
        if (Number(req.headers['content-length']) > 8_192) res.status(413).end();
        else next();
      }),
    );
    expect(ids).toEqual(['callback-unlike-interface']);
    expect(told[0]).toMatch(/returns 413.*A proxy that takes no body of this length/);
    expect(guide).toContain('a limit for bodies below 64 kB');
  });

  it('a proxy that reads all before it passes anything on does no harm', async () => {
    const proxy = await bufferingProxy();
    const app = await openApp(
      {},
      { origins: [proxy.url], before: (it) => it.set('trust proxy', 'loopback') },
    );
    proxy.target = app.url;
    const browser = app.browser();
    const shown = await browser.post(`${proxy.url}/identity/start`, {}, { origin: proxy.url });
    const page = await browser.get(new URL(shown.location ?? '', proxy.url).href);
    const link = /href="(openid4vp:[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const opened = await app.wallet.open(link);
    const { status, body } = await opened.send(await opened.respond());
    expect(status).toBe(200);
    expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(app.events.at(-1)?.type).toBe('flow.confirmed');
  });

  it.each([
    ['ahead of', -600],
    ['behind', 600],
  ])('a clock that is ten minutes %s the app: clock-skewed', async (where, seconds) => {
    const { ids, told } = await doctorOf((it) =>
      it.use((req, res, next) => {
        dated(seconds)(req, res);
        next();
      }),
    );
    expect(ids).toEqual(['clock-skewed']);
    expect(told[0]).toMatch(new RegExp(`600 seconds ${where} the app`));
  });
});

describe('F177 the drill of a renewal', () => {
  it('certificate A asks, B is added in front, a wallet answers A, A goes: none fails', async () => {
    const [a, b] = [await accessOf(), await accessOf()];
    const [store, sessions] = [memoryStore(), new MemoryStore()];
    const deploy = async (entries: readonly (typeof a)[], origins: readonly string[] = []) =>
      await openApp(
        { wallets: entries.map(({ entry }) => entry), store },
        { origins, session: { store: sessions } },
        entries[0],
      );
    const first = await deploy([a]);
    const asked = await first.asked('link');
    const unopened = await first.begin();

    const both = await deploy([b, a], [first.url]);
    const here = (address = ''): string => address.replace(first.url, both.url);
    const there = both.url;
    // The link that A's page showed is fetched and answered at the process that has both.
    const late = await first.wallet.open(
      (unopened.links.link ?? '').replaceAll(encodeURIComponent(first.url), encodeURIComponent(there)),
    );
    for (const [flow, opened] of [
      [asked, asked.opened],
      [unopened, late],
    ] as const) {
      expect(opened.clientId).toBe(a.clientId);
      const body = new URLSearchParams({ response: await opened.respond() });
      const reply = await fetch(`${there}/identity/callback`, { method: 'POST', body });
      const { redirect_uri: back } = (await reply.json()) as { redirect_uri?: string };
      expect([reply.status, (await flow.browser.get(here(back))).status]).toEqual([200, 303]);
    }
    const after = await deploy([b], [first.url, both.url]);
    const fresh = await after.asked('code');
    expect(fresh.opened.clientId).toBe(b.clientId);
    expect(await fresh.opened.send(await fresh.opened.respond())).toEqual({ status: 200, body: {} });
    const lines = [first, both, after].flatMap((app) => app.lines);
    const events = [first, both, after].flatMap((app) => app.events.map(({ type }) => type));
    expect(lines).toEqual([]);
    expect(events.filter((type) => /failed|refused|unknown/.test(type))).toEqual([]);
    expect(events.filter((type) => type === 'flow.confirmed')).toHaveLength(2);
  });

  it('of two processes that both have both, each asks with the one that the other began with', async () => {
    const [a, b] = [await accessOf(), await accessOf()];
    const store = memoryStore();
    const run = async (entries: readonly (typeof a)[], origins: readonly string[] = []) =>
      await openApp({ wallets: entries.map(({ entry }) => entry), store }, { origins }, entries[0]);
    const turned = await run([b, a]);
    const old = await run([a, b], [turned.url]);
    const { state } = await turned.begin();
    const reply = await fetch(`${old.url}/identity/request?state=${state}.code`);
    expect([reply.status, decodeJwt(await reply.text())['client_id']]).toEqual([200, b.clientId]);
  });
});

/** A proxy in front of an app, which passes on whole requests and whole replies. */
async function bufferingProxy(): Promise<{ url: string; target: string }> {
  const whole = async (stream: AsyncIterable<Buffer>): Promise<Buffer> => {
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk);
    return Buffer.concat(chunks);
  };
  const server = createServer((req, res) => {
    const { method, url = '', headers } = req;
    void whole(req).then((body) => {
      const { 'transfer-encoding': _, ...others } = headers;
      const length = { 'content-length': String(body.length) };
      const forwarded = {
        ...others,
        ...length,
        'x-forwarded-proto': 'http',
        'x-forwarded-host': headers.host,
      };
      const passed = send(proxy.target + url, { method, headers: forwarded, agent: false }, (reply) => {
        void whole(reply).then((answer) => {
          const { 'transfer-encoding': __, ...given } = reply.headers;
          res
            .writeHead(reply.statusCode ?? 502, { ...given, 'content-length': String(answer.length) })
            .end(answer);
        });
      });
      passed.end(body);
    });
  });
  const proxy = { url: await listenOn(server), target: '' };
  closeAfter(async () => await closeServer(server));
  return proxy;
}
