import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Begun, Reply } from '../../support/callbacks.js';
import { type EngineModule, type EngineName, engineNames, oneOfEach } from '../../support/engines/engine.js';
import { onModules } from './engines.js';
import { type OwnApp, inShort, leaseOver, ownApps } from './own-app.js';
import { ownServer } from './own-server.js';

/** `keeps`: whether the server has its data again when it is back. */
function goesAway(name: EngineName, engine: EngineModule, keeps: boolean): void {
  const late = engine.sendsLate;
  const server = ownServer(name, engine, keeps);
  const openApp = ownApps();
  let app: OwnApp;

  beforeEach(async () => {
    app = await openApp(server());
  });

  const leaves = async (): Promise<void> => await server().goAway();
  const isBack = async (): Promise<void> => await server().comeBack();
  const form = ({ state }: Begun) => ({ presentation: 'good', state });
  const called = async (begun: Begun): Promise<Reply> => await app.deliver(form(begun));
  const closed = '/identity/return?error=state_unknown';

  /** A whole flow, as if nothing had been. */
  async function worksAgain(): Promise<void> {
    const begun = await app.begin();
    const { status, body } = await called(begun);
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(await app.statusOf(begun)).toBe('confirmed');
    await app.idle();
  }

  /** The claim was written and who wrote it does not know: it stands until its time is over. */
  async function leaseOfNobody(triedAgain: () => Promise<string>): Promise<void> {
    expect(await triedAgain()).toBe('503 1');
    app.clock.forward(leaseOver);
  }

  test('F34 before the record is created: a page with 503, and the service is not asked', async () => {
    app.when('before create 1', leaves);
    const browser = app.browser();
    const shown = await browser.post(`${app.url}/identity/start`);
    expect(inShort(shown)).toBe('503 1');
    expect(shown.text).toContain('store_unavailable');
    expect(app.ran).toEqual(['onError start store_unavailable']);
    expect(app.events.map(({ type }) => type)).toEqual(['start.failed']);
    expect(browser.cookies.size).toBe(0);
    await isBack();
    await worksAgain();
  });

  test('F34 between read and claim: 503, no hook; what is kept goes on, what is not is over', async () => {
    const begun = await app.begin();
    app.when('before replace 1', leaves);
    expect(inShort(await called(begun))).toBe('503 1');
    expect(app.ran).toEqual([]);
    await isBack();
    if (keeps && late) await leaseOfNobody(async () => inShort(await called(begun)));
    const { status, body } = await called(begun);
    expect(status).toBe(200);
    expect(app.ran).toEqual(keeps ? ['onVerified'] : []);
    expect(body.redirect_uri?.endsWith(closed)).toBe(!keeps);
    expect(await app.statusOf(begun)).toBe(keeps ? 'verified' : 'expired');
    await worksAgain();
  });

  test('F34 before the reply: 503; a redelivery finds it verified, or runs the hook again after the lease', async () => {
    const begun = await app.begin();
    app.when('before replace 2', leaves);
    expect(inShort(await called(begun))).toBe('503 1');
    expect(app.ran).toEqual(['onVerified']);
    await isBack();
    if (keeps && !late) await leaseOfNobody(async () => inShort(await called(begun)));
    const { status, body } = await called(begun);
    expect(status).toBe(200);
    expect(app.ran).toEqual(keeps && !late ? ['onVerified', 'onVerified'] : ['onVerified']);
    expect(new Set(app.receipts).size).toBe(1);
    expect(body.redirect_uri?.endsWith(closed)).toBe(!keeps);
    expect(await app.statusOf(begun)).toBe(keeps ? 'verified' : 'expired');
    await worksAgain();
  });

  test.each(['before read 1', 'before replace 1'])(
    'F34 at the return, %s: the page "try again", and no hook',
    async (point) => {
      const begun = await app.begin();
      const address = (await called(begun)).body.redirect_uri ?? '';
      app.when(point, leaves);
      const shown = await begun.browser.get(address);
      expect(inShort(shown)).toBe('503 1');
      expect(shown.text).toContain('store_unavailable');
      expect(app.ran).toEqual(['onVerified', 'onError return store_unavailable']);
      expect((await begun.browser.get(`${app.url}/me`)).json()).toBeNull();
      await isBack();
      if (keeps && late && point === 'before replace 1') {
        await leaseOfNobody(async () => inShort(await begun.browser.get(address)));
      }
      expect((await begun.browser.get(address)).status).toBe(keeps ? 303 : 403);
      expect((await begun.browser.get(`${app.url}/me`)).json()).toBe(keeps ? 'Erika' : null);
      expect(await app.statusOf(begun)).toBe(keeps ? 'confirmed' : 'expired');
      expect(app.ran.filter((hook) => hook === 'onSuccess')).toHaveLength(keeps ? 1 : 0);
      await worksAgain();
    },
  );

  test('F34 at the return, before its last write: the answer is out, what was kept stays, and onSuccess runs no second time', async () => {
    const begun = await app.begin();
    const address = (await called(begun)).body.redirect_uri ?? '';
    app.when('before replace 2', leaves);
    expect(inShort(await begun.browser.get(address))).toBe('303 null');
    await app.idle();
    expect(app.events.at(-1)).toMatchObject({ type: 'return.refused', code: 'store_unavailable' });
    expect((await begun.browser.get(address)).status).toBe(303); // of the session alone
    await isBack();
    expect((await begun.browser.get(address)).status).toBe(303);
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBe('Erika');
    expect(await app.statusOf(begun)).toBe('confirmed');
    expect(app.ran).toEqual(['onVerified', 'onSuccess']);
    await worksAgain();
  });

  test('F34 while nothing is asked: the next start works', async () => {
    await worksAgain();
    await leaves();
    await isBack();
    await worksAgain();
  });
}

/** Where flows and sessions have one client: both are gone. */
function goesAwayWithSessions(name: EngineName, engine: EngineModule): void {
  const server = ownServer(name, engine);
  const openApp = ownApps();

  test('F34 after onSuccess, before anything is kept: the same address works again after the lease', async () => {
    const app = await openApp(server(), server().sessions());
    const begun = await app.begin();
    const { body } = await app.deliver({ presentation: 'good', state: begun.state });
    const address = body.redirect_uri ?? '';
    app.when('keep', async () => await server().goAway());
    const shown = await begun.browser.get(address);
    expect(inShort(shown)).toBe('503 1');
    await server().comeBack();
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBeNull();
    app.clock.forward(leaseOver);
    expect((await begun.browser.get(address)).status).toBe(303);
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBe('Erika');
    expect(app.ran.filter((hook) => hook === 'onSuccess')).toHaveLength(2);
    expect(new Set(app.receipts).size).toBe(1);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });
}

await onModules(engineNames, (name, engine) => {
  describe('F34 the server goes away, and its data is kept', () => {
    goesAway(name, engine, true);
  });
  if (engine.durable !== undefined && oneOfEach.includes(name)) {
    describe('F34 the server goes away, and its data is lost', () => {
      goesAway(name, engine, false);
    });
  }
  if (engine.sharesSessions) {
    describe('F34 the server goes away, with the sessions', () => {
      goesAwayWithSessions(name, engine);
    });
  }
});
