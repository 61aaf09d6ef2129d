import { createServer } from 'node:http';
import { describe, expect, it, jest } from '@jest/globals';
import type { ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { sandbox } from '../open.js';
import express, { type Express } from 'express';
import { type Identity, identityWith } from '../../../support/app.js';
import session from 'express-session';
import { clubApp } from './customer-app.js';
import { deep } from '../../../support/deep.js';

/** An app whose page /club is guarded, with what is mounted above its router. */
function guardedApp(
  options: object,
  above: (app: Express) => void = () => {},
): { app: Express; identity: Identity } {
  const app = express();
  above(app);
  app.use(session({ secret: 'only for tests', resave: false, saveUninitialized: false }));
  const identity = identityWith({ logger: false, ...options, reveal: ['birth_date'] });
  app.use('/identity', identity);
  app.get('/club', identity.require(), (_req, res) => void res.send('in'));
  return { app, identity };
}

describe('sandbox.complete', () => {
  it('walks to the page that the app ends at, and goes on with the same browser', async () => {
    const service = await sandbox();
    const app = clubApp(service.options);
    const visit = await service.complete(app, { start: '/identity/start?returnTo=/club' });
    expect([visit.response.status, visit.error]).toEqual([200, undefined]);
    expect(await visit.response.json()).toEqual({ name: 'Erika' });
    expect(visit.url).toBe(`${service.options.appUrl}/club`);
    expect((await visit.agent.get('/club')).response.status).toBe(200);
  });

  it.each(['xx-sandbox', 'de-ausweis'] as const)('a minor is refused by the app, of %s', async (issuer) => {
    const service = await sandbox({ issuer });
    const visit = await service.complete(clubApp(service.options), { person: 'minor' });
    expect(visit.error).toBe('refused');
    expect((await visit.agent.get('/club')).response.status).toBe(303);
  });

  deep.test.each(['xx-sandbox', 'de-ausweis'] as const)(
    'a Frenchman is refused where Germans are asked for, and somebody with both is not, of %s',
    async (issuer) => {
      const service = await sandbox({ issuer });
      const app = clubApp(service.options);
      const start = '/identity/start/german';
      expect((await service.complete(app, { start, person: 'french' })).error).toBe('refused');
      expect((await service.complete(app, { start, person: 'dual' })).error).toBeUndefined();
      const played = (scenario: ScenarioId) => service.complete(app, { start, person: 'french', scenario });
      expect((await played('derived_true')).error).toBeUndefined();
      expect((await played('derived_false')).error).toBe('refused');
    },
  );

  const endings: [ScenarioId, string | undefined][] = [
    ['declined', 'not_shared'],
    ['wrong_nonce', 'presentation_invalid'],
    ['expired', 'credential_expired'],
    ['missing_attribute', 'attributes_missing'],
    ['wrong_type', 'attribute_invalid'],
    ['keys_unreachable', 'keys_unavailable'],
    ['status_unreachable', 'credential_status_unavailable'],
    ['empty_body', 'callback_malformed'],
    ['foreign_state', 'state_unknown'],
    ['callback_lost', 'callback_lost'],
    ['callback_twice', undefined],
    ['callback_twice_at_once', undefined],
    ['callback_late', undefined],
    ['slow_callback', undefined],
    ['return_twice', undefined],
    ['return_other_browser', 'unknown'],
    ['return_code_tampered', 'unknown'],
    ['prove_400_missing_state', 'error_missing_state'],
    ['prove_401_account', 'error_account'],
    ['prove_html', 'service_reply_invalid'],
    ['prove_bad_redirect', 'service_reply_invalid'],
  ];
  it.each(endings)('%s: %s', async (scenario, error) => {
    const service = await sandbox();
    const visit = await service.complete(clubApp(service.options), { scenario });
    expect(visit.error).toBe(error);
    const opens = (await visit.agent.get('/club')).response.status === 200;
    expect(opens).toBe(error === undefined);
  });

  it('a server that does not listen, one that does, and an address', async () => {
    const service = await sandbox();
    const app = clubApp(service.options);
    expect((await service.complete(createServer(app))).error).toBeUndefined();
    const server = createServer((req, res) => {
      app(req, res);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as { port: number };
    const visit = await service.complete(`http://127.0.0.1:${port}`);
    expect(visit.error).toBe('origin_not_allowed'); // its appUrl names another port
    server.closeAllConnections();
    server.close();
  });

  it('one after the other, whoever asks', async () => {
    const service = await sandbox();
    const app = clubApp(service.options);
    const people = ['erika', 'minor', 'erika'] as const;
    const visits = await Promise.all(people.map(async (person) => await service.complete(app, { person })));
    expect(visits.map(({ error }) => error)).toEqual([undefined, 'refused', undefined]);
    expect(service.redirectUrl).toBeUndefined();
  });

  it.each([
    [{ person: 'ericka' }, 'Did you mean erika?'],
    [{ scenario: 'decline' }, 'Did you mean declined?'],
    [{ persn: 'erika' }, 'Did you mean person?'],
    [{ start: null }, 'complete: start must be a non-empty string.'],
  ])('%j: config_invalid', async (options, words) => {
    const service = await sandbox();
    const failed = service.complete(clubApp(service.options), options as never);
    await expect(failed).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining(words),
    });
  });

  it.each([['shop'], [undefined], [5], [{ app: express() }], [Promise.resolve()]])(
    'an app that is none, %p: config_invalid, and the next one is played',
    async (app) => {
      const service = await sandbox();
      const message = 'complete: the app must be an Express app, a server or an address.';
      await expect(service.complete(app as never)).rejects.toMatchObject({ code: 'config_invalid', message });
      expect((await service.complete(clubApp(service.options))).error).toBeUndefined();
    },
  );

  it('an address with a path, which would be lost: config_invalid says where it belongs', async () => {
    const service = await sandbox();
    await expect(service.complete('http://localhost:3000/shop')).rejects.toMatchObject({
      code: 'config_invalid',
      message: expect.stringContaining('http://localhost:3000; put a path into start'),
    });
  });

  describe('F128 what was probably meant', () => {
    const said = async (app: Express, start: string): Promise<unknown> =>
      await (await sandbox()).complete(app, { start }).catch((error: Error) => error.message);

    it.each([
      ['/identity/start?returnTo=/club', ''],
      ['/identity/start/age', ', and is there a question of that name'],
    ])('%s, which nobody answers', async (start, named) => {
      expect(await said(express(), start)).toBe(
        `complete: there is no start at ${start}: POST answered 404. Is the router mounted ` +
          `(app.use('/identity', identity)), and above your 404 handler${named}?`,
      );
    });

    it('a slash too many, a guarded page, and a route that GET must not have', async () => {
      const service = await sandbox();
      const { app, identity } = guardedApp(service.options);
      app.get('/go', async (req, res) => await identity.start(req, res));
      const answer = async (start: string) =>
        await service.complete(app, { start }).catch((error: Error) => error.message);
      expect(await answer('/identity/start/?returnTo=/club')).toContain(
        " Did you mean start: '/identity/start?returnTo=/club'?",
      );
      expect(await answer('/club')).toContain(" Did you mean start: '/identity/start?returnTo=%2Fclub'?");
      expect(await answer('/go')).toContain(" identity.start needs a POST route: app.post('/go', …).");
    });
  });

  it('F128 a callback that a limiter answers is a documented word, and a warning says with what', async () => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
    const service = await sandbox();
    const { app } = guardedApp(service.options, (its) => {
      its.post('/identity/callback', (_req, res) => void res.sendStatus(429));
    });
    expect((await service.complete(app)).error).toBe('callback_status');
    expect(warned.mock.calls).toEqual([
      [
        'pidgate: complete: The app answered the callback with 429; it must be 200. A rate limiter answered. Limit only the start, never the callback: all callbacks may come from one address. The kit itself bounds what they cost.',
        { type: 'PidgateWarning', code: 'PIDGATE_CALLBACK' },
      ],
    ]);
    warned.mockRestore();
  });

  it('sandbox.next plays a scenario once', async () => {
    const service = await sandbox();
    const app = clubApp(service.options);
    expect(() => service.next('decline' as never)).toThrow('Did you mean declined?');
    service.next('declined');
    expect((await service.complete(app)).error).toBe('not_shared');
    expect((await service.complete(app)).error).toBeUndefined();
  });
});
