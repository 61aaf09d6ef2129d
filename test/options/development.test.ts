import { hasSubscribers, tracingChannel } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import type { Trust } from '../../lib/index.js';
import { certify, pemOf as sandboxPem } from '../../lib/dev/sandbox/issuers/certificates.js';
import { accompanied, sandboxSymbol } from '../../lib/options/development.js';
import { joinSandbox } from '../../lib/dev/sandbox/join.js';
import { type SandboxAnchors, germanSandboxTrust, sandboxTrust } from '../../lib/dev/sandbox/profile.js';
import { certify as certifyAnything, extension, pemOf } from '../support/verify/certificates.js';
import { now } from '../support/verify/issuer.js';
import { configured, good, refusal, withEnvironment } from './settings.js';

const from = Math.floor(now.getTime() / 1000) - 60;
const clock = (): Date => now;
const url = 'http://127.0.0.1:4747';
const anchor = sandboxPem(certify({ name: 'Sandbox PID CA', from, marked: true }));

const local = { baseUrl: url, appUrl: ['http://localhost:3000', 'http://127.0.0.1:3000'], clock };

const emitted = jest.spyOn(process, 'emitWarning');
const close: (() => void)[] = [];
beforeEach(() => {
  emitted.mockImplementation(() => undefined);
});
afterEach(() => {
  emitted.mockClear();
  for (const unregister of close.splice(0)) unregister();
});

function register(anchors: SandboxAnchors = { anchors: [anchor] }, at = url): Trust {
  const trust = { 'xx-sandbox': sandboxTrust(at), 'de-ausweis': germanSandboxTrust(at, anchors) };
  close.push(joinSandbox(at, trust));
  return trust;
}

function marked(more: Partial<Parameters<typeof certifyAnything>[0]> = {}): string {
  const marker = extension('2.25.1364512830', Buffer.from('\u000c\u0007sandbox'));
  const day = { notBefore: -60, notAfter: 24 * 60 * 60 - 60 };
  return pemOf(certifyAnything({ subject: 'CA', isCa: true, more: [marker], ...day, ...more }));
}

function inMode<T>(NODE_ENV: string | undefined, work: () => T): T {
  return withEnvironment(NODE_ENV === undefined ? {} : { NODE_ENV }, work);
}

