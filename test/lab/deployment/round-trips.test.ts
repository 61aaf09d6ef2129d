import { describe, expect, test } from '@jest/globals';
import type { FlowStore } from '../../../lib/types/store.js';
import { serverPath } from '../../stores/servers.js';
import { type CallbackApp, callbackApps, turns } from '../../support/callbacks.js';
import { engineNames, serverOf } from '../../support/engines/engine.js';
import { onModules } from './engines.js';
import { openWireTo } from './wire.js';

const quickstart = { onSuccess: () => undefined };
const hooksOf = {
  "the quickstart's options": quickstart,
  'onVerified as well': { ...quickstart, onVerified: () => undefined },
};
/** A store that costs more fails the bar; one that costs less has a better figure to tell. */
const bars = [
  ["the quickstart's options", 8],
  ['onVerified as well', 9],
] as const;

await onModules(engineNames, (name, engine) => {
  const openApp = callbackApps();

  /** Releases whose last call of the store has ended: it comes after the answer. */
  let over = 0;
  const appOn = async (inner: FlowStore, hooks: object): Promise<CallbackApp> => {
    const replace: FlowStore['replace'] = async (id, version, value, ttl) => {
      const written = await inner.replace(id, version, value, ttl);
      if (value === 'claim.free') over += 1;
      return written;
    };
    return await openApp({ hooks, options: { store: { ...inner, replace }, keep: () => 'kept' } });
  };

  async function flows(app: CallbackApp, count: number): Promise<void> {
    for (let nth = 0; nth < count; nth += 1) {
      const { state, browser } = await app.begin();
      const { body } = await app.deliver({ presentation: 'good', state });
      const before = over;
      expect((await browser.get(body.redirect_uri ?? '')).status).toBe(303);
      while (over === before) await turns(1);
    }
  }

  describe('a flow from start to return', () => {
    test.each(bars)('with %s costs %i round trips', async (hooks, bar) => {
      const opened = await openWireTo(serverPath(serverOf(name)), engine);
      const { wire } = opened;
      const client = await engine.connect(name, opened.path);
      const store = client.storeWithin(30_000);
      await store.setup?.();
      const app = await appOn(store, hooksOf[hooks]);
      await flows(app, 5); // connects, and a Redis learns the scripts
      const before = wire.passed().trips;
      await flows(app, 10);
      expect(wire.passed().trips - before).toBe(10 * bar);
      await client.close();
      await opened.close();
    });
  });
});
