import { describe, expect, test } from '@jest/globals';
import { type AlternativeName, type Authority } from '../../support/verify/certificates.js';
import { type CertificatePlan, alternativeNames, policies } from '../../support/verify/certificates.js';
import { pemOf } from '../../support/verify/certificates.js';
import { anchoredIn, caOf, checkChain, explainChain, good } from '../../support/verify/chains.js';
import { presentWith, root, signerBelow, trustX5c, withLeaf } from '../../support/verify/chains.js';
import { clock, iss, vct } from '../../support/verify/issuer.js';
import { entry, expected, inShort, judge, judgeEach, judgeValues } from '../../support/verify/verdicts.js';
import { given, refuseEach } from '../../support/verify/verdicts.js';
import { createVerifiers } from '../../../lib/verify/verify-presentation.js';

const withPolicies = (...identifiers: readonly string[]) => ({ more: [policies(...identifiers)] });
const noPolicy = 'K20 x5c[0] has none of the certificate policies that the trust entry names.';

const nobody = 'K10 x5c[0] does not have the iss of the credential among its alternative names.';

describe('K20 what else the leaf must have', () => {
  const explain = (change: Partial<CertificatePlan>, rules?: object) =>
    explainChain(withLeaf(change), rules ? trustX5c({ leaf: rules }) : anchoredIn());
  const wanted = { policies: ['1.2.3.1', '1.2.3.2'] };
  const organization = '2.5.4.97';
  const one = { names: [[organization, 'NTRDE-1']] as const };
  const two = { names: [...one.names, [organization, 'NTRDE-2']] as const };
  const subject = (names: object) => ({ subject: names });
  const registered = { organizationIdentifier: 'NTRDE-1' };
  const another = 'K20 The subject of x5c[0] is not the one in the trust entry.';
  const purposes = { purposes: ['1.2.3', '1.2.4'] };
  const notSigning = 'K18 x5c[0] is not for signing credentials (extended key usage).';

  judgeEach(explain, {
    'K20 one of the policies': ['valid', withPolicies('1.2.3.2'), wanted],
    'K20 one of the policies, beside another': ['valid', withPolicies('1.9', '1.2.3.1'), wanted],
    'K20 the beginning of a policy': [noPolicy, withPolicies('1.2.3'), wanted],
    'K20 any policy': [noPolicy, withPolicies('2.5.29.32.0'), wanted],
    'K20 no policy': [noPolicy, {}, wanted],
    'K20 the subject CN': ['valid', one, subject({ CN: 'PID Issuer' })],
    'K20 the subject CN, O and C': ['valid', one, subject({ CN: 'PID Issuer', O: 'Example', C: 'DE' })],
    'K20 the subject CN and organization': ['valid', one, subject({ ...registered, CN: 'PID Issuer' })],
    'K20 the subject in another case': [another, one, subject({ CN: 'PID issuer' })],
    'K20 the subject of another country': [another, one, subject({ CN: 'PID Issuer', C: 'FR' })],
    'K20 the subject without OU': [another, one, subject({ OU: 'Example' })],
    'K20 the subject without serialNumber': [another, one, subject({ serialNumber: '1' })],
    'K20 the subject of another organization': [another, one, subject({ organizationIdentifier: 'NTRDE-2' })],
    'K20 a part of the subject, there twice': [another, two, subject(registered)],
    'K18 a purpose that the entry names': ['valid', { purposes: ['1.2.3'] }, purposes],
    'K18 a purpose that the entry names, beside another': ['valid', { purposes: ['1.9', '1.2.4'] }, purposes],
    'K18 the purposes that the entry names, and a leaf without any': ['valid', {}, purposes],
    'K18 a purpose that it does not name': [notSigning, { purposes: ['1.0.18013.5.1.2'] }, purposes],
    'K18 a purpose below one that the entry names': [notSigning, { purposes: ['1.2.3.4'] }, purposes],
    'K20 leaf: {} asks for nothing': ['valid', {}, {}],
    'K20 leaf: undefined asks for nothing': ['valid', {}],
  });

  const relyingParty = /\.purposes has one of a relying party or TLS/;
  const wrong: [leaf: unknown, message: RegExp][] = [
    [[], /\.x5c\.leaf must be an object/],
    [{ purpose: ['1.2.3'] }, /Unknown option purpose of .*\.x5c\.leaf\. Did you mean purposes/],
    [{ purposes: [] }, /\.leaf\.purposes must be a list/],
    [{ purposes: ['documents'] }, /\.leaf\.purposes must be object identifiers/],
    [{ purposes: ['1.2.3', '01.2'] }, /\.leaf\.purposes must be object identifiers/],
    [{ purposes: ['1.2.3', '1.0.18013.5.1.6'] }, relyingParty],
    [{ purposes: ['1.3.6.1.5.5.7.3.2'] }, relyingParty],
    [{ policies: '1.2.3' }, /\.leaf\.policies must be a list/],
    [{ policies: ['1.2.3.'] }, /\.leaf\.policies must be object identifiers/],
    [{ subject: 'CN=PID Issuer' }, /\.leaf\.subject must be an object/],
    [{ subject: { cn: 'PID Issuer' } }, /Unknown option cn of .*\.leaf\.subject/],
    [{ subject: {} }, /\.leaf\.subject must have at least one of CN, O,/],
    [{ subject: { CN: '' } }, /\.leaf\.subject\.CN must be a non-empty string/],
    [{ requireIssuerInSan: 'yes' }, /\.leaf\.requireIssuerInSan must be true or false/],
  ];
  refuseEach(
    'K16 leaf: %j is refused at construction',
    wrong.map(([rules, message]) => [rules, rules, message]),
    (rules) => checkChain(good, trustX5c({ leaf: rules })),
  );
});