describe('A sandbox that is registered in the process', () => {
  test.each(['development', 'test'])('stands in for de-ausweis with NODE_ENV=%s, and says so', (mode) => {
    const registered = register();
    const { config } = inMode(mode, () => accompanied(configured(local), local));
    const { trust, sandboxIssuers } = config;
    expect(trust).toEqual({ 'de-ausweis': registered['de-ausweis'] });
    expect([...sandboxIssuers]).toEqual(['xx-sandbox', 'de-ausweis']);
    expect(emitted.mock.calls).toEqual([
      [
        'pidgate: the sandbox at http://127.0.0.1:4747 stands in for de-ausweis in this process. It proves nothing.',
        { type: 'PidgateWarning', code: 'PIDGATE_SANDBOX' },
      ],
    ]);
  });

  test('F84 keeps the CA of status lists apart from that of the PID provider', () => {
    const lists = marked();
    register({ anchors: [anchor], statusAnchors: [lists] });
    expect(inMode('test', () => configured(local)).trust['de-ausweis']).toMatchObject({
      keys: { x5c: { anchors: [anchor], statusAnchors: [lists] } },
    });
  });

  test('needs no entry of the app, and leaves those of other issuers alone', () => {
    register();
    const other = async () => await Promise.resolve({ valid: false as const, reason: 'never' });
    const { trust } = inMode('test', () => configured({ ...local, trust: { other } }));
    expect(Object.keys(trust).toSorted()).toEqual(['de-ausweis', 'other']);
    expect(trust['other']).toBe(other);
  });

  test('gives xx-sandbox an entry, and says nothing; one in code comes first', () => {
    const registered = register();
    const bare = { ...local, issuer: 'xx-sandbox', trust: undefined };
    inMode('development', () => {
      expect(configured(bare).trust).toEqual({ 'xx-sandbox': registered['xx-sandbox'] });
      const trust = { 'xx-sandbox': good.trust['de-ausweis'] };
      expect(configured({ ...bare, trust }).trust).toEqual(trust);
    });
    expect(emitted).not.toHaveBeenCalled();
  });

  test('stands in for the issuer of a named question too, and for none that is not asked', () => {
    const registered = register();
    const questions = { age: { reveal: ['birth_date'], issuer: 'de-ausweis' } };
    inMode('test', () => {
      const { trust } = configured({ ...local, issuer: 'xx-sandbox', questions });
      expect(trust).toEqual(registered);
      expect(configured({ ...local, issuer: 'xx-sandbox' }).trust['de-ausweis']).toBe(
        good.trust['de-ausweis'],
      );
    });
  });

  test('an entry of a sandbox that stands in code is left alone, wherever the app is', () => {
    register();
    const trust = { 'de-ausweis': germanSandboxTrust(url, { anchors: [marked()] }) };
    expect(inMode('test', () => configured({ ...local, appUrl: good.appUrl, trust })).trust).toEqual(trust);
  });

  test('is looked up by the origin of baseUrl: beside any other, nothing happens', () => {
    register();
    register(undefined, 'http://127.0.0.1:4748');
    for (const baseUrl of ['http://127.0.0.1:4749', 'http://localhost:4747', 'https://127.0.0.1:4747']) {
      expect(inMode('test', () => configured({ ...local, baseUrl })).trust).toEqual(good.trust);
      expect(inMode('production', () => configured({ ...local, baseUrl })).trust).toEqual(good.trust);
    }
    expect(inMode('production', () => configured()).trust).toEqual(good.trust);
    const { trust } = inMode('test', () => configured({ ...local, baseUrl: 'http://127.0.0.1:4748/v1' }));
    expect(trust['de-ausweis']).toMatchObject({ iss: 'http://127.0.0.1:4748' });
  });

  test('is gone when it was closed, and takes no other of its address along', () => {
    register();
    const again = register();
    close.shift()?.();
    expect(inMode('test', () => configured(local)).trust).toEqual({ 'de-ausweis': again['de-ausweis'] });
    close.shift()?.();
    expect(inMode('test', () => configured(local)).trust).toEqual(good.trust);
  });

  test('watches the apps of its process until it was closed', () => {
    const isWatching = (): boolean[] => [
      tracingChannel('pidgate:prove').start.hasSubscribers,
      hasSubscribers('http.server.response.finish'),
    ];
    register();
    inMode('development', () => accompanied(configured(local), local));
    expect(isWatching()).toEqual([true, true]);
    for (const unregister of close.splice(0)) unregister();
    expect(isWatching()).toEqual([false, false]);
  });

  test.each(['production', 'Development', undefined])(
    'F74 nobody who registers under its symbol is heard with NODE_ENV=%s',
    (mode) => {
      const accompany = jest.fn();
      const sandboxes = new Map([[url, { trust: {}, accompany }]]);
      const registry = globalThis as Record<symbol, unknown>;
      const before = registry[sandboxSymbol];
      registry[sandboxSymbol] = sandboxes;
      try {
        const config = inMode(mode, () => configured(local));
        expect(accompanied(config, local)).toEqual({ config });
        expect([accompany.mock.calls, config.trust]).toEqual([[], good.trust]);
      } finally {
        registry[sandboxSymbol] = before;
      }
    },
  );

  test('no variable changes trust: with both of former versions, nothing happens', () => {
    const variables = { IDENTITY_SANDBOX_URL: url, IDENTITY_SANDBOX_ANCHORS: anchor };
    for (const NODE_ENV of ['development', 'test']) {
      withEnvironment({ ...variables, NODE_ENV }, () => {
        expect(configured(local).trust).toEqual(good.trust);
        expect(refusal({ ...local, issuer: 'xx-sandbox', trust: undefined, allowSandbox: true })).toBe(
          'Option trust has no entry for the issuer xx-sandbox: nothing could be verified. That of the sandbox comes from pidgate dev, or with the NODE_OPTIONS that pidgate sandbox prints; both need NODE_ENV=development or test. Bun and Deno ignore NODE_OPTIONS: there, start the sandbox in the process of the app.',
        );
      });
    }
    expect(emitted).not.toHaveBeenCalled();
  });

  const mode = 'NODE_ENV is development or test';
  const loopback = (origin: string) =>
    `every appUrl is on this machine, and ${origin} is not: its host must be`;
  const extension = "each certificate bears the sandbox's own extension";
  const certificates = 'its anchors are certificates';
  const unmarked = marked({ more: [] });
  const broken = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----';
  const day = 24 * 60 * 60;
  const nextYear = marked({ notBefore: 365 * day, notAfter: 366 * day });
  const shop = 'https://shop.example';
  const bare = { issuer: 'xx-sandbox', trust: undefined };

  test.each<[string, string | undefined, object, string]>([
    ['NODE_ENV=production', 'production', {}, mode],
    ['NODE_ENV=Development', 'Development', {}, mode],
    ['NODE_ENV unset', undefined, {}, mode],
    ['allowSandbox in production', 'production', { allowSandbox: true }, mode],
    ['allowSandbox in production, for xx-sandbox', 'production', { allowSandbox: true, ...bare }, mode],
    ['a public app', 'test', { appUrl: shop }, loopback(shop)],
    [
      'an address without http://',
      'test',
      { appUrl: 'localhost:3000' },
      'every appUrl begins with http://, and localhost:3000 does not',
    ],
    ['one public app among two', 'test', { appUrl: ['http://localhost:3000', shop] }, loopback(shop)],
    [
      'F127 a name that begins like loopback',
      'test',
      { appUrl: 'https://localhost.example' },
      loopback('https://localhost.example'),
    ],
    [
      'F127 a name that only ends like loopback',
      'test',
      { appUrl: 'https://acmelocalhost' },
      loopback('https://acmelocalhost'),
    ],
  ])('%s: config_invalid, not silence', (_what, NODE_ENV, change, condition) => {
    register();
    expectRefusal(NODE_ENV, change, condition);
  });

  test.each<[string, SandboxAnchors, string]>([
    ['a certificate that cannot be read', { anchors: [broken] }, extension],
    ['an anchor without the marker', { anchors: [unmarked] }, extension],
    ['one anchor of two without the marker', { anchors: [anchor, unmarked] }, extension],
    ['two anchors in one text, one without the marker', { anchors: [anchor + unmarked] }, extension],
    ['a CA of status lists without the marker', { anchors: [anchor], statusAnchors: [unmarked] }, extension],
    ['no certificate', { anchors: [] }, certificates],
    ['a CA of status lists alone', { statusAnchors: [marked()] }, certificates],
    ['a text that is none', { anchors: ['yes'] }, certificates],
    [
      'an anchor for more than a day',
      { anchors: [marked({ notAfter: day - 59 })] },
      'each certificate expires within 24 hours',
    ],
    [
      'F78 an anchor for a day of next year',
      { anchors: [nextYear] },
      "each certificate is valid by this machine's clock",
    ],
    [
      'F78 an anchor that begins in a second',
      { anchors: [marked({ notBefore: 1, notAfter: day })] },
      "each certificate is valid by this machine's clock",
    ],
    [
      'an anchor of yesterday',
      { anchors: [marked({ notBefore: -day, notAfter: 0 })] },
      'no certificate has expired',
    ],
  ])('%s: config_invalid, not silence', (_what, anchors, condition) => {
    register(anchors);
    expectRefusal('test', {}, condition);
  });

  function expectRefusal(NODE_ENV: string | undefined, change: object, condition: string): void {
    const message = inMode(NODE_ENV, () => refusal({ ...local, ...change }));
    expect(message).toMatch(/^The sandbox at http:\/\/127\.0\.0\.1:4747 is registered in this process/);
    expect(message).toContain(`only if ${condition}`);
    const remedy = condition.startsWith('every appUrl')
      ? 'Leave appUrl out of the code, and set APP_URL only where that address leads to the app: without it, pidgate dev sets one for this machine.'
      : 'Start the app without it to ask the real issuer.';
    expect(message).toContain(`. ${remedy}`);
    expect(emitted).not.toHaveBeenCalled();
  }

  test('a service elsewhere: config_invalid, not silence', () => {
    register(undefined, 'https://service.example');
    const message = inMode('test', () => refusal({ ...local, baseUrl: 'https://service.example' }));
    expect(message).toContain('only if baseUrl is on this machine');
  });

  test("an entry that does not bear the sandbox's mark: config_invalid, not silence", () => {
    const { derivedBy: _, ...entry } = germanSandboxTrust(url, {});
    const withoutMark = { ...entry, keys: { jwksUri: `${url}/jwks.json` } };
    close.push(joinSandbox(url, { 'de-ausweis': withoutMark }));
    expect(inMode('test', () => refusal(local))).toContain('only if its anchors are certificates');
  });
});
