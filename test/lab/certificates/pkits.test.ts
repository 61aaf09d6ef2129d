import { expect, test } from '@jest/globals';
import { X509Certificate } from 'node:crypto';
import { anchorPem, cases, judgePath, type Named, policyOf } from '../../support/verify/pkits.js';
import { describeWithOpenssl, opensslVerify, type Path, version } from './openssl.js';

const anchor = new X509Certificate(anchorPem).raw;
const pathOf = (path: readonly Named[]) => [...path.map(({ x509 }) => x509.raw), anchor] as unknown as Path;

describeWithOpenssl("F109 what OpenSSL says of NIST's suite", () => {
  const verify = opensslVerify();

  /** What OpenSSL says against the paths that the kit accepts, and how many cases have one. */
  async function compare(policy?: string) {
    const options = policy === undefined ? [] : ['-policy_check', '-explicit_policy', '-policy', policy];
    const accepted = new Set<string>();
    const refused: string[] = [];
    for (const { name, paths } of cases) {
      for (const path of paths) {
        if ((await judgePath(path, policy)) !== 'accepted') continue;
        accepted.add(name);
        const said = await verify(pathOf(path), ...options);
        if (said.length > 0) refused.push(`${name}: ${said.map(({ why }) => why).join(', ')}`);
      }
    }
    console.log(
      `PKITS under ${policy ?? 'no policy'}: ${accepted.size} accepted, ${refused.length} not by ${version}`,
    );
    return { accepted: accepted.size, refused };
  }

  test('F109 every path that the kit accepts is accepted there', async () => {
    expect(await compare()).toEqual({ accepted: 98, refused: [] });
  });

  test('F105 every path that the kit accepts under a demanded policy is accepted there under it', async () => {
    expect(await compare(policyOf(1))).toEqual({ accepted: 95, refused: [] });
  });

  test('F129 a path that the kit refuses only for a demanded policy is refused there under it', async () => {
    const accepted: string[] = [];
    let refused = 0;
    for (const policy of [1, 2, 3].map(policyOf)) {
      for (const { name, paths } of cases) {
        for (const path of paths) {
          if ((await judgePath(path, policy)) !== 'K20') continue;
          refused += 1;
          const said = await verify(pathOf(path), '-policy_check', '-explicit_policy', '-policy', policy);
          if (said.length === 0) accepted.push(`${name} under ${policy}`);
        }
      }
    }
    // Its end entity has anyPolicy, which the kit does not take for the policy that an entry demands.
    expect(accepted).toEqual([`UserNoticeQualifierTest17 under ${policyOf(1)}`]);
    expect(refused).toBeGreaterThan(100);
  });
});
