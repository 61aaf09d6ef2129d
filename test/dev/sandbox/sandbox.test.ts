import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import {
  createLocalJWKSet,
  decodeProtectedHeader,
  importJWK,
  type JSONWebKeySet,
  type JWK,
  jwtVerify,
} from 'jose';
import { createSandbox, type Sandbox } from '../../../lib/dev/sandbox/index.js';
import { choosePerson } from '../../../lib/dev/sandbox/people/choose.js';
import { derivedOf, germanClaims } from '../../../lib/dev/sandbox/people/claims.js';
import { peopleOn } from '../../../lib/dev/sandbox/people/people.js';
import { sandboxTrust } from '../../../lib/dev/sandbox/profile.js';
import { IdentityError, isAtLeast, type Variant } from '../../../lib/index.js';
import { verifyPresentation } from '../../../lib/verify/verify-presentation.js';
import { attributeIds } from '../../../lib/types/attributes.js';
import { decide } from '../../support/wallet.js';
import { aCustomer, post, prove, request, sandbox, start } from './open.js';

describe('sandbox', () => {
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
        'Unknown option colour of createSandbox. Known options: role, redirectUrl, issuer, person, port,',
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
});

describe('Every page', () => {
  it.each(['/', '/nothing', '/wallet/x', '/jwks.json', '/prove'])(
    '%s carries the strict headers',
    async (path) => {
      const { headers } = await fetch(`${(await sandbox()).url}${path}`);
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy).toMatch(
        /^default-src 'none'; style-src 'sha256-[\w+/=]+'; script-src 'sha256-[\w+/=]+'; connect-src 'self'; base-uri 'none'; frame-ancestors 'none'$/,
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      // Keys may be kept, so that two runs in a row do not ask for them twice.
      expect(headers.get('cache-control')).toBe(path === '/jwks.json' ? 'max-age=600' : 'no-store');
      expect(headers.get('referrer-policy')).toBe('same-origin');
      expect(headers.get('x-powered-by')).toBeNull();
    },
  );

  it('the home page tells issuer, person, variant and Redirect URL', async () => {
    const service = await sandbox({ redirectUrl: 'http://localhost:3000/identity/callback' });
    const text = await (await fetch(service.url)).text();
    for (const words of [
      'xx-sandbox, de-ausweis (simulated)',
      'Erika Mustermann',
      'derived',
      'http://localhost:3000/identity/callback',
    ]) {
      expect(text).toContain(`<dd>${words}</dd>`);
    }
    service.redirectUrl = undefined;
    expect(await (await fetch(service.url)).text()).toContain('No Redirect URL is set');
  });

  it('carries the very stylesheet that its policy allows', async () => {
    const response = await fetch((await sandbox()).url);
    const content = /<style>([^]*?)<\/style>/.exec(await response.text())?.[1] ?? '';
    const digest = createHash('sha256').update(content).digest('base64');
    expect(content).toContain('color-scheme');
    expect(response.headers.get('content-security-policy')).toContain(`style-src 'sha256-${digest}'`);
  });

  it('has language, title, viewport and labels', async () => {
    const text = await (
      await fetch(await start(await sandbox({ redirectUrl: 'http://localhost:1/cb' })))
    ).text();
    expect(text).toContain('<html lang="en">');
    expect(text).toMatch(/<title>localhost:1 asks for this information · pidgate sandbox<\/title>/);
    expect(text).toContain('name="viewport"');
    expect(text).toContain('<label for="scenario">');
    expect(text).toContain('Sandbox</strong> Wallet, no real identity');
  });
});

