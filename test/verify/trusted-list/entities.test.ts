import { describe, expect, test } from '@jest/globals';
import { type Authority, certify, withUnknownKey } from '../../support/verify/certificates.js';
import { thrown } from '../../support/verify/verdicts.js';
import { intermediate, leaf, root } from '../../support/verify/chains.js';
import {
  day,
  type EntityPlan,
  listOf,
  processOf,
  type ServicePlan,
  signed,
  signedUnder,
  goodHeader,
  trusting,
  whyUnusable,
} from '../../support/verify/lists.js';
import { now } from '../../support/verify/issuer.js';

const types = 'http://uri.etsi.org/19602/SvcType/';
const other = certify({ subject: 'Other Root', isCa: true });
const french = certify({ subject: 'French Root', isCa: true });
const below = (issuer: Authority) => [certify({ subject: 'PID Issuer', issuer })];
const none = 'L15 no entity in it that counts has a certificate that issues PIDs.';

/** The verdict on a presentation below this chain, by a list of these entities. */
async function by(
  entities: readonly EntityPlan[],
  chain: readonly Authority[] = [leaf, intermediate],
  lote: object = {},
): Promise<string> {
  const { judge, publish } = processOf(trusting(lote));
  publish(await signed({ entities }));
  return whyUnusable(await judge(chain));
}

const withService = async (service: ServicePlan) => await by([{ services: [service] }]);

describe('L12 what a service is for', () => {
  test.each([
    'PID/Revocation',
    'WRPAC/Issuance',
    'WRPAC/Revocation',
    'WalletSolution/Issuance',
    'PubEAA/Issuance',
    'PID/Issuance/More',
  ])('L12 the CA of a service for %s issues no PID, beside one that does', async (type) => {
    expect(await withService({ type: types + type })).toBe(none);
    const entities = [{ services: [{ certificates: [other] }, { type: types + type }] }];
    expect(await by(entities, below(other))).toBe('valid');
    expect(await by(entities)).toMatch(/^key_not_found K03 /);
  });

  test('L12 a service without a type', async () => {
    expect(await withService({ more: { ServiceTypeIdentifier: undefined } })).toBe(none);
  });
});

describe('L13 the status of a service', () => {
  const status = 'http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/';
  const at = (ms: number) => ({ StatusStartingTime: new Date(now.getTime() + ms).toISOString() });

  test.each([undefined, `${status}notified`, `${status}granted`])(
    'L13 %s is in force',
    async (ServiceStatus) => {
      expect(await withService({ more: { ServiceStatus, ...at(-day) } })).toBe('valid');
      expect(await withService({ more: { ServiceStatus } })).toBe('valid');
    },
  );

  test.each([
    `${status}withdrawn`,
    `${status}suspended`,
    `${status}notified/not`,
    'https://attacker.example/notified',
    '',
    7,
    null,
  ])('L13 %p is not', async (ServiceStatus) => {
    expect(await withService({ more: { ServiceStatus, ...at(-day) } })).toBe(none);
  });

  test('L13 a service that has not begun', async () => {
    expect(await withService({ more: at(0) })).toBe('valid');
    expect(await withService({ more: at(1) })).toBe(none);
    expect(await withService({ more: { StatusStartingTime: 'yesterday' } })).toBe(
      'L13 it has a time that is not one.',
    );
  });
});

