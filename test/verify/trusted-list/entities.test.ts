import { describe, expect, test } from '@jest/globals';
import { type Authority, withUnknownKey } from '../../support/verify/certificates.js';
import { caOf, good, root, signerBelow } from '../../support/verify/chains.js';
import { now } from '../../support/verify/issuer.js';
import { type EntityPlan, type ServicePlan, day, entitiesOf } from '../../support/verify/lists.js';
import { goodHeader, judgeUnder, listOf, signed, signedUnder } from '../../support/verify/lists.js';
import { startProcess, trusting, types } from '../../support/verify/lists.js';
import { judgeEach, judgeValues, refuseEach } from '../../support/verify/verdicts.js';

const other = caOf('Other Root');
const belowOther = [signerBelow(other)];
const none = 'L15 no entity in it that counts has a certificate that issues PIDs.';
const stranger = /^key_not_found K03 /;

/** The verdict on a presentation below this chain, by a list of these entities. */
const check = async (
  entities: readonly EntityPlan[],
  chain: readonly Authority[] = good,
  lote: object = {},
) => await judgeUnder(await signed({ entities }), trusting(lote), chain);
const withService = (service: ServicePlan) => check([{ services: [service] }]);
const withMore = (more: object) => withService({ more });

describe('L12 what a service is for', () => {
  const otherTypes = ['PID/Revocation', 'WRPAC/Issuance', 'WalletSolution/Issuance', 'PID/Issuance/More'];
  test.each(otherTypes)(
    'L12 the CA of a service for %s issues no PID, beside one that does',
    async (type) => {
      expect(await withService({ type: types + type })).toBe(none);
      const entities = [{ services: [{ certificates: [other] }, { type: types + type }] }];
      expect(await check(entities, belowOther)).toBe('valid');
      expect(await check(entities)).toMatch(stranger);
    },
  );
  judgeEach(withMore, { 'L12 L15 a service without a type': [none, { ServiceTypeIdentifier: undefined }] });
});

describe('L13 the status of a service', () => {
  const status = (name: string) => `http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/${name}`;
  const at = (ms: number) => ({ StatusStartingTime: new Date(now.getTime() + ms).toISOString() });
  const inForce = [undefined, status('notified'), status('granted')];
  const others = [
    status('withdrawn'),
    status('suspended'),
    status('notified/not'),
    'https://attacker.example/notified',
    '',
    7,
    null,
  ];

  judgeValues('L13 %s is in force', inForce, 'valid', (ServiceStatus) =>
    withMore({ ServiceStatus, ...at(-day) }),
  );
  judgeValues('L13 %s without a time is in force', inForce, 'valid', (ServiceStatus) =>
    withMore({ ServiceStatus }),
  );
  judgeValues('L13 %p is not', others, none, (ServiceStatus) => withMore({ ServiceStatus, ...at(-day) }));
  judgeEach(withMore, {
    'L13 a service that begins now': ['valid', at(0)],
    'L13 a service that has not begun': [none, at(1)],
    'L13 a beginning that is no time': [/^L13 it contains an invalid/, { StatusStartingTime: 'yesterday' }],
  });
});