describe('people', () => {
  const today = new Date('2026-05-04T12:00:00Z');

  describe('The people', () => {
    it('each have a reason, and what a PID must have', () => {
      for (const { reason, person } of Object.values(peopleOn(today))) {
        expect(reason).toMatch(/^(?:[A-Z]|17, )/);
        expect(person.given_name.trim()).not.toBe('');
        expect(person.family_name.length).toBeLessThanOrEqual(150);
        expect(person.birth_date).toMatch(/^\d{4}-\d{2}-\d{2}$/);
        expect(person.nationality.every((code) => /^[A-Z]{2}$/.test(code))).toBe(true);
      }
      expect(peopleOn(today).long_names.person.given_name).toHaveLength(150);
    });

    it.each(['2026-05-04', '2026-02-28', '2028-02-28', '2026-12-31', '2027-02-28'])(
      'the minor of %s is 17, and 18 tomorrow',
      (day) => {
        const noon = new Date(`${day}T12:00:00Z`);
        const { birth_date } = peopleOn(noon).minor.person;
        const later = (days: number): Date => new Date(noon.getTime() + days * 24 * 60 * 60 * 1000);
        expect(isAtLeast(birth_date, 18, noon)).toBe(false);
        expect(isAtLeast(birth_date, 17, noon)).toBe(true);
        // A 29 February that its year does not have is celebrated on 1 March.
        expect(isAtLeast(birth_date, 18, later(day === '2028-02-28' ? 2 : 1))).toBe(true);
      },
    );

    it.each([
      ['erika', 'DE', '1'],
      ['erika', 'FR', '0'],
      ['dual', 'FR', '1'],
      ['stateless', 'DE', '0'],
      ['french', 'DE', '0'],
      ['french', 'ZW', '0'],
    ] as const)('%s holds %s: %s', (name, nationality, answer) => {
      expect(derivedOf(peopleOn(today)[name].person, { nationality })).toEqual({ nationality: answer });
    });

    it('the German provider writes capitals, and ages as of today', () => {
      const { umlauts, minor } = peopleOn(today);
      expect(germanClaims(umlauts.person, 'derived', today).family_name).toBe('GRÖẞMANN-ÜBELACKER');
      expect(germanClaims(minor.person, 'derived', today).age_equal_or_over).toMatchObject({
        16: true,
        18: false,
      });
    });
  });

  describe('The option person', () => {
    it('is a name from the list, or attributes; those left out are Erika’s', () => {
      expect(choosePerson('french', today, 'person').family_name).toBe('Dupont');
      expect(choosePerson({ birth_date: '2015-01-01' }, today, 'person')).toEqual({
        given_name: 'Erika',
        family_name: 'Mustermann',
        birth_date: '2015-01-01',
        nationality: ['DE'],
      });
    });

    it.each([
      ['ericka', 'Did you mean erika?'],
      ['constructor', 'Known: erika, minor,'],
      [7, 'person is not valid'],
      [{ birth_date: '12.8.1964' }, 'person.birth_date is not valid'],
      [{ nationality: 'DE' }, 'person.nationality is not valid'],
      [{ nationality: [] }, 'person.nationality is not valid'],
      [{ given_name: ' ' }, 'person.given_name is not valid'],
      [{ shoe_size: 42 }, 'person is not valid'],
      [null, 'person is not valid'],
    ])('%j: config_invalid', async (person, words) => {
      const thrown = await sandbox({ person: person as never }).catch((error: unknown) => error);
      expect(thrown).toBeInstanceOf(IdentityError);
      expect((thrown as IdentityError).code).toBe('config_invalid');
      expect((thrown as IdentityError).message).toContain(words);
    });
  });
});

