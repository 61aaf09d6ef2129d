import { beforeEach, describe, expect, test } from '@jest/globals';
import type { Reply } from '../../support/callbacks.js';
import { type EngineModule, type EngineName, engineNames } from '../../support/engines/engine.js';
import { onModules } from './engines.js';
import { type OwnApp, inShort, leaseOver, ownApps } from './own-app.js';
import { ownServer } from './own-server.js';

/**
 * The server did what was asked, and the reply was lost. ioredis asks again by itself, and finds its own write: then
 * the caller may hear of no fault at all.
 */
function losesReplies(name: EngineName, engine: EngineModule): void {
  const server = ownServer(name, engine);
  const openApp = ownApps();
  const again = engine.asksAgain?.(name) ?? false;
  let app: OwnApp;

  beforeEach(async () => {
    app = await openApp(server());
  });

  const lose = async (): Promise<void> => {
    server().wire.loseNextReply();
  };
  const called = async (state: string): Promise<Reply> => await app.deliver({ presentation: 'good', state });

  test('F34 the claim was written: 503, and after the lease the redelivery runs the hook', async () => {
    const { state } = await app.begin();
    app.when('before replace 1', lose);
    const lost = server().wire.lost();
    expect(inShort(await called(state))).toBe('503 1');
    expect(server().wire.lost()).toBe(lost + 1);
    expect(inShort(await called(state))).toBe('503 1'); // the lease of nobody
    expect(app.ran).toEqual([]);
    app.clock.forward(leaseOver);
    expect((await called(state)).status).toBe(200);
    expect(app.ran).toEqual(['onVerified']);
  });

  test('F34 the verdict was written: 503, and the redelivery finds it; the hook ran once', async () => {
    const begun = await app.begin();
    app.when('before replace 2', lose);
    const lost = server().wire.lost();
    expect(inShort(await called(begun.state))).toBe(again ? '200 null' : '503 1');
    expect(server().wire.lost()).toBe(lost + 1);
    const { status, body } = await called(begun.state);
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(app.ran).toEqual(['onVerified', 'onSuccess']);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });

  test('F34 the end was written: the answer is out, the same address works, onSuccess ran once', async () => {
    const begun = await app.begin();
    const address = (await called(begun.state)).body.redirect_uri ?? '';
    app.when('before replace 2', lose);
    const lost = server().wire.lost();
    expect(inShort(await begun.browser.get(address))).toBe('303 null');
    await app.idle();
    expect(server().wire.lost()).toBe(lost + 1);
    expect(app.events.at(-1)?.type).toBe(again ? 'flow.confirmed' : 'return.refused');
    expect((await begun.browser.get(address)).status).toBe(303);
    expect((await begun.browser.get(`${app.url}/me`)).json()).toBe('Erika');
    expect(app.ran.filter((hook) => hook === 'onSuccess')).toHaveLength(1);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });

  test('F34 the new record was written: the start fails, and the next one works', async () => {
    app.when('before create 1', lose);
    const browser = app.browser();
    expect(inShort(await browser.post(`${app.url}/identity/start`))).toBe('503 1');
    expect(app.events.map(({ type }) => type)).toEqual(['start.failed']);
    const { state } = await app.begin('', browser);
    expect((await called(state)).status).toBe(200);
  });
}

/** The server hears everything and does nothing until it is let go; then it does what nobody waits for any more. */
function hangs(name: EngineName, engine: EngineModule): void {
  const server = ownServer(name, engine);
  const openApp = ownApps();
  let app: OwnApp;
  let goesOn: () => Promise<void>;

  beforeEach(async () => {
    app = await openApp(server());
  });

  async function hang(): Promise<void> {
    goesOn = await server().hang();
  }
  const called = async (state: string): Promise<Reply> => await app.deliver({ presentation: 'good', state });

  test('F34 at a start: a page with 503, and then it works', async () => {
    app.when('before create 1', hang);
    expect(inShort(await app.browser().post(`${app.url}/identity/start`))).toBe('503 1');
    await goesOn();
    expect((await called((await app.begin()).state)).status).toBe(200);
  });

  test('F34 at the claim: 503, and after the lease the redelivery runs the hook', async () => {
    const { state } = await app.begin();
    app.when('before replace 1', hang);
    expect(inShort(await called(state))).toBe('503 1');
    await goesOn();
    expect(inShort(await called(state))).toBe('503 1'); // the claim was written late: the lease of nobody
    expect(app.ran).toEqual([]);
    app.clock.forward(leaseOver);
    expect((await called(state)).status).toBe(200);
    expect(app.ran).toEqual(['onVerified']);
  });

  test('F34 before the reply: 503, and the redelivery finds the verdict, written late', async () => {
    const begun = await app.begin();
    app.when('before replace 2', hang);
    expect(inShort(await called(begun.state))).toBe('503 1');
    await goesOn();
    const { status, body } = await called(begun.state);
    expect(status).toBe(200);
    expect((await begun.browser.get(body.redirect_uri ?? '')).status).toBe(303);
    expect(app.ran).toEqual(['onVerified', 'onSuccess']);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });

  test('F34 at the return: the page "try again", and the same address works', async () => {
    const begun = await app.begin();
    const address = (await called(begun.state)).body.redirect_uri ?? '';
    app.when('before read 1', hang);
    expect(inShort(await begun.browser.get(address))).toBe('503 1');
    await goesOn();
    expect((await begun.browser.get(address)).status).toBe(303);
    expect(await app.statusOf(begun)).toBe('confirmed');
  });
}

await onModules(engineNames, (name, engine) => {
  describe('F34 nobody knows what the server did: the reply is lost', () => {
    losesReplies(name, engine);
  });
  describe('F34 nobody knows what the server did: the server hangs', () => {
    hangs(name, engine);
  });
});
