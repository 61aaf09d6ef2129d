import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Begun, Reply } from '../../support/callbacks.js';
import { type EngineModule, type EngineName, engineNames, oneOfEach } from '../../support/engines/engine.js';
import { onModules } from './engines.js';
import { type OwnApp, inShort, ownApps } from './own-app.js';
import { type OwnServer, ownServer } from './own-server.js';

type Point = keyof typeof titles;

const titles = {
  start: 'before the record is created: a page with 503, and the service is not asked',
  lease: 'between read and lease: 503, no hook; what is kept goes on, what is not is over',
  verdict: 'before the reply: 503; a redelivery finds it verified, or runs the hook again after the lease',
  lock: 'at the return, before the lock: the page "try again", and no hook',
  read: 'at the return, with the lock, before the flow is read: the page "try again", and no hook',
  end: 'at the return, before its last write: the answer is out, what was kept stays, and onSuccess runs no second time',
} as const;

/** What happens to the server when a call of the store comes to it. */
interface Fault {
  readonly what: string;
  readonly points: readonly Point[];
  begin(server: OwnServer): Promise<unknown>;
  end(server: OwnServer): Promise<void>;
  /** It has its data again afterwards. */
  readonly keeps: boolean;
  /** The write that was under way takes effect, and who wrote does not know. */
  readonly writes: boolean;
  /** The client asks again by itself, and finds its own write: the caller hears of no fault. */
  readonly isMended: boolean;
}

function faultsOn(name: EngineName, engine: EngineModule): readonly Fault[] {
  let goesOn = async (): Promise<void> => undefined;
  const away: Omit<Fault, 'what' | 'keeps'> = {
    points: ['start', 'lease', 'verdict', 'lock', 'read', 'end'],
    begin: async (server) => await server.goAway(),
    end: async (server) => await server.comeBack(),
    writes: engine.sendsLate,
    isMended: false,
  };
  const isTwice = engine.durable !== undefined && oneOfEach.includes(name);
  return [
    { ...away, what: 'goes away, and its data is kept', keeps: true },
    ...(isTwice ? [{ ...away, what: 'goes away, and its data is lost', keeps: false }] : []),
    {
      what: 'does what was asked, and the reply is lost',
      points: ['lease', 'verdict', 'end', 'start'], // at first, the reply asks a client for the script of Redis
      begin: async (server) => await Promise.resolve(server.wire.loseNextReply()),
      end: async () => await Promise.resolve(),
      keeps: true,
      writes: true,
      isMended: engine.asksAgain?.(name) ?? false,
    },
    {
      what: 'hangs, and does it when nobody waits for it any more',
      points: ['start', 'lease', 'verdict', 'lock', 'read'],
      begin: async (server) => (goesOn = await server.hang()),
      end: async () => await goesOn(),
      keeps: true,
      writes: true,
      isMended: false,
    },
  ];
}

