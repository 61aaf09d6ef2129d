import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from '@jest/globals';
import type { IdentityEvent } from '../../lib/index.js';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { blocksOf, documents } from '../house/documents.js';
import { callbackApps } from '../support/callbacks.js';
import { deep } from '../support/deep.js';

const open = callbackApps();

/** What a database says of a row that is there already. */
const ofDatabase = 'Key (name)=(Erika Mustermann) already exists.';
/** What anybody who knows a state can post. */
const ofStranger = 'INFO transfer to Erika Mustermann approved';

const hooks = documents()
  .filter((path) => path !== 'CHANGELOG.md')
  .flatMap((path) => blocksOf(path))
  .flatMap(({ place, code }) =>
    [...code.matchAll(/^ *onError: (.*),$/gm)].map(([, hook = '']) => [place, hook] as const),
  );

describe('F98 no personal data by our own advice', () => {
  deep.test.each(hooks)('F98 onError of %s prints code, step and flow at most', async (_place, hook) => {
    const printed: unknown[] = [];
    const print = (...words: unknown[]): void => void printed.push(...words);
    const onError = runInNewContext(`(${hook})`, {
      console: { log: print, warn: print, error: print },
    }) as () => unknown;
    const app = await open({
      hooks: {
        onError,
        onSuccess: () => {
          throw new Error(ofDatabase);
        },
      },
    });
    const refused = await app.begin();
    await app.deliver({ state: refused.state, error: ofStranger });
    const { flow, browser, back } = await app.verified();
    await browser.get(back);
    expect(app.ran.filter((run) => run.startsWith('onError'))).toHaveLength(2);
    const names = [refused.flow, flow].flatMap((its) => [its, supportCodeOf(its)]);
    const known = ['not verified', 'callback', 'service_error', 'return', 'hook_failed', ...names];
    for (const word of printed) expect(known).toContain(word);
  });

  test('F98 the documents print errors in onError', () => {
    expect(hooks.map(([, hook]) => hook).filter((hook) => hook.includes('console.'))).not.toEqual([]);
  });

  test('F98 no document prints a cause or the code of the service', () => {
    const found = documents().flatMap((path) => blocksOf(path).map(({ code }) => [path, code] as const));
    for (const [path, code] of found) {
      const lines = code.split('\n').filter((line) => /console\.\w+\(.*\b(?:cause|serviceCode)\b/.test(line));
      expect([path, lines]).toEqual([path, []]);
    }
  });

  test('F98 onError is told flow and question', async () => {
    const told: unknown[] = [];
    const app = await open({ hooks: { onError: (args: object) => void told.push(args) } });
    const { state, flow } = await app.begin();
    await app.deliver({ state, presentation: 'bad' });
    expect(told).toMatchObject([{ step: 'callback', flow, question: 'default' }]);
  });

  test("F98 an event has no check and no code in the words of an app's own verifier", async () => {
    const published: unknown[] = [];
    const listen = (event: unknown): void => void published.push(event);
    subscribe('pidgate', listen);
    try {
      const check = 'Erika Mustermann';
      const app = await open({
        judge: () => ({ valid: false, reason: 'no', check, code: 'erika_mustermann' }),
      });
      const { state } = await app.begin();
      await app.deliver({ state, presentation: 'bad' });
      const refused = ({ type }: IdentityEvent): boolean => type === 'callback.refused';
      const [event, ...more] = app.events.filter(refused);
      expect([event?.code, event?.check, more]).toEqual(['service_error', undefined, []]);
      expect(JSON.stringify([app.events, published])).not.toMatch(/erika/i);
      expect(published).toContainEqual(event);
    } finally {
      unsubscribe('pidgate', listen);
    }
  });
});