describe('K20, F105 a policy of the leaf counts where every CA that has policies certifies it', () => {
  const [one, two, other, any] = ['1.2.3.1', '1.2.3.2', '1.2.3.9', '2.5.29.32.0'] as const;
  const trust = trustX5c({ leaf: { policies: [one, two] } });
  const below = (at: number) => noPolicy.replace('x5c[0] has', `x5c[${at}] certifies`);
  type Policies = readonly string[] | 'none';

  /** A leaf, below it its CA and the CA of that, each with its policies. */
  const explain = async (...path: readonly [leaf: Policies, ca: Policies, above: Policies]) => {
    const [leaf, ca, above] = path.map((policies) => (policies === 'none' ? {} : withPolicies(...policies)));
    const upper = caOf('Upper CA', { issuer: root, ...above });
    const lower = caOf('Lower CA', { issuer: upper, ...ca });
    return await explainChain([signerBelow(lower, leaf), lower, upper], trust);
  };

  judgeEach(explain, {
    'K20, F105 its CA certifies another policy': [below(1), [one], [other], 'none'],
    'K20, F105 the CA of its CA certifies another policy': [below(2), [one], [one], [other]],
    'K20, F105 its CA certifies the other one that the entry names': [below(1), [one], [two], 'none'],
    'K20, F105 no policy is certified all the way': [below(2), [one, two], [one], [two]],
    'K20, F105 one policy is certified all the way': ['valid', [one, two], [other, one, two], [two]],
    'K20, F105 a CA certifies the beginning of the policy': [below(1), [one], ['1.2.3'], 'none'],
    'K20, F105 a CA certifies any policy': ['valid', [one], [any], [one]],
    'K20, F105 a CA certifies any policy, and names another': ['valid', [one], [other, any], [any]],
    'K20, F105 a CA without policies leaves it to its issuer': ['valid', [one], 'none', [one]],
    'K20, F105 and no policy comes back above it': [below(2), [one], 'none', [other]],
    'K20, F105 no CA has policies': ['valid', [one], 'none', 'none'],
    'K20, F105 a list of no policies': [below(1), [one], [], 'none'],
    'K20, F105 the leaf alone lacks it': [noPolicy, [other], [one], [one]],
  });

  test('K20, F105 the policies of the anchor do not count', async () => {
    const anchor = caOf('Anchor', withPolicies(other));
    const entry = { keys: { x5c: { anchors: [pemOf(anchor)], leaf: { policies: [one] } } } };
    expect(await explainChain([signerBelow(anchor, withPolicies(one))], anchoredIn([anchor], entry))).toBe(
      'valid',
    );
  });
});

describe('K10 the issuer is the subject of the leaf', () => {
  const unnamed = trustX5c({}, { iss: undefined });
  const [one, two] = [anchoredIn(), trustX5c({}, { iss: ['https://other.example', iss] })];
  const claim = (claimed: unknown, trust = one) =>
    judge(presentWith(good, { payload: { iss: claimed } }), trust);
  const others = ['https://third.example', `${iss}/`, [iss], null, 7];

  judgeValues('K10 the iss must be allowed, not %j', others, 'K10', async (iss) => inShort(await claim(iss)));
  judgeValues('K10 an iss must be one that the trust entry allows, not %j', others, 'K10', async (claimed) =>
    inShort(await claim(claimed, two)),
  );
  judgeEach(async (...input: Parameters<typeof claim>) => inShort(await claim(...input)), {
    'K10 the iss that the trust entry allows': ['valid', iss, one],
    'K10 one of several that it allows': ['valid', iss, two],
    'K10 where none is allowed there must be none': ['valid', undefined, unnamed],
    'K10 where none is allowed there is one': ['K10', iss, unnamed],
    'K10 where none is allowed there is null': ['K10', null, unnamed],
    'C09 a configured iss must be there, as with any other mechanism': ['C09', undefined],
  });

  test('K10 the reason names what is allowed, and never repeats the iss of the token', async () => {
    expect(await claim('https://third.example', two)).toMatchObject({
      reason: expect.stringMatching(/allowed is https:\/\/other\.example, https:\/\/issuer\.example\.$/),
    });
    for (const trust of [one, unnamed]) {
      expect(JSON.stringify(await claim('SECRET-VALUE', trust))).not.toContain('SECRET');
    }
  });

  const more = [alternativeNames({ dNSName: 'issuer.example' })];
  judgeEach(checkChain, {
    'K10 a leaf without any name': ['K10', withLeaf({ subject: '' })],
    'K10 a leaf with an alternative name alone': ['valid', withLeaf({ subject: '', more })],
    'K10 names of leaf and iss need not be alike': ['valid', withLeaf({ subject: 'Bundesdruckerei' })],
  });
});

