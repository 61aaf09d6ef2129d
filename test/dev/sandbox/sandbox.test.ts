import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { IdentityError } from '../../../lib/index.js';
import { createSandbox } from '../../../lib/dev/sandbox/index.js';
import { sandboxTrust } from '../../../lib/dev/sandbox/profile.js';
import { aCustomer, post, sandbox, start } from './open.js';

async function refusal(options: Record<string, unknown>): Promise<{ code: unknown; message: string }> {
  const error = await createSandbox(options as never).then(
    async (made) => {
      await made.close();
      throw new Error('The sandbox started.');
    },
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(IdentityError);
  const { code, message } = error as IdentityError;
  return { code, message };
}

describe('createSandbox', () => {
  it('listens on a free port of 127.0.0.1', async () => {
    const [one, other] = [await sandbox(), await sandbox()];
    expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(one.url).not.toBe(other.url);
  });

  it('gives the options of identityVerification', async () => {
    const service = await sandbox({ apiKey: 'the-key' });
    expect(service.options).toEqual({
      baseUrl: service.url,
      apiKey: 'the-key',
      issuer: 'xx-sandbox',
      variant: 'derived',
      trust: { 'xx-sandbox': sandboxTrust(service.url), 'de-ausweis': expect.anything() },
      allowSandbox: true,
      appUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    });
  });

  it('takes the Redirect URL later, and tells its origin as appUrl', async () => {
    const service = await sandbox({ variant: 'base' });
    expect(service.redirectUrl).toBeUndefined();
    service.redirectUrl = 'http://localhost:3000/identity/callback#x';
    expect(service.redirectUrl).toBe('http://localhost:3000/identity/callback');
    expect(service.options).toMatchObject({ appUrl: 'http://localhost:3000', variant: 'base' });
    service.redirectUrl = undefined;
    expect(service.options.appUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  });

  it('makes another key each time', async () => {
    expect((await sandbox()).options.apiKey).not.toBe((await sandbox()).options.apiKey);
  });

  describe('NODE_ENV', () => {
    const before = process.env['NODE_ENV'];
    afterEach(() => {
      process.env['NODE_ENV'] = before;
    });

    it.each(['production', 'Production', 'prod', 'staging', 'Test', 'test ', 'DEVELOPMENT', 'dev'])(
      'F74 does not run with NODE_ENV=%s',
      async (mode) => {
        process.env['NODE_ENV'] = mode;
        expect(await refusal({})).toEqual({
          code: 'config_invalid',
          message: `The sandbox proves nothing: it does not run with NODE_ENV=${mode}, only with development, test or none.`,
        });
      },
    );

    it.each(['development', 'test', '', undefined])('F74 runs with NODE_ENV=%p', async (mode) => {
      if (mode === undefined) delete process.env['NODE_ENV'];
      else process.env['NODE_ENV'] = mode;
      expect((await sandbox()).url).toMatch(/^http:/);
    });
  });

  const wrong: [Record<string, unknown>, string][] = [
    [{ redirectURL: 'x' }, 'Unknown option redirectURL of createSandbox. Did you mean redirectUrl?'],
    [
      { colour: 'red' },
      'Unknown option colour of createSandbox. Known options: redirectUrl, issuer, person, port,',
    ],
    [{ variant: 'both' }, "variant must be 'base' or 'derived'"],
    [{ timeout: 0 }, 'timeout must be a positive number'],
    [{ timeout: Number.NaN }, 'timeout must be a positive number'],
    [{ timeout: '5' }, 'timeout must be a positive number'],
    [{ timeout: Infinity }, 'timeout must be a positive number'],
    [{ port: '4010' }, 'port must be a whole number from 0 to 65535'],
    [{ log: 'x' }, 'log must be a function'],
    [{ port: 70_000 }, 'port must be a whole number'],
    [{ port: 1.5 }, 'port must be a whole number'],
    [{ apiKey: 'with space' }, 'apiKey may contain only printable ASCII'],
    [{ apiKey: '' }, 'apiKey may contain only printable ASCII'],
    [{ redirectUrl: '/callback' }, 'redirectUrl must be an absolute http or https URL'],
    [{ redirectUrl: 'ftp://localhost/' }, 'redirectUrl must be an absolute http or https URL'],
    [{ redirectUrl: 'http://a:b@localhost/' }, 'redirectUrl must be an absolute http or https URL'],
  ];
  it.each(wrong)('%j: config_invalid', async (options, words) => {
    const { code, message } = await refusal(options);
    expect(code).toBe('config_invalid');
    expect(message).toContain(words);
  });

  it('a wrong Redirect URL later: config_invalid, the old one stays', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:3000/cb' });
    expect(() => {
      service.redirectUrl = 'nowhere';
    }).toThrow(IdentityError);
    expect(service.redirectUrl).toBe('http://localhost:3000/cb');
  });

  it('a taken port: config_invalid, naming it', async () => {
    const port = Number(new URL((await sandbox()).url).port);
    const { code, message } = await refusal({ port });
    expect([code, message]).toEqual([
      'config_invalid',
      `createSandbox: port ${port} is in use on 127.0.0.1.`,
    ]);
  });
});

describe('close', () => {
  it('stops listening and can be called twice', async () => {
    const service = await sandbox();
    await service.close();
    await service.close();
    await expect(fetch(service.url)).rejects.toThrow('fetch failed');
  });

  it('drops a delivery that waits for its next attempt', async () => {
    let waiting = (): void => {};
    const reached = new Promise<void>((resolve) => (waiting = resolve));
    let rejected: unknown;
    const { redirectUrl, callbacks } = await aCustomer(() => ({ status: 503 }));
    const service = await sandbox({
      redirectUrl,
      wait: async (_ms, signal) => {
        waiting();
        await sleep(60_000, undefined, { signal }).catch((error: unknown) => {
          rejected = error;
          throw error;
        });
      },
    });
    const posted = post(await start(service), { decision: 'approve' }).catch((error: unknown) => error);
    await reached;
    await service.close();
    expect(await posted).toMatchObject({ name: 'TypeError' });
    expect(rejected).toMatchObject({ name: 'AbortError' });
    expect(callbacks).toHaveLength(1);
  });

  it('drops a delivery that waits for the app', async () => {
    let asked = (): void => {};
    const reached = new Promise<void>((resolve) => (asked = resolve));
    const { redirectUrl, callbacks } = await aCustomer(async () => {
      asked();
      return await new Promise<never>(() => {});
    });
    const service = await sandbox({ redirectUrl });
    const posted = post(await start(service), { decision: 'approve' }).catch((error: unknown) => error);
    await reached;
    await service.close();
    expect(await posted).toMatchObject({ name: 'TypeError' });
    expect(callbacks).toHaveLength(1);
  });

  it('the timer of its own waits between attempts', async () => {
    const { redirectUrl, callbacks } = await aCustomer((nth) =>
      nth === 1 ? { status: 503, headers: { 'retry-after': '0' } } : { status: 400 },
    );
    const service = await createSandbox({ redirectUrl });
    await post(await start(service), { decision: 'approve' });
    await service.close();
    expect(callbacks).toHaveLength(2);
  });
});

describe('its trust entry', () => {
  it('is trusted at its own address and bound to the flow', () => {
    expect(sandboxTrust('http://localhost:4010/some/path')).toMatchObject({
      format: 'sd-jwt-vc',
      keys: { jwksUri: 'http://localhost:4010/jwks.json' },
      iss: 'http://localhost:4010',
      vct: ['urn:eudi:pid:1'],
      keyBinding: { nonce: 'state-sha256', audience: 'pidgate-sandbox' },
    });
  });
});
