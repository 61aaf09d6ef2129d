import { describe, expect, test } from '@jest/globals';
import { CertificatePolicies, PolicyInformation, id_ce_certificatePolicies } from '@peculiar/asn1-x509';
import type { CertificateTrust } from '../../../lib/types/trust.js';
import { extension, pemOf } from '../../support/verify/certificates.js';
import { thrown } from '../../support/verify/verdicts.js';
import { anchoredIn, root, told, withLeaf } from '../../support/verify/chains.js';

type Rules = NonNullable<CertificateTrust['leaf']>;

const trusting = (leaf: unknown) =>
  anchoredIn([root], { keys: { x5c: { anchors: [pemOf(root)], leaf: leaf as Rules } } });
const withPolicies = (...identifiers: readonly string[]) =>
  withLeaf({
    more: [
      extension(
        id_ce_certificatePolicies,
        new CertificatePolicies(
          identifiers.map((policyIdentifier) => new PolicyInformation({ policyIdentifier })),
        ),
      ),
    ],
  });

describe('K20 what else the leaf must have', () => {
  test('K20 one of the policies that the entry names', async () => {
    const trust = trusting({ policies: ['1.2.3.1', '1.2.3.2'] });
    const reason = 'K20 x5c[0] has none of the certificate policies that the trust entry names.';
    expect(await told(withPolicies('1.2.3.2'), trust)).toBe('valid');
    expect(await told(withPolicies('1.9', '1.2.3.1'), trust)).toBe('valid');
    for (const chain of [withPolicies('1.2.3'), withPolicies('2.5.29.32.0'), withLeaf({})]) {
      expect(await told(chain, trust)).toBe(reason);
      expect(await told(chain)).toBe('valid');
    }
  });

  const organization = '2.5.4.97';

  test.each<[subject: Rules['subject'], passes: boolean]>([
    [{ CN: 'PID Issuer' }, true],
    [{ CN: 'PID Issuer', O: 'Example', C: 'DE' }, true],
    [{ organizationIdentifier: 'NTRDE-1', CN: 'PID Issuer' }, true],
    [{ CN: 'PID issuer' }, false],
    [{ CN: 'PID Issuer', C: 'FR' }, false],
    [{ OU: 'Example' }, false],
    [{ serialNumber: '1' }, false],
    [{ organizationIdentifier: 'NTRDE-2' }, false],
  ])('K20 the subject %j', async (subject, passes) => {
    const chain = withLeaf({ names: [[organization, 'NTRDE-1']] });
    const reason = 'K20 x5c[0] has another subject than the trust entry names.';
    expect(await told(chain, trusting({ subject }))).toBe(passes ? 'valid' : reason);
  });

  test('K20 a part of the subject that is there twice', async () => {
    const chain = withLeaf({
      names: [
        [organization, 'NTRDE-1'],
        [organization, 'NTRDE-2'],
      ],
    });
    const trust = trusting({ subject: { organizationIdentifier: 'NTRDE-1' } });
    expect(await told(chain, trust)).toMatch(/^K20 /);
  });

  test('K18 the purposes that the entry names, and no others', async () => {
    const trust = trusting({ purposes: ['1.2.3', '1.2.4'] });
    expect(await told(withLeaf({ purposes: ['1.2.3'] }), trust)).toBe('valid');
    expect(await told(withLeaf({ purposes: ['1.9', '1.2.4'] }), trust)).toBe('valid');
    expect(await told(withLeaf({}), trust)).toBe('valid');
    for (const purposes of [['1.0.18013.5.1.2'], ['1.2.3.4']]) {
      expect(await told(withLeaf({ purposes }), trust)).toBe(
        'K18 x5c[0] is not for signing credentials (extended key usage).',
      );
    }
  });

  test.each([[undefined], [{}], [{ purposes: undefined, policies: undefined, subject: undefined }]])(
    'K20 leaf: %j asks for nothing',
    async (leaf) => {
      expect(await told(withLeaf({}), trusting(leaf))).toBe('valid');
    },
  );

  test.each<[leaf: unknown, message: RegExp]>([
    [[], /\.x5c\.leaf must be an object/],
    [{ purpose: ['1.2.3'] }, /Unknown option purpose of .*\.x5c\.leaf\. Did you mean purposes/],
    [{ purposes: [] }, /\.leaf\.purposes must be a list/],
    [{ purposes: ['documents'] }, /\.leaf\.purposes must be object identifiers/],
    [{ purposes: ['1.2.3', '01.2'] }, /\.leaf\.purposes must be object identifiers/],
    [{ purposes: ['1.2.3', '1.0.18013.5.1.6'] }, /\.purposes has one of a relying party or TLS/],
    [{ purposes: ['1.3.6.1.5.5.7.3.2'] }, /\.purposes has one of a relying party or TLS/],
    [{ policies: '1.2.3' }, /\.leaf\.policies must be a list/],
    [{ policies: ['1.2.3.'] }, /\.leaf\.policies must be object identifiers/],
    [{ subject: 'CN=PID Issuer' }, /\.leaf\.subject must be an object/],
    [{ subject: { cn: 'PID Issuer' } }, /Unknown option cn of .*\.leaf\.subject/],
    [{ subject: {} }, /\.leaf\.subject must have at least one of CN, O,/],
    [{ subject: { CN: '' } }, /\.leaf\.subject\.CN must be a non-empty string/],
  ])('K16 leaf: %j is refused at construction', async (leaf, message) => {
    expect(await thrown(async () => await told(withLeaf({}), trusting(leaf)))).toMatchObject({
      code: 'config_invalid',
      message: expect.stringMatching(message),
    });
  });
});