function survives(name: EngineName, engine: EngineModule, fault: Fault): void {
  const { keeps, writes, isMended } = fault;
  const server = ownServer(name, engine, keeps);
  const openApp = ownApps();
  let app: OwnApp;

  beforeEach(async () => {
    app = await openApp(server());
  });

  const called = async ({ state }: Begun): Promise<Reply> =>
    await app.deliver({ presentation: 'good', state });
  const closed = '/identity/return?error=state_unknown';
  const kept = async ({ browser }: Begun): Promise<unknown> => (await browser.get(`${app.url}/me`)).json();

  /** From this call of the store on; counts the replies that were lost. */
  const from = (call: string): (() => void) => {
    const lost = server().wire.lost();
    app.when(call, async () => void (await fault.begin(server())));
    return () => {
      if (fault.what.includes('reply')) expect(server().wire.lost()).toBe(lost + 1);
    };
  };
  const ends = async (): Promise<void> => await fault.end(server());

  /** A whole flow, as if nothing had been. */
  async function worksAgain(): Promise<void> {
    const begun = await app.begin();
    const { status, body } = await called(begun);
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(await app.statusOf(begun)).toBe('confirmed');
    await app.idle();
  }

  /** A lease or a lock that nobody gives back: it stands until its time is over. */
  async function heldByNobody(triedAgain: () => Promise<string>): Promise<void> {
    expect(await triedAgain()).toBe('503 1');
    app.leaveAlone();
  }

  const runs: Readonly<Record<Point, () => Promise<void>>> = {
    async start() {
      const wasLost = from('before create 1');
      const browser = app.browser();
      const shown = await browser.post(`${app.url}/identity/start`);
      expect(inShort(shown)).toBe('503 1');
      expect(shown.text).toContain('store_unavailable');
      expect(app.ran).toEqual(['onError start store_unavailable']);
      expect(app.events.map(({ type }) => type)).toEqual(['start.failed']);
      expect(browser.cookies.size).toBe(1); // the session is saved first
      wasLost();
      await ends();
    },
    async lease() {
      const begun = await app.begin();
      const wasLost = from('before replace 1');
      expect(inShort(await called(begun))).toBe('503 1');
      wasLost();
      expect(app.ran).toEqual([]);
      await ends();
      if (keeps && writes) await heldByNobody(async () => inShort(await called(begun)));
      expect(app.ran).toEqual([]);
      const { status, body } = await called(begun);
      expect(status).toBe(200);
      expect(app.ran).toEqual(keeps ? ['onVerified'] : []);
      expect(body.redirect_uri?.endsWith(closed)).toBe(!keeps);
      expect(await app.statusOf(begun)).toBe(keeps ? 'verified' : 'expired');
    },
    async verdict() {
      const begun = await app.begin();
      const wasLost = from('before replace 2');
      expect(inShort(await called(begun))).toBe(isMended ? '200 null' : '503 1');
      wasLost();
      expect(app.ran).toEqual(['onVerified']);
      await ends();
      if (keeps && !writes) await heldByNobody(async () => inShort(await called(begun)));
      const { status, body } = await called(begun);
      expect(status).toBe(200);
      expect(app.ran).toEqual(keeps && !writes ? ['onVerified', 'onVerified'] : ['onVerified']);
      expect(body.redirect_uri?.endsWith(closed)).toBe(!keeps);
      expect(await app.statusOf(begun)).toBe(keeps ? 'verified' : 'expired');
      if (!keeps) return;
      expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
      expect(await app.statusOf(begun)).toBe('confirmed');
      expect(app.ran.at(-1)).toBe('onSuccess');
      expect(new Set(app.receipts).size).toBe(1);
    },
    // Written, and who wrote it does not know: or written, and it cannot be read to be given back.
    lock: async () => await returns('before create 1', writes),
    read: async () => await returns('before read 1', keeps),
    async end() {
      const begun = await app.begin();
      const address = (await called(begun)).body.redirect_uri ?? '';
      const wasLost = from('before replace 1');
      expect(inShort(await begun.browser.get(address))).toBe('303 null');
      await app.idle();
      wasLost();
      const last = isMended
        ? { type: 'flow.confirmed' }
        : { type: 'return.refused', code: 'store_unavailable' };
      expect(app.events.at(-1)).toMatchObject(last);
      expect((await begun.browser.get(address)).status).toBe(303); // of the session alone
      await ends();
      expect((await begun.browser.get(address)).status).toBe(303);
      expect(await kept(begun)).toBe('Erika');
      expect(await app.statusOf(begun)).toBe('confirmed');
      expect(app.ran).toEqual(['onVerified', 'onSuccess']);
    },
  };

  async function returns(call: string, isHeld: boolean): Promise<void> {
    const begun = await app.begin();
    const address = (await called(begun)).body.redirect_uri ?? '';
    from(call);
    const shown = await begun.browser.get(address);
    expect(inShort(shown)).toBe('503 1');
    expect(shown.text).toContain('store_unavailable');
    expect(app.ran).toEqual(['onVerified', 'onError return store_unavailable']);
    expect(await kept(begun)).toBeNull();
    await ends();
    // A lock that is written when the server is back is there without the flow, too.
    if (isHeld) await heldByNobody(async () => inShort(await begun.browser.get(address)));
    expect((await begun.browser.get(address)).status).toBe(keeps ? 303 : 403);
    expect(await kept(begun)).toBe(keeps ? 'Erika' : null);
    expect(await app.statusOf(begun)).toBe(keeps ? 'confirmed' : 'expired');
    expect(app.ran.filter((hook) => hook === 'onSuccess')).toHaveLength(keeps ? 1 : 0);
  }

  test.each(fault.points.map((point) => [titles[point], runs[point]] as const))(
    'F34 %s',
    async (_title, run) => {
      await run();
      await worksAgain();
    },
  );
}

/** Where flows and sessions have one client: both are gone. */
function goesAwayWithSessions(name: EngineName, engine: EngineModule): void {
  const server = ownServer(name, engine);
  const openApp = ownApps();

  test('F34 after onSuccess, before anything is kept: the same address works again after the lock', async () => {
    const app = await openApp(server(), server().sessions());
    const begun = await app.begin();
    const { body } = await app.deliver({ presentation: 'good', state: begun.state });
    const address = body.redirect_uri ?? '';
    app.when('keep', async () => await server().goAway());
    const shown = await begun.browser.get(address);
    expect(inShort(shown)).toBe('503 1');
    await server().comeBack();
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBeNull();
    app.leaveAlone();
    expect((await begun.browser.get(address)).status).toBe(303);
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBe('Erika');
    expect(app.ran.filter((hook) => hook === 'onSuccess')).toHaveLength(2);
    expect(new Set(app.receipts).size).toBe(1);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });
}

await onModules(engineNames, (name, engine) => {
  describe.each(faultsOn(name, engine))('F34 the server $what', (fault) => {
    survives(name, engine, fault);
  });
  if (engine.sharesSessions) {
    describe('F34 the server goes away, with the sessions', () => {
      goesAwayWithSessions(name, engine);
    });
  }
});
