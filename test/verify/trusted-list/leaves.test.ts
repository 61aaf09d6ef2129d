import { describe, expect, test } from '@jest/globals';
import { type Authority, type CertificatePlan, alternativeNames } from '../../support/verify/certificates.js';
import { certify, extension } from '../../support/verify/certificates.js';
import { anchoredIn, caOf, explainChain, root } from '../../support/verify/chains.js';
import { signedWith, signerBelow } from '../../support/verify/chains.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import { type ServicePlan, day, entitiesOf, judgeUnder } from '../../support/verify/lists.js';
import { judgeUnderStatus, signed, startProcess, trusting, types } from '../../support/verify/lists.js';
import { judgeEach, refuse } from '../../support/verify/verdicts.js';

/** The Norwegian CA, which no list names, and its certificate for PIDs: qualified, and critically so. */
const ca = caOf('Qualified CA');
const qualified = (critical: boolean) => extension('1.3.6.1.5.5.7.1.3', '300a3008060604008e460101', critical);
const plan = { subject: 'PID-utsteder', issuer: ca, more: [qualified(true)] };
const like = (change: Partial<CertificatePlan>) => certify({ ...plan, ...change });
const utsteder = certify(plan);
const stranger = /^key_not_found K03 /;

/** What becomes of a presentation below this chain under a list with these services. */
const listing = async (
  services: readonly ServicePlan[],
  chain: readonly Authority[],
  x5c: object = {},
  entry: object = {},
) => await judgeUnder(await signed({ entities: [{ services }] }), trusting({}, x5c, entry), chain);
const naming = (
  certificates: readonly Authority[],
  ...rest: [chain: readonly Authority[], x5c?: object, entry?: object]
) => listing([{ certificates }], ...rest);
/** The same of a presentation by the one certificate that the list names. */
const own = (certificate: Authority, x5c: object = {}, entry: object = {}) =>
  naming([certificate], [certificate], x5c, entry);

describe('F80 an end entity that the list names signs PIDs itself', () => {
  const strong = like({ keys: newKeyPair('ES384') });
  const selfSigned = like({ issuer: undefined });
  const haip = { profile: 'haip-1.0' };
  judgeEach(own, {
    'F80 qualified': ['valid', utsteder],
    'F80 not qualified': ['valid', like({ more: [] })],
    'F80 qualified, but not critically': ['valid', like({ more: [qualified(false)] })],
    'F80 with P-384, where the entry takes ES384': ['valid', strong, {}, { algorithms: ['ES256', 'ES384'] }],
    'F80 with P-384, where it does not': [/^H01 /, strong],
    'F80 under HAIP too': ['valid', utsteder, {}, haip],
    'F80 under HAIP one that signed itself is refused': ['K05 x5c[0] is self-signed.', selfSigned, {}, haip],
    'F80 one that signed itself': ['valid', selfSigned],
  });
  judgeEach(naming, { 'F80 with any CA in the list': ['valid', [root, utsteder], [utsteder]] });
});