describe('presentation', () => {
  const sha256 = (text: string): string => createHash('sha256').update(text).digest('base64url');
  const now = new Date('2030-05-01T12:00:00Z');
  const iat = now.getTime() / 1000;

  /** Runs a verification to its end and takes the presentation apart, checking every signature. */
  async function present(service: Sandbox, more: Record<string, unknown>) {
    const { redirectUrl, callbacks } = await aCustomer();
    service.redirectUrl = redirectUrl;
    const body = request(more);
    await decide((await prove(service, body)).body.redirect_url, 'approve');
    const presentation = callbacks[0]?.body.get('presentation') ?? '';
    const parts = presentation.split('~');
    const [credential = '', binding = ''] = [parts[0], parts.at(-1)];
    const jwks = (await (await fetch(`${service.url}/jwks.json`)).json()) as JSONWebKeySet;
    const issued = await jwtVerify(credential, createLocalJWKSet(jwks), {
      currentDate: now,
      algorithms: ['ES256'],
    });
    const { cnf, ...payload } = issued.payload as Record<string, unknown> & { cnf: { jwk: JWK } };
    const holder = await importJWK(cnf.jwk, 'ES256');
    const bound = await jwtVerify(binding, holder, { currentDate: now, algorithms: ['ES256'] });
    const disclosures = parts.slice(1, -1).map((text) => ({
      digest: sha256(text),
      content: JSON.parse(Buffer.from(text, 'base64url').toString()) as [string, string, unknown],
    }));
    const claims = Object.fromEntries(disclosures.map(({ content: [, name, value] }) => [name, value]));
    const signed = presentation.slice(0, presentation.lastIndexOf('~') + 1);
    return { callbacks, body, issued, payload, cnf, bound, binding, disclosures, claims, signed, jwks };
  }

  describe('The presentation', () => {
    it('is signed by the issuer of the sandbox, as dc+sd-jwt', async () => {
      const service = await sandbox({ clock: () => now });
      const { issued, payload, jwks } = await present(service, {});
      expect(issued.protectedHeader).toEqual({ alg: 'ES256', typ: 'dc+sd-jwt', kid: jwks.keys[0]?.kid });
      expect(payload).toMatchObject({
        iss: service.url,
        vct: 'urn:eudi:pid:1',
        iat,
        exp: iat + 14 * 24 * 60 * 60,
        _sd_alg: 'sha-256',
      });
      expect(payload).not.toHaveProperty('derived');
    });

    it('is bound to the state and the audience by the key of the holder', async () => {
      const { bound, binding, body, signed } = await present(await sandbox({ clock: () => now }), {});
      expect(decodeProtectedHeader(binding)).toEqual({ alg: 'ES256', typ: 'kb+jwt' });
      expect(bound.payload).toEqual({
        nonce: sha256(String(body['state'])),
        aud: 'pidgate-sandbox',
        iat,
        sd_hash: sha256(signed),
      });
    });

    it('discloses only what was asked, under digests of the credential', async () => {
      const { claims, disclosures, payload } = await present(await sandbox({ clock: () => now }), {
        revealed: ['birth_date', 'family_name'],
      });
      expect(claims).toEqual({ family_name: 'Mustermann', birthdate: '1964-08-12' });
      const digests = payload['_sd'] as string[];
      expect(digests).toHaveLength(4);
      expect(digests).toEqual(expect.arrayContaining(disclosures.map(({ digest }) => digest)));
      expect(digests).toEqual(digests.toSorted());
    });

    it('writes the birth date as DD-MM-YYYY in the base variant', async () => {
      const service = await sandbox({ clock: () => now, variant: 'base' });
      expect((await present(service, { revealed: ['birth_date'] })).claims).toEqual({
        birthdate: '12-08-1964',
      });
    });

    it.each([
      ['DE', '1'],
      ['FR', '0'],
    ])('answers the nationality %s with %s in the signed part', async (nationality, answer) => {
      const service = await sandbox({ clock: () => now });
      const { payload, claims } = await present(service, { derived: { nationality } });
      expect(payload['derived']).toEqual({ nationality: answer });
      expect(payload['derived_for']).toEqual({ nationality });
      expect(claims).toEqual({ given_name: 'Erika' });
    });

    it('uses new salts each time, and one holder key', async () => {
      const service = await sandbox({ clock: () => now });
      const [one, other] = [await present(service, {}), await present(service, {})];
      expect(one.disclosures[0]?.content[0]).not.toBe(other.disclosures[0]?.content[0]);
      expect(one.cnf).toEqual(other.cnf);
    });

    it('reaches the Redirect URL as a form with presentation and state only', async () => {
      const { callbacks, body } = await present(await sandbox({ clock: () => now }), {});
      expect(callbacks[0]?.type).toBe('application/x-www-form-urlencoded');
      expect([...(callbacks[0]?.body.keys() ?? [])]).toEqual(['presentation', 'state']);
      expect(callbacks[0]?.body.get('state')).toBe(body['state']);
    });
  });

  describe('The keys', () => {
    it('are published without a private part', async () => {
      const service = await sandbox();
      const response = await fetch(`${service.url}/jwks.json`);
      expect(response.headers.get('content-type')).toContain('application/json');
      const { keys } = (await response.json()) as JSONWebKeySet;
      expect(keys.map((key) => Object.keys(key).toSorted())).toEqual([
        ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'],
      ]);
    });

    it('are other ones in every sandbox', async () => {
      const keys = async (service: Sandbox) => await (await fetch(`${service.url}/jwks.json`)).text();
      expect(await keys(await sandbox())).not.toBe(await keys(await sandbox()));
    });
  });

  describe('The verifier of the kit', () => {
    const attributes = {
      family_name: 'Mustermann',
      given_name: 'Erika',
      birth_date: '1964-08-12',
      nationality: ['DE'],
    };
    async function verdict(variant: Variant, derived?: { nationality: string }) {
      const service = await sandbox({ variant });
      const { redirectUrl, callbacks } = await aCustomer();
      service.redirectUrl = redirectUrl;
      const body = request({ revealed: attributeIds, ...(derived && { derived }) });
      await decide((await prove(service, body)).body.redirect_url, 'approve');
      const state = String(body['state']);
      const expected = {
        issuer: 'xx-sandbox',
        state,
        reveal: attributeIds,
        variant,
        ...(derived && { derived }),
      };
      const presentation = callbacks[0]?.body.get('presentation') ?? '';
      return await verifyPresentation(presentation, expected, service.options.trust);
    }

    it.each([
      ['base', undefined, {}],
      ['derived', { nationality: 'FR' }, { derived: { nationality: false } }],
    ] as const)('takes the presentation in the %s variant', async (variant, derived, more) => {
      expect(await verdict(variant, derived)).toMatchObject({ valid: true, attributes, ...more });
    });
  });
});
