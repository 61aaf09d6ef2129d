import { OctetString } from '@peculiar/asn1-schema';
import { Extension } from '@peculiar/asn1-x509';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { certify, pemOf as sandboxPem } from '../../lib/dev/sandbox/issuers/certificates.js';
import { markerContent, sandboxProfile } from '../../lib/service/sandbox.js';
import type { SdJwtVcTrust } from '../../lib/types/trust.js';
import { certify as certifyAnything, pemOf } from '../support/verify/certificates.js';
import { now } from '../support/verify/issuer.js';
import { configured, good, refusal, withEnvironment } from './settings.js';

const from = Math.floor(now.getTime() / 1000) - 60;
const clock = (): Date => now;
const clientId = 'x509_hash:sandbox';
const anchor = sandboxPem(certify({ name: 'Sandbox PID CA', from, clientId }));

const local = {
  baseUrl: 'http://127.0.0.1:4747',
  appUrl: ['http://localhost:3000', 'http://127.0.0.1:3000'],
  clock,
};
const environment = {
  NODE_ENV: 'development',
  IDENTITY_SANDBOX_URL: 'http://127.0.0.1:4747',
  IDENTITY_SANDBOX_ANCHORS: anchor,
};

const emitted = jest.spyOn(process, 'emitWarning');
beforeEach(() => {
  emitted.mockImplementation(() => undefined);
});
afterEach(() => {
  emitted.mockClear();
});

function marked(
  more: Partial<Parameters<typeof certifyAnything>[0]> = {},
  content = markerContent(clientId),
): string {
  const marker = new Extension({ extnID: sandboxProfile.markerId, extnValue: new OctetString(content) });
  const day = { notBefore: -60, notAfter: 24 * 60 * 60 - 60 };
  return pemOf(certifyAnything({ subject: 'CA', isCa: true, more: [marker], ...day, ...more }));
}

