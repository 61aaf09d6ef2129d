import { createServer } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import type { ScenarioId } from '../../../../lib/dev/sandbox/index.js';
import { sandbox } from '../open.js';
import express from 'express';
import { clubApp } from './customer-app.js';
import { deep } from '../../../support/deep.js';

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
    ['callback_lost', 'lost'],
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

  it('sandbox.next plays a scenario once', async () => {
    const service = await sandbox();
    const app = clubApp(service.options);
    expect(() => service.next('decline' as never)).toThrow('Did you mean declined?');
    service.next('declined');
    expect((await service.complete(app)).error).toBe('not_shared');
    expect((await service.complete(app)).error).toBeUndefined();
  });
});
