import { describe, expect, test } from '@jest/globals';
import { GeneralName, SubjectAlternativeName, id_ce_subjectAltName } from '@peculiar/asn1-x509';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import type { Trust } from '../../../lib/types/trust.js';
import { certify, extension, pemOf } from '../../support/verify/certificates.js';
import { clock, iss, vct } from '../../support/verify/issuer.js';
import {
  anchoredIn,
  by,
  intermediate,
  leaf,
  presentWith,
  root,
  withLeaf,
} from '../../support/verify/chains.js';
import { entry, expected, inShort, judge, trustIn } from '../trust/trusting.js';

const good = [leaf, intermediate];
const x5c = { anchors: [pemOf(root)] };

describe('K10 the issuer is the subject of the leaf', () => {
  const claiming = async (claimed: unknown, trust: Trust) =>
    await judge(presentWith(good, { payload: { iss: claimed } }), trust);

  test('K10 an iss must be one that the trust entry allows', async () => {
    const [one, two] = [anchoredIn(), anchoredIn([root], { iss: ['https://other.example', iss] })];
    expect(inShort(await claiming(iss, one))).toBe('valid');
    expect(inShort(await claiming(iss, two))).toBe('valid');
    for (const other of ['https://third.example', `${iss}/`, [iss], null, 7]) {
      expect(inShort(await claiming(other, one))).toBe('presentation_invalid K10');
      expect(inShort(await claiming(other, two))).toBe('presentation_invalid K10');
    }
    expect(await claiming('https://third.example', two)).toMatchObject({
      reason: expect.stringMatching(/allowed is https:\/\/other\.example, https:\/\/issuer\.example\.$/),
    });
  });

  test('K10 where none is allowed there must be none', async () => {
    const unnamed = trustIn({ keys: { x5c } });
    expect(inShort(await claiming(undefined, unnamed))).toBe('valid');
    expect(inShort(await claiming(iss, unnamed))).toBe('presentation_invalid K10');
    expect(inShort(await claiming(null, unnamed))).toBe('presentation_invalid K10');
  });

  test('C09 a configured iss must be there, as with any other mechanism', async () => {
    expect(inShort(await claiming(undefined, anchoredIn()))).toBe('presentation_invalid C09');
  });

  test('K10 a leaf without any name', async () => {
    const alternative = new SubjectAlternativeName([new GeneralName({ dNSName: 'issuer.example' })]);
    const more = [extension(id_ce_subjectAltName, alternative, true)];
    expect(await by(withLeaf({ subject: '' }))).toBe('presentation_invalid K10');
    expect(await by(withLeaf({ subject: '', more }))).toBe('valid');
  });

  test('K10 names of leaf and iss need not be alike: live leafs have no alternative name', async () => {
    expect(await by(withLeaf({ subject: 'Bundesdruckerei' }))).toBe('valid');
  });

  describe('where the entry asks for it, an alternative name of the leaf', () => {
    const naming = (requireIssuerInSan: unknown) =>
      anchoredIn([root], {
        keys: { x5c: { ...x5c, leaf: { requireIssuerInSan: requireIssuerInSan as boolean } } },
        iss: [iss, 'urn:example:issuer'],
      });
    const named = (...names: readonly Partial<GeneralName>[]) =>
      withLeaf({
        more: [
          extension(id_ce_subjectAltName, new SubjectAlternativeName(names.map((it) => new GeneralName(it)))),
        ],
      });
    const other = { dNSName: 'other.example' };
    const told = async (
      chain: Parameters<typeof presentWith>[0],
      { claimed, wanted }: { claimed: unknown; wanted: unknown } = { claimed: iss, wanted: true },
    ) => {
      const verdict = await judge(presentWith(chain, { payload: { iss: claimed } }), naming(wanted));
      return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
    };
    const refused = 'K10 x5c[0] does not have the iss of the credential among its alternative names.';

    test('K10 has iss as its URI, or the host of iss as a DNS name', async () => {
      expect(await told(named({ uniformResourceIdentifier: iss }))).toBe('valid');
      expect(await told(named(other, { dNSName: 'Issuer.Example' }))).toBe('valid');
      const urn = { uniformResourceIdentifier: 'urn:example:issuer' };
      expect(await told(named(urn), { claimed: 'urn:example:issuer', wanted: true })).toBe('valid');
    });

    test.each<[what: string, names: readonly Partial<GeneralName>[]]>([
      ['another host', [other]],
      ['another URI of the same host', [{ uniformResourceIdentifier: `${iss}/` }]],
      ['a wildcard', [{ dNSName: '*.example' }]],
      ['the host as a mailbox', [{ rfc822Name: 'issuer.example' }]],
    ])('K10 is not %s', async (_, names) => {
      expect(await told(named(...names))).toBe(refused);
      expect(await told(named(...names), { claimed: iss, wanted: false })).toBe('valid');
      expect(await told(named(...names), { claimed: iss, wanted: undefined })).toBe('valid');
    });

    /** Each name that the host ends with, each that ends with it, and each that it begins with. */
    const host = 'issuer.example';
    const parts = Array.from(host, (_, at) => [host.slice(at), host.slice(0, at)]).flat();
    const near = new Set([
      ...parts,
      `${host}.`,
      `.${host}`,
      `www.${host}`,
      `x${host}`,
      `${host}x`,
      '*',
      '*.*',
    ]);
    near.delete(host);

    test.each([...near].map((name) => [name]))(
      'F85 K10 a domain above, below or beside it does not name the issuer: %j',
      async (name) => {
        expect(await told(named({ dNSName: name }))).toBe(refused);
      },
    );

    test('K10 is there, and so is iss', async () => {
      expect(await told(good)).toBe(refused);
      const chain = named({ dNSName: 'issuer.example' });
      expect(await told(chain, { claimed: undefined, wanted: true })).toBe(refused);
      expect(await told(chain, { claimed: 'urn:example:issuer', wanted: true })).toBe(refused);
    });

    test('K16 requireIssuerInSan is true or false', async () => {
      await expect(told(good, { claimed: iss, wanted: 'yes' })).rejects.toMatchObject({
        code: 'config_invalid',
        message: expect.stringMatching(/\.leaf\.requireIssuerInSan must be true or false/),
      });
    });
  });

  test('K10 no reason repeats the iss of the token', async () => {
    expect(JSON.stringify(await claiming('SECRET-VALUE', anchoredIn()))).not.toContain('SECRET');
    expect(JSON.stringify(await claiming('SECRET-VALUE', trustIn({ keys: { x5c } })))).not.toContain(
      'SECRET',
    );
  });
});