describe('IDENTITY_SANDBOX_ANCHORS', () => {
  test.each(['development', 'test'])(
    'puts the sandbox in the place of de-ausweis with NODE_ENV=%s',
    (NODE_ENV) => {
      withEnvironment({ ...environment, NODE_ENV }, () => {
        const { trust, sandboxIssuers } = configured(local);
        expect(trust['de-ausweis']).toMatchObject({
          format: 'sd-jwt-vc',
          keys: { x5c: { anchors: [anchor.trim()] } },
          iss: 'http://127.0.0.1:4747',
          vct: ['urn:eudi:pid:de:1'],
          keyBinding: { nonce: 'state-sha256', audience: clientId },
        } satisfies SdJwtVcTrust);
        expect([...sandboxIssuers]).toEqual(['xx-sandbox', 'de-ausweis']);
      });
      expect(emitted.mock.calls).toEqual([
        [
          'pidgate: the sandbox at http://127.0.0.1:4747 stands in for de-ausweis in this process. It proves nothing.',
          { type: 'PidgateWarning', code: 'PIDGATE_SANDBOX' },
        ],
      ]);
    },
  );

  test('F84 tells the CA of status lists by its marker, in any order', () => {
    const lists = marked({}, markerContent(`${sandboxProfile.listMarker}${clientId}`));
    for (const both of [anchor + lists, lists + anchor]) {
      withEnvironment({ ...environment, IDENTITY_SANDBOX_ANCHORS: both }, () => {
        expect(configured(local).trust['de-ausweis']).toMatchObject({
          keys: { x5c: { anchors: [anchor.trim()], statusAnchors: [lists.trim()] } },
        });
      });
    }
  });

  test('needs no entry of the app, and leaves those of other issuers alone', () => {
    const other = async () => await Promise.resolve({ valid: false as const, reason: 'never' });
    withEnvironment(environment, () => {
      const { trust } = configured({ ...local, trust: { other } });
      expect(Object.keys(trust).toSorted()).toEqual(['de-ausweis', 'other']);
      expect(trust['other']).toBe(other);
    });
  });

  test('without it, the trust of the app stands', () => {
    withEnvironment({ ...environment, IDENTITY_SANDBOX_ANCHORS: '' }, () => {
      expect(configured(local).trust).toEqual(good.trust);
    });
    expect(emitted).not.toHaveBeenCalled();
  });

  const refused: [string, Record<string, string | undefined>, Record<string, unknown>, string][] = [
    ['NODE_ENV=production', { NODE_ENV: 'production' }, {}, 'NODE_ENV is development or test'],
    ['NODE_ENV=Development', { NODE_ENV: 'Development' }, {}, 'NODE_ENV is development or test'],
    ['NODE_ENV unset', { NODE_ENV: undefined }, {}, 'NODE_ENV is development or test'],
    [
      'allowSandbox in production',
      { NODE_ENV: 'production' },
      { allowSandbox: true },
      'NODE_ENV is development or test',
    ],
    ['a real service', {}, { baseUrl: 'https://service.example' }, 'baseUrl is on this machine'],
    ['a public app', {}, { appUrl: 'https://shop.example' }, 'every appUrl is on this machine'],
    [
      'one public app among two',
      {},
      { appUrl: ['http://localhost:3000', 'https://shop.example'] },
      'every appUrl is on',
    ],
    [
      'a name that begins like loopback',
      {},
      { appUrl: 'https://localhost.example' },
      'every appUrl is on this machine',
    ],
    [
      'no IDENTITY_SANDBOX_URL',
      { IDENTITY_SANDBOX_URL: undefined },
      {},
      "IDENTITY_SANDBOX_URL has baseUrl's origin",
    ],
    [
      'another port',
      { IDENTITY_SANDBOX_URL: 'http://127.0.0.1:4748' },
      {},
      "IDENTITY_SANDBOX_URL has baseUrl's origin",
    ],
    [
      'another name',
      { IDENTITY_SANDBOX_URL: 'http://localhost:4747' },
      {},
      "IDENTITY_SANDBOX_URL has baseUrl's origin",
    ],
    ['no certificate', { IDENTITY_SANDBOX_ANCHORS: 'yes' }, {}, 'it holds certificates in PEM'],
    [
      'a certificate that cannot be read',
      { IDENTITY_SANDBOX_ANCHORS: '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----' },
      {},
      'each certificate can be read',
    ],
    [
      'an anchor without the marker',
      { IDENTITY_SANDBOX_ANCHORS: marked({ more: [] }) },
      {},
      "each certificate bears the sandbox's own extension",
    ],
    [
      'a marker that says nothing',
      { IDENTITY_SANDBOX_ANCHORS: marked({}, Uint8Array.of(0x0c, 5)) },
      {},
      "each certificate bears the sandbox's own extension",
    ],
    [
      'one anchor of two without the marker',
      { IDENTITY_SANDBOX_ANCHORS: anchor + marked({ more: [] }) },
      {},
      "each certificate bears the sandbox's own extension",
    ],
    [
      'an anchor for more than a day',
      { IDENTITY_SANDBOX_ANCHORS: marked({ notAfter: 24 * 60 * 60 - 59 }) },
      {},
      'each certificate expires within 24 hours',
    ],
    [
      'F78 an anchor for a day of next year',
      { IDENTITY_SANDBOX_ANCHORS: marked({ notBefore: 365 * 86_400, notAfter: 366 * 86_400 }) },
      {},
      'each certificate is valid now',
    ],
    [
      'F78 an anchor that begins in a second',
      { IDENTITY_SANDBOX_ANCHORS: marked({ notBefore: 1, notAfter: 86_400 }) },
      {},
      'each certificate is valid now',
    ],
    [
      'an anchor of yesterday',
      { IDENTITY_SANDBOX_ANCHORS: marked({ notBefore: -24 * 60 * 60, notAfter: 0 }) },
      {},
      'no certificate has expired',
    ],
    [
      'a CA of status lists alone',
      { IDENTITY_SANDBOX_ANCHORS: marked({}, markerContent(`${sandboxProfile.listMarker}${clientId}`)) },
      {},
      'it holds the CA that certifies the PID provider',
    ],
    [
      'the CA of status lists of another sandbox',
      {
        IDENTITY_SANDBOX_ANCHORS:
          anchor + marked({}, markerContent(`${sandboxProfile.listMarker}x509_hash:other`)),
      },
      {},
      'its certificates are of one sandbox',
    ],
    [
      'anchors of two sandboxes',
      { IDENTITY_SANDBOX_ANCHORS: anchor + marked({}, markerContent('x509_hash:other')) },
      {},
      'its certificates are of one sandbox',
    ],
  ];
  test.each(refused)('%s: config_invalid, not silence', (_what, variables, change, condition) => {
    withEnvironment({ ...environment, ...variables }, () => {
      const message = refusal({ ...local, ...change });
      expect(message).toContain('IDENTITY_SANDBOX_ANCHORS is set');
      expect(message).toContain(`only if ${condition}`);
    });
    expect(emitted).not.toHaveBeenCalled();
  });
});

test('a client id that is too long for the marker is a mistake of the sandbox', () => {
  expect(() => markerContent('x'.repeat(128))).toThrow(RangeError);
});
