import { describe, expect, test } from '@jest/globals';
import { deep } from '../../support/deep.js';
import { all, cases, judgeCase, policyOf } from '../../support/verify/pkits.js';

const names = (text: string): string[] => text.split(/\s+/).filter(Boolean);

/**
 * Bad cases that are accepted, by the one kind of reason that there may be: revocation lists are not looked up, and it is
 * a revocation list that makes them bad. SECURITY.md says so.
 */
const revocation = {
  'the certificate or its CA is on a list': names(`InvalidRevokedCATest2 InvalidRevokedEETest3
    InvalidLongSerialNumberTest18 InvalidNegativeSerialNumberTest15`),
  'there is no list, or one of somebody else': names(`InvalidMissingCRLTest1 InvalidWrongCRLTest6
    InvalidBadCRLIssuerNameTest5`),
  'the list is badly signed, out of date, or has an unknown critical extension':
    names(`InvalidBadCRLSignatureTest4
    InvalidOldCRLnextUpdateTest11 Invalidpre2000CRLnextUpdateTest12 InvalidUnknownCRLEntryExtensionTest8
    InvalidUnknownCRLExtensionTest9 InvalidUnknownCRLExtensionTest10`),
  'the key of the list may not sign lists, or is on a list itself':
    names(`InvalidkeyUsageCriticalcRLSignFalseTest4
    InvalidkeyUsageNotCriticalcRLSignFalseTest5 InvalidBasicSelfIssuedCRLSigningKeyTest7
    InvalidBasicSelfIssuedNewWithOldTest5 InvalidBasicSelfIssuedOldWithNewTest2
    InvalidSeparateCertificateandCRLKeysTest20 InvalidSeparateCertificateandCRLKeysTest21`),
  'the list covers other certificates, or some reasons only': names(`InvaliddistributionPointTest2
    InvaliddistributionPointTest3 InvaliddistributionPointTest6 InvaliddistributionPointTest8
    InvaliddistributionPointTest9 InvalidonlyContainsAttributeCertsTest14 InvalidonlyContainsCACertsTest12
    InvalidonlySomeReasonsTest15 InvalidonlySomeReasonsTest16 InvalidonlySomeReasonsTest17
    InvalidonlySomeReasonsTest20 InvalidonlySomeReasonsTest21`),
  'the list is indirect, or a delta': names(`InvalidIDPwithindirectCRLTest23 InvalidIDPwithindirectCRLTest26
    InvalidcRLIssuerTest27 InvalidcRLIssuerTest31 InvalidcRLIssuerTest32 InvalidcRLIssuerTest34
    InvalidcRLIssuerTest35 InvaliddeltaCRLIndicatorNoBaseTest1 InvaliddeltaCRLTest3 InvaliddeltaCRLTest4
    InvaliddeltaCRLTest6 InvaliddeltaCRLTest9 InvaliddeltaCRLTest10`),
};

