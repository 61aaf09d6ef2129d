import { expect, test } from '@jest/globals';
import { nightly, seed } from '../../support/seed.js';
import { anchoredIn, caOf, checkChain, signerBelow } from '../../support/verify/chains.js';
import { type Authority, extension, pemOf, policies } from '../../support/verify/certificates.js';
import { newKeyPair } from '../../support/verify/issuer.js';
import { chanceOf } from '../../support/verify/odd-certificates.js';
import { describeWithOpenssl, opensslVerify, version } from './openssl.js';

const count = nightly ? 6_000 : 200;
const longest = nightly ? 15 * 60_000 : 3 * 60_000;
const [one, two, three, any] = ['1.2.3.1', '1.2.3.2', '1.2.3.3', '2.5.29.32.0'] as const;

/** What stands in a certificate: `none` without the extension. */
type Stated = readonly string[] | 'none';

/** Where the kit answers otherwise than OpenSSL does under `-explicit_policy`: nothing else may. */
const documented = {
  'refuses: a leaf has the policies that it names, not any': ([leaf]: readonly Stated[]) =>
    leaf !== 'none' && leaf?.includes(any) === true,
};

describeWithOpenssl(`policies along paths (SEED=${seed})`, () => {
  const verify = opensslVerify('-policy_check', '-explicit_policy');
  const { below, pick } = chanceOf(seed);
  const keys = newKeyPair();

  const stated = (): Stated => {
    if (below(4) === 0) return 'none';
    const some = [one, two, three, any].filter((policy) => below(policy === any ? 5 : 2) === 0);
    return some.length === 0 ? [pick([one, two, three])] : some;
  };
  const more = (policy: Stated) => (policy === 'none' ? {} : { more: [policies(...policy)] });

  /** A path whose certificates state these policies, the leaf first and the anchor last. */
  function pathOf(path: readonly Stated[]): readonly Authority[] {
    const [leaf = 'none', ...cas] = path;
    const chain: Authority[] = [];
    for (const [at, policy] of cas.toReversed().entries()) {
      chain.unshift(caOf(`CA ${at}`, { keys, ...(chain[0] && { issuer: chain[0] }), ...more(policy) }));
    }
    const [issuer] = chain;
    return issuer === undefined ? [] : [signerBelow(issuer, more(leaf)), ...chain];
  }

  test(
    'F105, F129 the kit and OpenSSL agree on each, but where it is documented',
    async () => {
      const seen = new Map<string, number>();
      const note = (what: string) => seen.set(what, (seen.get(what) ?? 0) + 1);
      const differences: string[] = [];
      const until = Date.now() + longest;
      let played = 0;
      for (; played < count && Date.now() < until; played += 1) {
        const plan = Array.from({ length: 3 + below(3) }, stated);
        const demanded = below(3) === 0 ? [one, two] : [one];
        const path = pathOf(plan);
        const anchor = path.slice(-1);
        const x5c = { anchors: [pemOf(...anchor)], leaf: { policies: demanded } };
        const here = await checkChain(path.slice(0, -1), anchoredIn(anchor, { keys: { x5c } }));
        const flags = demanded.flatMap((policy) => ['-policy', policy]);
        const ders = path.map(({ der }) => der) as [Buffer, ...Buffer[]];
        const there = (await verify(ders, ...flags)).map(({ why }) => why);
        const [accepted, acceptedThere] = [here === 'valid', there.length === 0];
        if (accepted === acceptedThere) {
          note(accepted ? 'accepted by both' : `refused by both (${here}, ${there.join()})`);
          continue;
        }
        const said = accepted ? 'accepts' : 'refuses';
        const [reason] =
          Object.entries(documented).find(([what, holds]) => what.startsWith(said) && holds(plan)) ?? [];
        if (reason === undefined)
          differences.push(`${said}: ${JSON.stringify(plan)}, demanded ${demanded.join()}`);
        else note(reason);
      }
      const counts = [...seen].map(([what, times]) => `\n  ${times} ${what}`);
      console.log(`${played} paths with policies, SEED=${seed}, ${version}:${counts.join('')}`);
      expect(differences).toEqual([]);
    },
    longest + 60_000,
  );

  test.each([
    ['2.5.29.33', '300c300a06032a030106032a0302'],
    ['2.5.29.36', '3003800100'],
    ['2.5.29.54', '020100'],
  ])('F105 the extension %s is refused in a CA, whatever OpenSSL makes of it', async (id, value) => {
    for (const critical of [true, false]) {
      const root = caOf('Root', { keys });
      const ca = caOf('CA', { keys, issuer: root, more: [policies(one), extension(id, value, critical)] });
      const chain = [signerBelow(ca, { more: [policies(one)] }), ca];
      expect(await checkChain(chain, anchoredIn([root]))).toBe('K08');
    }
  });
});
