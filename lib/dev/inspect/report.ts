import type { CheckLine } from './checks.js';
import type { Decoded } from './decode.js';
import { masked } from './text.js';
import type { Verified } from './verify.js';

/** What `pidgate inspect --json` prints. */
export interface Report {
  readonly presentation: Pick<Decoded, 'form' | 'characters' | 'sha256'>;
  readonly header: unknown;
  readonly certificates: Decoded['certificates'];
  readonly claims: unknown;
  readonly disclosures: readonly {
    readonly digest: string;
    readonly name?: string;
    readonly value: unknown;
  }[];
  readonly keyBinding: { readonly header: unknown; readonly claims: unknown } | undefined;
  readonly status: unknown;
  readonly checks: readonly CheckLine[];
  readonly verdict: Verified['verdict'];
  readonly check?: string;
  readonly code?: string;
  readonly reason?: string;
}

/** Members that name no person. */
const headerNames = ['alg', 'typ', 'kid'];
const claimNames = ['iss', 'vct', 'aud', 'iat', 'nbf', 'exp', '_sd_alg'];
const bindingNames = ['aud', 'iat', 'nbf', 'exp'];

/** Puts together what is shown, with every other value hidden unless all are shown. */
export function reportOf(
  decoded: Decoded,
  verified: Verified,
  checks: readonly CheckLine[],
  showValues: boolean,
): Report {
  const { form, characters, sha256, certificates, disclosures, keyBinding, status } = decoded;
  const shown = (value: unknown, open: readonly string[] = []) => (showValues ? value : masked(value, open));
  const { x5c: _, ...header } = decoded.header;
  const { verdict, failed, code, reason } = verified;
  return {
    presentation: { form, characters, sha256 },
    header: shown(header, headerNames),
    certificates,
    claims: shown(decoded.claims, claimNames),
    disclosures: disclosures.map(({ digest, name, value }) => ({
      digest,
      ...(name !== undefined && { name }),
      value: shown(value),
    })),
    keyBinding: keyBinding && {
      header: shown(keyBinding.header, headerNames),
      claims: shown(keyBinding.claims, bindingNames),
    },
    status: status && shown(status, ['uri']),
    checks,
    verdict,
    ...(failed !== undefined && { check: failed }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
  };
}
