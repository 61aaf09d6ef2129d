import { describe, expect, test } from '@jest/globals';
import { supportCodeOf } from '../../lib/internal/support-code.js';
import { type IdentityError, memoryStore } from '../../lib/index.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import express from 'express';
import { type Running, openSandbox, startApp, unknownState } from '../support/app.js';
import {
  badBodies,
  type Begun,
  bothForms,
  type CallbackApp,
  type CallbackSetup,
  callbackApps,
  gate,
  hookOf,
  turns,
  valid,
} from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { storeAround } from '../support/stores.js';
import { decide } from '../support/wallet.js';
import { leaseMs } from '../../lib/flow/lease.js';

const openApp = callbackApps();

describe.each(bothForms)("confirm '%s'", (confirm) => {
  const own = hookOf(confirm);
  const good = [own];
  const after = confirm === 'return' ? 'verified' : 'confirmed';

  const open = async (setup: CallbackSetup = {}): Promise<CallbackApp> =>
    await openApp({
      confirm,
      ...setup,
      hooks: { [own]: () => undefined, onSuccess: () => undefined, ...setup.hooks },
    });

  const succeeded = ({ url }: Running): RegExp =>
    confirm === 'return'
      ? new RegExp(`^${url}/identity/return\\?code=[\\w-]{43}\\.[\\w-]{43}$`)
      : new RegExp(`^${url}/$`);
  const closed = ({ url }: Running): string =>
    `{"redirect_uri":"${url}/identity/return?error=state_unknown"}`;
  /** The page of an error. With a browser to return, the address also has the flow's public id. */
  const errorUri = ({ url }: Running, { flow }: Begun, code: string): string =>
    `${url}/identity/return?error=${code}${confirm === 'return' ? `&flow=${flow}` : ''}`;

  const deliver = async (app: CallbackApp, { state }: Begun, presentation = 'good') =>
    await app.deliver({ presentation, state });

  describe('F19 a state that fits nothing', () => {
    test.each([
      ['too short', (state: string) => state.slice(1)],
      ['too long', (state: string) => `${state}A`],
      ['with a character of another alphabet', (state: string) => `+${state.slice(1)}`],
      ['whose last character is not canonical', (state: string) => `${state.slice(0, 42)}B`],
      ['with a newline behind it', (state: string) => `${state}\n`],
    ])('F19 a state %s is 400', async (_name, change) => {
      const app = await open();
      const begun = await app.begin();
      const { status, body } = await app.deliver({ presentation: 'good', state: change(begun.state) });
      expect([status, body.error]).toEqual([400, 'callback_malformed']);
      expect(app.ran).toEqual([]);
      expect(await app.statusOf(begun)).toBe('pending');
    });

    test('F19 unknown, expired, refused and answered flows get one and the same 200', async () => {
      const app = await open({
        hooks: { [own]: ({ result }: { result: { question: string } }) => ({ refuse: result.question }) },
      });
      const [expired, failed] = [await app.begin(), await app.begin()];
      await deliver(app, failed);
      app.ran.length = 0;
      const other = await deliver(app, failed, 'good too');
      app.clock.forward(600_000);
      const late = await deliver(app, expired);
      const unknown = await app.deliver({ presentation: 'good', state: unknownState() });
      const error = await app.deliver({ error: 'user_cancelled', state: unknownState() });
      for (const reply of [other, late, unknown, error]) {
        expect([reply.status, reply.text]).toEqual([200, closed(app)]);
      }
      expect(app.ran).toEqual([]);
      expect(app.judged).toEqual(['good']);
    });

    test('F19 each of them is an event: two processes that share no store do not fail silently', async () => {
      const app = await open();
      const elsewhere = await open({ options: { appUrl: app.url } });
      const begun = await app.begin();
      await deliver(elsewhere, begun);
      expect(elsewhere.events).toMatchObject([{ type: 'callback.unknown', code: 'state_unknown' }]);
      expect(elsewhere.ran).toEqual([]);
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
    });
  });

  describe('F20 a bad body never ends a flow', () => {
    test('F20 after junk and a forged error a valid presentation still wins', async () => {
      const app = await open();
      const begun = await app.begin();
      const junk = await deliver(app, begun, 'junk');
      expect([junk.status, junk.body.redirect_uri]).toEqual([
        200,
        errorUri(app, begun, 'presentation_invalid'),
      ]);
      const forged = await app.deliver({ error: 'user_cancelled', state: begun.state });
      expect(forged.body.redirect_uri).toBe(errorUri(app, begun, 'declined'));
      expect(await app.statusOf(begun)).toBe('pending');
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
      const heard = ['presentation_invalid', 'declined'].map((code) => `onError callback ${code}`);
      expect(app.ran).toEqual([...heard, ...good]);
      expect(await app.statusOf(begun)).toBe(after);
    });

    test('F20 a bad body takes no lease: while it is judged and told, a good one is taken', async () => {
      const [judging, telling] = [gate(), gate()];
      const app = await open({
        options: { limits: { hookTimeout: 60_000 } },
        judge: async (presentation) => {
          if (presentation === 'good') return valid;
          await judging.opened;
          return { valid: false, reason: 'junk' };
        },
        hooks: { onError: async () => await telling.opened },
      });
      const begun = await app.begin();
      const told = app.deliver({ error: 'user_cancelled', state: begun.state });
      await turns();
      const judged = deliver(app, begun, 'junk');
      await turns();
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
      judging.open();
      telling.open();
      expect((await told).body.redirect_uri).toBe(errorUri(app, begun, 'declined'));
      expect((await judged).text).toBe(closed(app)); // it came too late: another body after the good one
      expect(await app.statusOf(begun)).toBe(after);
    });

    test('F20 after the last bad body that a flow remembers nothing more is remembered or run for bad ones', async () => {
      const app = await open();
      const begun = await app.begin();
      for (const junk of [...badBodies, 'junk 1', 'junk 2', 'junk 3']) {
        const { status, body } = await deliver(app, begun, junk);
        expect([status, body.redirect_uri]).toEqual([200, errorUri(app, begun, 'presentation_invalid')]);
      }
      await app.deliver({ error: 'user_cancelled', state: begun.state });
      expect(app.ran).toEqual(badBodies.map(() => 'onError callback presentation_invalid'));
      const judged = app.judged.length;
      await deliver(app, begun, badBodies.at(-1)); // remembered
      expect(app.judged).toHaveLength(judged);
      await deliver(app, begun, 'junk 1'); // not
      expect(app.judged).toHaveLength(judged + 1);
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
      expect(app.ran.slice(badBodies.length)).toEqual(good);
    });
  });

  describe('F22 the same body again', () => {
    test('F22 a good body: the same reply, no second verification, hook or event', async () => {
      const app = await open();
      const begun = await app.begin();
      const first = await deliver(app, begun);
      const events = app.events.length;
      const again = await deliver(app, begun);
      const otherwise = await app.deliver(`x=1&state=${begun.state}&presentation=%67ood`);
      expect(first.body.redirect_uri).toMatch(succeeded(app));
      expect([again.text, otherwise.text]).toEqual([first.text, first.text]);
      expect([again.status, otherwise.status]).toEqual([200, 200]);
      expect(app.judged).toEqual(['good']);
      expect(app.ran).toEqual(good);
      expect(app.events).toHaveLength(events);
    });

    test('F22 a bad body: the same reply, onError once', async () => {
      const app = await open({
        hooks: { onError: ({ error }: { error: IdentityError }) => ({ redirectTo: `/sorry/${error.code}` }) },
      });
      const begun = await app.begin();
      const first = await deliver(app, begun, 'junk');
      const events = app.events.length;
      const again = await deliver(app, begun, 'junk');
      expect(first.body).toEqual({ redirect_uri: errorUri(app, begun, 'presentation_invalid') });
      expect([again.status, again.text]).toEqual([200, first.text]);
      expect(app.judged).toEqual(['junk']);
      expect(app.ran).toEqual(['onError callback presentation_invalid']);
      expect(app.events).toHaveLength(events);
    });

    test('F22 another body after a good one gets the constant reply and never the stored one', async () => {
      const app = await open();
      const begun = await app.begin('?returnTo=/club');
      const first = await deliver(app, begun);
      const presentations = ['junk', 'good2', 'goo'].map((presentation) => ({ presentation }));
      const errors = [{ error: 'good' }, { error: 'user_cancelled', error_description: 'good' }];
      for (const body of [...presentations, ...errors]) {
        const reply = await app.deliver({ ...body, state: begun.state });
        expect([reply.status, reply.text]).toEqual([200, closed(app)]);
      }
      expect(first.text).not.toBe(closed(app));
      expect(app.judged).toEqual(['good']);
      expect(app.ran).toEqual(good);
    });

    test('F22 a body whose hook refused: the same reply, nothing runs again', async () => {
      const app = await open({
        hooks: { [own]: () => ({ refuse: 'too_young', redirectTo: '/young' }) },
      });
      const begun = await app.begin();
      const first = await deliver(app, begun);
      expect(first.body).toEqual({ redirect_uri: `${app.url}/young` });
      expect((await deliver(app, begun)).text).toBe(first.text);
      expect(app.ran).toEqual([own, 'onError callback refused']);
    });
  });

  describe('F24 the reply leaves last', () => {
    test('F24 the store has the result before the 200 leaves', async () => {
      const clock = testClock();
      const inner = memoryStore({ clock });
      const writes: unknown[][] = [];
      const last = gate();
      const store = storeAround(async (call, work, args) => {
        if (call === 'replace' && writes.push(args) === 2) await last.opened; // the first takes the lease
        return await work();
      }, inner);
      const app = await open({ options: { store, clock } });
      const begun = await app.begin();
      let answered = false;
      const reply = deliver(app, begun).finally(() => void (answered = true));
      while (writes.length < 2) await turns();
      await turns(50);
      expect(answered).toBe(false);
      last.open();
      expect((await reply).status).toBe(200);
      const [id, , value] = writes[1] ?? [];
      expect((await inner.read(String(id)))?.value).toBe(value);
    });
  });

  describe('F25 what did not work', () => {
    test.each([
      [{ presentation: 'junk' }, 'presentation_invalid'],
      [{ presentation: 'away' }, 'keys_unavailable'],
      [{ error: 'error_internal', error_description: 'secret words' }, 'error_internal'],
      [{ error: 'user_cancelled', error_description: 'secret words' }, 'declined'],
      [{ error: 'wallet_timeout' }, 'timed_out'],
      [{ error: 'identity_unavailable' }, 'credential_missing'],
      [{ error: 'made_up' }, 'service_error'],
      [{ error: '../../<b>&error=x' }, 'service_error'],
      [{ error: 'hook_failed' }, 'service_error'],
    ])('F25 %j answers 200, and its address names nothing but %s', async (callback, code) => {
      const app = await open();
      const begun = await app.begin();
      const { status, body } = await app.deliver({ ...callback, state: begun.state });
      expect([status, body]).toEqual([200, { redirect_uri: errorUri(app, begun, code) }]);
      const page = await begun.browser.get(body.redirect_uri ?? '');
      const isAboutPerson = ['declined', 'timed_out', 'credential_missing'].includes(code);
      const shown = confirm === 'callback' && isAboutPerson ? 'state_unknown' : code; // F125
      expect([page.status, page.text.includes(shown)]).toEqual([200, true]);
      expect(app.ran).toHaveLength(code === 'keys_unavailable' ? 0 : 1); // F97
    });

    test('F25 with errorRedirect the address is a page of the app, and carries the same code', async () => {
      const app = await open({ options: { errorRedirect: '/oops?from=identity#top' } });
      const begun = await app.begin();
      const { body } = await app.deliver({ error: 'user_cancelled', state: begun.state });
      const page = `${app.url}/oops?from=identity&error=declined`;
      const ofBrowser = confirm === 'return';
      expect(body.redirect_uri).toBe(ofBrowser ? errorUri(app, begun, 'declined') : `${page}#top`);
      const { location } = await begun.browser.get(body.redirect_uri ?? '');
      const [, flow = ''] = body.redirect_uri?.split('flow=') ?? [];
      expect(location).toBe(
        ofBrowser
          ? `${page.slice(app.url.length)}&question=default&flow=${flow}&supportCode=${supportCodeOf(flow)}#top`
          : undefined,
      );
    });
  });

  describe('F28 time', () => {
    test('F28 a verification that hangs ends in verify_timeout; nothing is remembered', async () => {
      let hang = true;
      const app = await open({
        judge: async () => (hang ? await new Promise<never>(() => undefined) : valid),
        options: { limits: { verifyTimeout: 30 } },
      });
      const begun = await app.begin();
      const { status, body } = await deliver(app, begun);
      expect([status, body.redirect_uri]).toEqual([200, errorUri(app, begun, 'verify_timeout')]);
      expect(app.ran).toEqual([]);
      hang = false;
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
    });

    test('F28 a hook that hangs ends in hook_timeout, its signal aborted; the same body runs it again after its lease', async () => {
      const clock = testClock();
      const signals: AbortSignal[] = [];
      const app = await open({
        hooks: {
          [own]: async ({ signal }: { signal: AbortSignal }) => {
            signals.push(signal);
            if (signals.length === 1) await new Promise<never>(() => undefined);
          },
        },
        options: { clock, store: memoryStore({ clock }), limits: { hookTimeout: 30 } },
      });
      const begun = await app.begin();
      const late = await deliver(app, begun);
      expect([late.status, late.body]).toEqual([200, { redirect_uri: errorUri(app, begun, 'hook_timeout') }]);
      expect(await app.statusOf(begun)).toBe('pending');
      expect((await deliver(app, begun)).status).toBe(503);
      clock.forward(leaseMs(30));
      expect((await deliver(app, begun)).body.redirect_uri).toMatch(succeeded(app));
      expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
      expect(app.ran).toEqual([own, 'onError callback hook_timeout', ...good]);
    });

    test('F28 a delivery waits for a lease no longer than one hook may take, then 503', async () => {
      const clock = testClock();
      const store = memoryStore({ clock });
      const hook = gate();
      const slow = await open({ options: { store, clock }, hooks: { [own]: () => hook.opened } });
      const other = await open({ options: { store, clock, appUrl: slow.url, limits: { hookTimeout: 30 } } });
      const begun = await slow.begin();
      const first = deliver(slow, begun);
      while (slow.ran.length === 0) await turns();
      const waited = await deliver(other, begun);
      expect([waited.status, waited.headers.get('retry-after'), waited.body]).toEqual([
        503,
        '1',
        { error: 'busy', error_description: 'Too many verifications are in progress in this process.' },
      ]);
      hook.open();
      expect((await first).body.redirect_uri).toMatch(succeeded(slow));
      expect((await deliver(other, begun)).text).toBe((await first).text);
      expect(other.ran).toEqual([]);
    });
  });

  describe("F29 a stranger's text", () => {
    const shout = '<script>alert(1)</script>';

    test('F29 it stands in no address and on no page', async () => {
      const app = await open();
      const begun = await app.begin();
      const { text, body } = await app.deliver({
        error: shout,
        error_description: shout.repeat(100),
        state: begun.state,
      });
      const page = await begun.browser.get(body.redirect_uri ?? '');
      const forged = await begun.browser.get(`${app.url}/identity/return?error=${encodeURIComponent(shout)}`);
      for (const shown of [text, page.text, forged.text]) expect(shown).not.toContain('alert');
      expect(page.text).toContain('service_error');
    });

    test('F29 the hook gets it capped, without what could redirect or break the line of a log', async () => {
      const errors: IdentityError[] = [];
      const app = await open({
        hooks: { onError: ({ error }: { error: IdentityError }) => void errors.push(error) },
      });
      const { state } = await app.begin();
      await app.deliver({ error: `a\r\nSet-Cookie: b\u001b[2J\u202e\ud83d${'x'.repeat(1_000)}`, state });
      const [error] = errors;
      expect(error?.code).toBe('service_error');
      expect(error?.serviceCode).toMatch(/^a {2}Set-Cookie: b \[2J[ \ufffd]+x+$/);
      expect(error?.serviceCode?.length).toBeLessThanOrEqual(100);
      expect(error?.message).not.toContain('Set-Cookie');
    });
  });
});

describe('F21 a presentation made for something else', () => {
  /** An app on a real sandbox, and the presentations that its wallet sends. */
  async function openReal(options: (sandbox: Sandbox) => Record<string, unknown> = () => ({})) {
    const sandbox = await openSandbox();
    const sent: { presentation: string; state: string }[] = [];
    const ran: string[] = [];
    const app = await startApp({
      sandbox,
      before: (it) =>
        it.use('/identity/callback', express.urlencoded({ extended: false }), (req, _res, next) => {
          sent.push(req.body as { presentation: string; state: string });
          next();
        }),
      options: {
        onVerified: () => void ran.push('onVerified'),
        onError: ({ error }: { error: IdentityError }) => void ran.push(`${error.code} ${error.check}`),
        ...options(sandbox),
      },
    });
    sandbox.redirectUrl = `${app.url}/identity/callback`;
    return { app, sent, ran };
  }

  test('F21 a presentation of another flow is refused, and the flow goes on', async () => {
    const { app, sent, ran } = await openReal();
    const [mine, theirs] = [app.browser(), app.browser()];
    const wallet = await app.start(mine);
    expect(await app.toReturn(theirs)).toContain('?code=');
    const declined = await decide(await app.start(mine), 'decline');
    expect(declined).toContain('?error=not_shared&flow=');
    const [stolen, state] = [sent[0]?.presentation ?? '', sent[1]?.state ?? ''];
    ran.length = 0;
    const reply = await app.callback({ presentation: stolen, state });
    expect([reply.status, await reply.text()]).toEqual([
      200,
      expect.stringContaining('/identity/return?error=presentation_invalid&flow='),
    ]);
    expect(ran).toEqual(['presentation_invalid B07']); // the nonce
    expect(await decide(wallet, 'approve')).toContain('?code=');
  });

  test('F21 a presentation for another verifier is refused', async () => {
    const { app, ran } = await openReal((sandbox) => {
      const entry = sandbox.options.trust['xx-sandbox'];
      const keyBinding = { ...entry.keyBinding, audience: 'https://somebody-else.example' };
      return { trust: { 'xx-sandbox': { ...entry, keyBinding } } };
    });
    expect(await app.toReturn(app.browser())).toContain('/identity/return?error=presentation_invalid&flow=');
    expect(ran).toEqual(['presentation_invalid B08']); // the audience
  });

  test('F21 a presentation of an issuer that nobody trusts is refused', async () => {
    const { trust } = (await openSandbox()).options;
    const { app, ran } = await openReal(() => ({ trust }));
    expect(await app.toReturn(app.browser())).toContain('/identity/return?error=key_not_found&flow=');
    expect(ran).toEqual(['key_not_found K12']);
  });
});

describe("what confirm: 'callback' gives up", () => {
  test("F2 a victim's browser ends the attacker's flow: the identity goes to whoever started", async () => {
    const results: unknown[] = [];
    const app = await openApp({
      confirm: 'callback',
      options: { context: (req: { query: { user?: string } }) => ({ user: req.query.user ?? null }) },
      hooks: { onSuccess: (args: object) => void results.push(args) },
    });
    const attacker = await app.begin('?user=mallory');
    // The victim opens the wallet from the attacker's link: nothing in the callback tells the two apart.
    const { body } = await app.deliver({ presentation: 'good of the victim', state: attacker.state });
    expect(body.redirect_uri).toBe(`${app.url}/`);
    expect(results).toMatchObject([
      { context: { user: 'mallory' }, result: { attributes: { given_name: 'Erika' } } },
    ]);
    expect(await app.statusOf(attacker)).toBe('confirmed');
  });
});