describe('L14 whose services count', () => {
  const [german, french_] = [
    {},
    { name: 'ANTS', tradeName: 'NTRFR-1', country: 'FR', services: [{ certificates: [french] }] },
  ];

  test('L14 those of a configured territory', async () => {
    expect(await by([german, french_])).toBe('valid');
    expect(await by([german, french_], below(french))).toMatch(/^key_not_found K03 /);
    expect(await by([german, french_], below(french), { territories: ['FR', 'DE'] })).toBe('valid');
    expect(await by([french_], below(french))).toBe(none);
  });

  test('L14 those of a configured name or trade name', async () => {
    const named = (entities: readonly string[]) => ({ territories: undefined, entities });
    expect(await by([german, french_], below(french), named(['ANTS']))).toBe('valid');
    expect(await by([german, french_], below(french), named(['NTRFR-1']))).toBe('valid');
    expect(await by([german, french_], [leaf, intermediate], named(['ANTS']))).toMatch(/^key_not_found K03 /);
    expect(await by([german, french_], below(french), named(['ants', 'ANT']))).toBe(none);
  });

  test('L14 both, where both are configured', async () => {
    const both = { territories: ['FR'], entities: ['ANTS', 'Bundesdruckerei'] };
    expect(await by([german, french_], below(french), both)).toBe('valid');
    expect(await by([german, french_], [leaf, intermediate], both)).toMatch(/^key_not_found K03 /);
  });

  test.each<[what: string, change: (entity: never) => unknown]>([
    [
      'in two countries',
      ({ TEAddress, ...rest }: { TEAddress: { TEPostalAddress: object[] } }) => ({
        ...rest,
        TEAddress: {
          ...TEAddress,
          TEPostalAddress: [...TEAddress.TEPostalAddress, { lang: 'fr', Country: 'FR' }],
        },
      }),
    ],
    ['without an address', () => ({ TEName: [{ lang: 'en', value: 'Bundesdruckerei' }] })],
    ['without a country', () => ({ TEAddress: { TEPostalAddress: [{ lang: 'en' }] } })],
    ['of a country that is a list', () => ({ TEAddress: { TEPostalAddress: [{ Country: ['DE'] }] } })],
    ['without information', () => undefined],
  ])('L14 an entity %s', async (_, change) => {
    const { LoTE } = listOf();
    const [entity] = LoTE.TrustedEntitiesList;
    const changed = {
      ...entity,
      TrustedEntityInformation: change(entity?.TrustedEntityInformation as never),
    };
    const { judge, publish } = processOf(trusting());
    publish(signedUnder(goodHeader, { LoTE: { ...LoTE, TrustedEntitiesList: [7, null, changed] } }));
    expect(whyUnusable(await judge())).toBe(none);
  });

  test.each<[what: string, lote: object, message: RegExp]>([
    [
      'neither territories nor entities',
      { territories: undefined },
      /\.trustedList must have territories or entities/,
    ],
    ['the Union as a territory', { territories: ['EU'] }, /territories must be country codes/],
    ['a name as a territory', { territories: ['Germany'] }, /territories must be country codes/],
    ['no territory', { territories: [] }, /territories must be a list/],
    ['no entity', { entities: [''] }, /entities\[0\] must be a non-empty string/],
  ])('K16 %s is refused at construction', async (_, lote, message) => {
    expect(await thrown(() => processOf(trusting(lote)))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });
});

describe('L15 what can be no anchor', () => {
  test('L15 what is no certificate is skipped, too', async () => {
    const { LoTE } = listOf();
    const [good] = LoTE.TrustedEntitiesList;
    const broken = (ServiceDigitalIdentity: unknown) => ({
      ...good,
      TrustedEntityServices: [
        { ServiceInformation: { ServiceTypeIdentifier: `${types}PID/Issuance`, ServiceDigitalIdentity } },
      ],
    });
    const entities = [
      broken(undefined),
      broken({ X509Certificates: [{ val: 7 }, { val: 'AAAA' }, null] }),
      broken({ X509Certificates: [{ val: withUnknownKey(root).der.toString('base64') }] }),
      broken({ PublicKeyValues: [root.keys.jwk] }),
      { ...good, TrustedEntityServices: [null, {}] },
    ];
    const judged = async (list: unknown[]) => {
      const { judge, publish } = processOf(trusting());
      publish(signedUnder(goodHeader, { LoTE: { ...LoTE, TrustedEntitiesList: list } }));
      return whyUnusable(await judge());
    };
    expect(await judged([...entities, good])).toBe('valid');
    expect(await judged(entities)).toBe(none);
  });
});

test('L16 history and pointers to other lists are never followed', async () => {
  const { judge, publish, requests } = processOf(trusting());
  const ServiceHistory = [
    {
      ServiceName: [{ lang: 'en', value: 'Before' }],
      ServiceTypeIdentifier: `${types}PID/Issuance`,
      ServiceDigitalIdentity: { X509Certificates: [{ val: root.der.toString('base64') }] },
      ServiceStatus: 'http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/notified',
      StatusStartingTime: '2025-01-01T00:00:00Z',
    },
  ];
  const PointersToOtherLoTE = [
    { LoTELocation: 'https://attacker.example/list', ServiceDigitalIdentities: [], LoTEQualifiers: [] },
  ];
  publish(
    await signed({
      entities: [{ services: [{ certificates: [other], history: ServiceHistory }] }],
      scheme: { PointersToOtherLoTE },
    }),
  );
  expect(await judge(below(other))).toBe('valid');
  expect(await judge()).toMatch(/^key_not_found K03 /);
  expect(requests.every((address) => address.startsWith('https://lists.example/'))).toBe(true);
});

test('K20 the rules for leaves hold below the anchors of a list', async () => {
  const { judge, publish } = processOf(trusting({}, { leaf: { subject: { CN: 'PID Issuer' } } }));
  publish(await signed({ entities: [{ services: [{ certificates: [root] }] }] }));
  expect(await judge()).toBe('valid');
  expect(await judge([certify({ subject: 'Another', issuer: root })])).toMatch(/^presentation_invalid K20 /);
});
