import { expect, test } from '@jest/globals';
import { IdentityError } from '../../../lib/index.js';
import { nightly, seed } from '../../support/seed.js';
import { iss, mint, nonceOf } from '../../support/verify/issuer.js';
import { chanceOf, keys, oddCertificates, type Role } from '../../support/verify/odd-certificates.js';
import { inShort, judge, state, trustIn } from '../../support/verify/verdicts.js';
import { describeWithOpenssl, opensslVerify, pemOf, version } from './openssl.js';

const count = nightly ? 12_000 : 600;
const longest = nightly ? 20 * 60_000 : 3 * 60_000;

/** What `openssl verify -x509_strict` says against certificates that the kit accepts: where, and why it is no way in. */
const harmless: Readonly<Record<string, readonly [depths: readonly number[], why: string]>> = {
  'Missing Authority Key Identifier': [
    [0, 1, 2],
    'names and signatures chain; where it is there, it is compared',
  ],
  'Missing Subject Key Identifier': [
    [0, 1, 2],
    'names and signatures chain; where it is there, it is compared',
  ],
  'Using cert extension requires at least X509v3': [[0, 1, 2], 'extensions count whatever the version says'],
  'Basic Constraints of CA cert not marked critical': [[1, 2], 'they are read all the same'],
  'Key usage keyCertSign invalid for non-CA cert': [[0], 'only a CA by its basic constraints issues'],
  'invalid CA certificate': [[0], 'a leaf with such a key usage is no CA, and issues nothing'],
  'Empty Subject Alternative Name extension': [[0], 'it names nobody'],
  'CA cert does not include key usage extension': [[2], 'old anchors have none, which forbids nothing'],
  'cert info signature and signature algorithm mismatch': [[2], 'an anchor is a name and a key'],
};

describeWithOpenssl(`certificates with something odd in them that their CA signed (SEED=${seed})`, () => {
  const verify = opensslVerify('-x509_strict');

  /** `valid`, or the check that refuses a presentation with this path. */
  async function verdictOn({ leaf, ca, root }: Readonly<Record<Role, Buffer>>): Promise<string> {
    const trust = trustIn({ keys: { x5c: { anchors: [pemOf(root)] } }, iss });
    const header = { x5c: [leaf, ca].map((der) => der.toString('base64')) };
    const token = mint({ issuer: keys.leaf, header, binding: { payload: { nonce: nonceOf(state) } } });
    try {
      return inShort(await judge(token, trust));
    } catch (error) {
      if (error instanceof IdentityError) return error.code;
      throw error;
    }
  }

  test(
    'F105, F108 what the kit accepts is accepted there, but for what is harmless',
    async () => {
      const chance = chanceOf(seed);
      const certificate = oddCertificates(chance);
      const verdicts = new Map<string, number>();
      const differences: string[] = [];
      const until = Date.now() + longest;
      let played = 0;
      for (; played < count && Date.now() < until; played += 1) {
        const odd = chance.pick(['leaf', 'leaf', 'leaf', 'ca', 'ca', 'root'] as const);
        const made: Record<Role, Buffer> = { leaf: Buffer.of(), ca: Buffer.of(), root: Buffer.of() };
        for (const role of ['leaf', 'ca', 'root'] as const) made[role] = certificate(role, role === odd);
        const verdict = await verdictOn(made);
        verdicts.set(verdict, (verdicts.get(verdict) ?? 0) + 1);
        if (verdict !== 'valid' && verdict !== 'K02') continue;
        const said = await verify([made.leaf, made.ca, made.root]);
        const open = said.filter(({ depth, why }) => harmless[why]?.[0].includes(depth) !== true);
        const hex = `the odd ${odd} is ${made[odd].toString('hex')}`;
        differences.push(...open.map(({ depth, why }) => `${why} (depth ${depth}); ${hex}`));
      }
      const counts = [...verdicts]
        .toSorted(([, a], [, b]) => b - a)
        .map(([check, times]) => `${check} ${times}`);
      console.log(`${played} odd certificates, SEED=${seed}, ${version}: ${counts.join(', ')}`);
      expect(differences).toEqual([]);
    },
    longest + 60_000,
  );
});