describe('K10 where the entry asks for it, an alternative name of the leaf', () => {
  const urn = 'urn:example:issuer';
  const explain = (claimed: unknown, wanted: unknown, ...names: readonly AlternativeName[]) => {
    const chain = names.length > 0 ? withLeaf({ more: [alternativeNames(...names)] }) : good;
    const trust = trustX5c({ leaf: given({ requireIssuerInSan: wanted }) }, { iss: [iss, urn] });
    return judge(presentWith(chain, { payload: { iss: claimed } }), trust);
  };
  const explainIn = async (...input: Parameters<typeof explain>) => {
    const verdict = await explain(...input);
    return verdict.valid ? 'valid' : `${verdict.check ?? ''} ${verdict.reason}`;
  };
  const other = { dNSName: 'other.example' };
  const dns = { dNSName: 'issuer.example' };

  judgeEach(explainIn, {
    'K10 has iss as its URI': ['valid', iss, true, { uniformResourceIdentifier: iss }],
    'K10 has the host of iss as a DNS name': ['valid', iss, true, other, { dNSName: 'Issuer.Example' }],
    'K10 has an iss without host as its URI': ['valid', urn, true, { uniformResourceIdentifier: urn }],
    'K10 is there': [nobody, iss, true],
    'K10 is there, and so is iss': [nobody, undefined, true, dns],
    'K10 is that of the iss': [nobody, urn, true, dns],
  });

  test.each<[what: string, name: AlternativeName]>([
    ['another host', other],
    ['another URI of the same host', { uniformResourceIdentifier: `${iss}/` }],
    ['a wildcard', { dNSName: '*.example' }],
    ['the host as a mailbox', { rfc822Name: 'issuer.example' }],
  ])('K10 is not %s', async (_, name) => {
    expect(await explainIn(iss, true, name)).toBe(nobody);
    expect(await explainIn(iss, false, name)).toBe('valid');
    expect(await explainIn(iss, undefined, name)).toBe('valid');
  });

  /** Each name that the host ends with, each that ends with it, and each that it begins with. */
  const host = 'issuer.example';
  const parts = Array.from(host, (_, at) => [host.slice(at), host.slice(0, at)]).flat();
  const near = new Set([...parts, `${host}.`, `.${host}`, `www.${host}`, `x${host}`, `${host}x`, '*', '*.*']);
  near.delete(host);
  judgeValues('F85 K10 nor a domain nearby: %j', [...near], nobody, (dNSName) =>
    explainIn(iss, true, { dNSName }),
  );
});

describe('K11 an anchor counts for the types of its own trust entry', () => {
  const university = caOf('University');
  const diplomas: Authority[] = [signerBelow(university, { subject: 'Diplomas' })];
  const diploma = 'urn:example:diploma';
  const trust = {
    ...anchoredIn(),
    university: { ...entry, iss, keys: { x5c: { anchors: [pemOf(university)] } }, vct: [diploma] },
  };
  const verifiers = createVerifiers(trust, { clock });
  const at = async (issuer: string, chain: readonly Authority[], type: string) => {
    const verdict = await verifiers.get(issuer)?.(presentWith(chain, { payload: { vct: type } }), expected);
    return verdict === undefined ? '' : inShort(verdict);
  };

  judgeEach(at, {
    'K11 each of its own: PID': ['valid', 'de-ausweis', good, vct],
    'K11 each of its own: diploma': ['valid', 'university', diplomas, diploma],
    'K11 a diploma CA signs no PID': ['key_not_found K03', 'de-ausweis', diplomas, vct],
    'K11 a PID CA signs no diploma': ['key_not_found K03', 'university', good, diploma],
    'K11 a good chain does not help a type of another entry': ['C02', 'university', diplomas, vct],
    'K11 a good chain does not help a diploma in the entry for PIDs': ['C02', 'de-ausweis', good, diploma],
  });
});