describe('F80 it counts as that exact leaf', () => {
  const below = certify({ subject: 'Below', issuer: utsteder });
  test.each<[what: string, chain: readonly Authority[]]>([
    ['another certificate of the same name and key', [like({ keys: utsteder.keys })]],
    ['another certificate of its CA', [like({ more: [] })]],
    ['the same name with another key', [like({})]],
    ['one below it', [below]],
    ['one below it, with it', [below, utsteder]],
    ['itself with its CA', [utsteder, ca]],
    ['itself twice', [utsteder, utsteder]],
  ])('F80 not as %s', async (_, chain) => {
    expect(await naming([utsteder], chain)).toMatch(stranger);
    expect(await naming([root, utsteder], chain)).toMatch(stranger);
  });

  const signing = like({ keyUsage: ['digitalSignature', 'keyCertSign'] });
  const belowSigning = certify({ subject: 'Below', issuer: signing });
  judgeEach(naming, {
    'F80 even if it may sign certificates': ['valid', [signing], [signing]],
    'F80 its name and key make no anchor of it': [stranger, [signing], [belowSigning]],
    'F80 nor does it where it was sent': [stranger, [signing], [belowSigning, signing]],
  });
  const forOther = (type: string) =>
    listing([{ certificates: [root] }, { type: types + type, certificates: [utsteder] }], [utsteder]);
  judgeEach(forOther, {
    'F80 for PID issuance alone, not for revocation': [stranger, 'PID/Revocation'],
    'F80 for PID issuance alone, not for relying parties': [stranger, 'WRPAC/Issuance'],
  });

  test('F80 for credentials alone: it signs no status list', async () => {
    const list = await signed({ entities: entitiesOf(root, utsteder) });
    const { issuer: signer, header } = signedWith([utsteder]);
    expect(await judgeUnder(list, trusting(), [utsteder])).toBe('valid');
    expect(await judgeUnderStatus(list, { signer, header }, [utsteder])).toMatch(
      /^credential_status_unavailable K03 /,
    );
  });

  test('F80 no longer than the list names it', async () => {
    const { judge, publish, wait } = startProcess();
    publish(await signed({ entities: entitiesOf(root, utsteder) }));
    expect(await judge([utsteder])).toBe('valid');
    publish(await signed({ sequence: 8, entities: entitiesOf(root) }));
    wait(day);
    // Nobody waits for a newer list while one counts, but for a chain that it does not know.
    expect(await judge([like({ subject: 'unknown' })])).toMatch(stranger);
    expect(await judge([utsteder])).toMatch(stranger);
  });
});

describe('F80 the rules for leaves hold for it', () => {
  const limited = extension('1.2.3.4', '0500', true);
  const subject = (CN: string) => ({ leaf: { subject: { CN } } });
  const inSan = { leaf: { requireIssuerInSan: true } };
  const named = like({ more: [qualified(true), alternativeNames({ dNSName: 'issuer.example' })] });
  judgeEach(own, {
    'F80 refused as expired': ['K06 x5c[0] expired 1 second ago.', like({ notAfter: -1 })],
    'F80 refused as not valid yet': [/^K06 x5c\[0\] is not valid yet /, like({ notBefore: 1 })],
    'F80 of a relying party': [/^K18 x5c\[0\] is for a relying/, like({ purposes: ['1.0.18013.5.1.6'] })],
    'F80 refused for code': [/^K18 x5c\[0\] is not for signing/, like({ purposes: ['1.3.6.1.5.5.7.3.3'] })],
    'F80 refused without a name': [/^K10 /, like({ subject: '' })],
    'F80 K20 the subject, where the entry asks for it': ['valid', utsteder, subject('PID-utsteder')],
    'F80 K20 another subject, where the entry asks for it': [/^K20 /, utsteder, subject('Another')],
    'F80 K10 the name, where the entry asks for it': ['valid', named, inSan],
    'F80 K10 no name, where the entry asks for it': [/^K10 /, utsteder, inSan],
  });

  const passedOver = 'L15 no entity in it that counts has a certificate that issues PIDs.';
  const check = (change: Partial<CertificatePlan>) => {
    const leaf = like(change);
    return naming([leaf], [{ ...leaf, keys: newKeyPair() }]);
  };
  judgeEach(check, {
    'F80 L15 one that may not sign is passed over': [passedOver, { keyUsage: ['keyAgreement'] }],
    'F80 L15 one that has no key usage is passed over': [passedOver, { keyUsage: 'absent' }],
    'F80 L15 a critical extension is passed over': [passedOver, { more: [qualified(true), limited] }],
    'F80 L15 a weak key is passed over': [passedOver, { keys: newKeyPair('EdDSA'), signedBy: ca.keys }],
  });

  const below = signerBelow(ca);
  const more = [qualified(true)];
  const between = caOf('Between', { issuer: root, more });
  judgeEach(explainChain, {
    'F80 K08 not below an anchor': [/^K08 x5c\[0\] has an extension/, [utsteder], anchoredIn([ca])],
    'F80 K08 not in a CA': [/^K08 x5c\[1\] has an extension/, [signerBelow(between), between]],
  });
  judgeEach(naming, {
    'F80 K08 not below a CA of the list': [/^K08 x5c\[0\] has an extension/, [ca], [utsteder]],
    'F80 K08 one without it is': ['valid', [ca], [below]],
  });
  refuse('F80 K08 nor in an anchor', () => explainChain([below], anchoredIn([caOf('Anchor', { more })])));
});