/** Good cases that are refused, by the documented reason: its check, and what it refuses whole. */
const stricter = {
  'K08 name constraints': names(`ValidDNSnameConstraintsTest30 ValidDNSnameConstraintsTest32
    ValidDNandRFC822nameConstraintsTest27 ValidDNnameConstraintsTest1 ValidDNnameConstraintsTest4
    ValidDNnameConstraintsTest5 ValidDNnameConstraintsTest6 ValidDNnameConstraintsTest11 ValidDNnameConstraintsTest14
    ValidDNnameConstraintsTest18 ValidDNnameConstraintsTest19 ValidRFC822nameConstraintsTest21
    ValidRFC822nameConstraintsTest23 ValidRFC822nameConstraintsTest25 ValidURInameConstraintsTest34
    ValidURInameConstraintsTest36`),
  'K08 policy constraints, policy mappings, inhibitAnyPolicy':
    names(`ValidPolicyMappingTest1 ValidPolicyMappingTest3
    ValidPolicyMappingTest5 ValidPolicyMappingTest6 ValidPolicyMappingTest9 ValidPolicyMappingTest11
    ValidPolicyMappingTest12 ValidPolicyMappingTest13 ValidPolicyMappingTest14 ValidSelfIssuedinhibitAnyPolicyTest7
    ValidSelfIssuedinhibitAnyPolicyTest9 ValidSelfIssuedinhibitPolicyMappingTest7
    ValidSelfIssuedrequireExplicitPolicyTest6 ValidinhibitAnyPolicyTest2 ValidinhibitPolicyMappingTest2
    ValidinhibitPolicyMappingTest4 ValidrequireExplicitPolicyTest1 ValidrequireExplicitPolicyTest2
    ValidrequireExplicitPolicyTest4`),
  'K07 an end entity that is a CA': names(`ValidonlyContainsCACertsTest13 ValidpathLenConstraintTest8
    ValidpathLenConstraintTest14`),
  'K07 a CA that certified a new key of its own counts in the path length':
    names(`ValidSelfIssuedpathLenConstraintTest15
    ValidSelfIssuedpathLenConstraintTest17`),
  'K08 DSA': names('ValidDSASignaturesTest4'),
  'K01 DSA whose parameters are in the certificate of the CA': names('ValidDSAParameterInheritanceTest5'),
};

/** What is good or bad by the policy that is demanded: where none is, these are accepted and the others K08. */
const withoutConstraints =
  names(`AllCertificatesNoPoliciesTest2 CPSPointerQualifierTest20 DifferentPoliciesTest3
  UserNoticeQualifierTest15 UserNoticeQualifierTest16 UserNoticeQualifierTest17 UserNoticeQualifierTest19`);

const accepted = /^accepted$/;

/** What the suite expects of a case, but for the differences that have a reason. */
function verdictOn(name: string): RegExp {
  if (Object.values(revocation).flat().includes(name)) return accepted;
  const [reason] = Object.entries(stricter).find(([, those]) => those.includes(name)) ?? [];
  if (reason !== undefined) return new RegExp(`\\b${reason.slice(0, 3)}\\b`);
  if (name.startsWith('Valid')) return accepted;
  if (name.startsWith('Invalid')) return /^K0\d( K0\d)*$/;
  return withoutConstraints.includes(name) ? accepted : /^K08$/;
}

describe("F109 NIST's suite for paths of certificates, each case by every path that could be meant", () => {
  test('F109 there are 405 certificates and 223 cases, and each reason names cases of the suite', () => {
    const known = cases.map(({ name }) => name);
    expect([all.length, cases.length, new Set(known).size]).toEqual([405, 223, 223]);
    const named = [revocation, stricter].flatMap((reasons) => Object.values(reasons).flat());
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
    expect([Object.values(revocation).flat().length, Object.values(stricter).flat().length]).toEqual([
      45, 42,
    ]);
  });

  test.each(cases.map((one) => [one.name, one] as const))('F109 %s', async (name, one) => {
    expect(await judgeCase(one)).toMatch(verdictOn(name));
  });

  /** `openssl verify -policy_check -explicit_policy` agrees with each: test/lab/certificates. */
  const withoutP1 = names('AllCertificatesNoPoliciesTest2 DifferentPoliciesTest3 UserNoticeQualifierTest17');
  deep.test(
    'F109 K20 of these, under a demanded policy, only those are accepted whose path has the first',
    async () => {
      const usual: string[] = [];
      const under: string[] = [];
      for (const one of cases) {
        if ((await judgeCase(one)) !== 'accepted') continue;
        usual.push(one.name);
        for (let number = 1; number <= 6; number += 1) {
          if ((await judgeCase(one, policyOf(number))) === 'accepted') under.push(`P${number} ${one.name}`);
        }
      }
      const first = usual.filter((name) => !withoutP1.includes(name));
      expect(under).toEqual(first.map((name) => `P1 ${name}`));
      expect([usual.length, under.length]).toEqual([98, 95]);
    },
  );
});