describe('K11 an anchor counts for the types of its own trust entry', () => {
  const university = certify({ subject: 'University', isCa: true });
  const diplomas = certify({ subject: 'Diplomas', issuer: university });
  const diploma = 'urn:example:diploma';
  const verifiers = createVerifiers(
    {
      'de-ausweis': { ...entry, iss, keys: { x5c } },
      university: { ...entry, iss, keys: { x5c: { anchors: [pemOf(university)] } }, vct: [diploma] },
    },
    { clock },
  );
  const at = async (issuer: string, chain: Parameters<typeof presentWith>[0], type: string) => {
    const verdict = await verifiers.get(issuer)?.(presentWith(chain, { payload: { vct: type } }), expected);
    return verdict && inShort(verdict);
  };

  test('K11 each of its own', async () => {
    expect(await at('de-ausweis', good, vct)).toBe('valid');
    expect(await at('university', [diplomas], diploma)).toBe('valid');
  });

  test('K11 a diploma CA signs no PID, and the other way round', async () => {
    expect(await at('de-ausweis', [diplomas], vct)).toBe('key_not_found K03');
    expect(await at('university', good, diploma)).toBe('key_not_found K03');
  });

  test('K11 a good chain does not help a type of another entry', async () => {
    expect(await at('university', [diplomas], vct)).toBe('presentation_invalid C02');
    expect(await at('de-ausweis', good, diploma)).toBe('presentation_invalid C02');
  });
});