describe('L14 whose services count', () => {
  const ca = caOf('French Root');
  const french = { name: 'ANTS', tradeName: 'NTRFR-1', country: 'FR', services: [{ certificates: [ca] }] };
  const below = [signerBelow(ca)];
  const both = [{}, french];
  const named = (...entities: string[]) => ({ territories: ['FR'], entities });
  /** A provider of another country that trades under the name of the German one. */
  const namesake = { ...french, tradeName: 'Bundesdruckerei' };

  judgeEach(check, {
    'L14 those of a configured territory': ['valid', both],
    'L14 those of another territory do not': [stranger, both, below],
    'L14 those of each configured territory': ['valid', both, below, { territories: ['FR', 'DE'] }],
    'L14 those of another territory alone': [none, [french], below],
    'L14 those of a configured name': ['valid', both, below, named('ANTS')],
    'L14 those of a configured trade name': ['valid', both, below, named('NTRFR-1')],
    'L14 those of another name do not': [stranger, both, good, named('ANTS')],
    'L14 those of a name that is spelled otherwise do not': [none, both, below, named('ants', 'ANT')],
    'L14, F106 a name does not count in another territory': [
      stranger,
      both,
      good,
      named('Bundesdruckerei', 'ANTS'),
    ],
    'L14, F106 nor does a trade name': [stranger, [{}, namesake], below, { entities: ['Bundesdruckerei'] }],
    'L14, F106 it counts in its own': ['valid', [{}, namesake], good, { entities: ['Bundesdruckerei'] }],
  });

  const address = (TEPostalAddress: object[]) => ({ TEAddress: { TEPostalAddress } });
  test.each<[what: string, information: unknown]>([
    ['in two countries', address([{ Country: 'DE' }, { Country: 'FR' }])],
    ['without an address', { TEName: [{ lang: 'en', value: 'Bundesdruckerei' }] }],
    ['without a country', address([{ lang: 'en' }])],
    ['of a country that is a list', address([{ Country: ['DE'] }])],
    ['without information', undefined],
  ])('L14 an entity %s', async (_, TrustedEntityInformation) => {
    const { LoTE } = listOf();
    const changed = { ...LoTE.TrustedEntitiesList[0], TrustedEntityInformation };
    const list = { LoTE: { ...LoTE, TrustedEntitiesList: [7, null, changed] } };
    expect(await judgeUnder(signedUnder(goodHeader, list))).toBe(none);
  });

  const wrong: [what: string, lote: object, message: RegExp][] = [
    ['the Union as a territory', { territories: ['EU'] }, /territories\[0\] must be a country code/],
    ['a name as a territory', { territories: ['Germany'] }, /territories\[0\] must be a country code/],
    ['no territory', { territories: [] }, /territories must be a list/],
    ['no entity', { entities: [''] }, /entities\[0\] must be a non-empty string/],
  ];
  refuseEach('K16 %s is refused at construction', wrong, (lote) => startProcess(trusting(lote)));

  const needed =
    "trust['de-ausweis'].keys.x5c.trustedList.territories must name the countries whose providers count, such as " +
    "['DE']: without it any member state could sign for this issuer, also under a name or trade name in entities.";
  const without = [
    ['entities without territories', { territories: undefined, entities: ['ANTS'] }],
    ['neither entities nor territories', { territories: undefined }],
  ] as const;
  refuseEach('F106 %s', without, (lote) => startProcess(trusting(lote)), needed);
});

test('L15 what is no certificate is skipped, too', async () => {
  const { LoTE } = listOf();
  const [entity] = LoTE.TrustedEntitiesList;
  const ServiceTypeIdentifier = `${types}PID/Issuance`;
  const broken = (ServiceDigitalIdentity: unknown) => ({
    ...entity,
    TrustedEntityServices: [{ ServiceInformation: { ServiceTypeIdentifier, ServiceDigitalIdentity } }],
  });
  const entities = [
    broken(undefined),
    broken({ X509Certificates: [{ val: 7 }, { val: 'AAAA' }, null] }),
    broken({ X509Certificates: [{ val: withUnknownKey(root).der.toString('base64') }] }),
    broken({ PublicKeyValues: [root.keys.jwk] }),
    { ...entity, TrustedEntityServices: [null, {}] },
  ];
  const judge = (list: unknown[]) =>
    judgeUnder(signedUnder(goodHeader, { LoTE: { ...LoTE, TrustedEntitiesList: list } }));
  expect(await judge([...entities, entity])).toBe('valid');
  expect(await judge(entities)).toBe(none);
});

test('L16 history and pointers to other lists are never followed', async () => {
  const { judge, publish, requests } = startProcess();
  const before = {
    ServiceName: [{ lang: 'en', value: 'Before' }],
    ServiceTypeIdentifier: `${types}PID/Issuance`,
    ServiceDigitalIdentity: { X509Certificates: [{ val: root.der.toString('base64') }] },
    ServiceStatus: 'http://uri.etsi.org/19602/PIDProvidersList/SvcStatus/notified',
    StatusStartingTime: '2025-01-01T00:00:00Z',
  };
  const pointer = {
    LoTELocation: 'https://attacker.example',
    ServiceDigitalIdentities: [],
    LoTEQualifiers: [],
  };
  const entities = [{ services: [{ certificates: [other], history: [before] }] }];
  publish(await signed({ entities, scheme: { PointersToOtherLoTE: [pointer] } }));
  expect(await judge(belowOther)).toBe('valid');
  expect(await judge()).toMatch(stranger);
  expect(requests.every((address) => address.startsWith('https://lists.example/'))).toBe(true);
});

test('K20 the rules for leaves hold below the anchors of a list', async () => {
  const { judge, publish } = startProcess(trusting({}, { leaf: { subject: { CN: 'PID Issuer' } } }));
  publish(await signed({ entities: entitiesOf(root) }));
  expect(await judge()).toBe('valid');
  expect(await judge([signerBelow(root, { subject: 'Another' })])).toMatch(/^K20 /);
});
