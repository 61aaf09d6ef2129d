import { checks } from '../../verify/checks.js';
import type { Decoded } from './decode.js';
import { masked } from './text.js';
import type { Verified } from './verify.js';

/** A check of one presentation. */
export interface CheckLine {
  readonly check: string;
  readonly state: 'passed' | 'failed' | 'not reached';
  readonly sentence: string;
}

/** What `pidgate inspect --json` prints. */
export interface InspectReport {
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
export function reportOf(decoded: Decoded, verified: Verified, showValues: boolean): InspectReport {
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
    checks: checkLinesOf(verified),
    verdict,
    ...(failed !== undefined && { check: failed }),
    ...(code !== undefined && { code }),
    ...(reason !== undefined && { reason }),
  };
}

/** Every check that can refuse: those that passed, in the order in which they did, the failed one, and the others. */
export function checkLinesOf({ passed, failed }: Pick<Verified, 'passed' | 'failed'>): readonly CheckLine[] {
  const sentences = new Map(
    Object.entries(checks).flatMap(([check, entry]) => (typeof entry === 'string' ? [[check, entry]] : [])),
  );
  const reached = [...passed].filter((check) => check !== failed);
  const inOrder = new Set([...reached, ...(failed === undefined ? [] : [failed]), ...sentences.keys()]);
  return [...inOrder].map((check, at) => {
    const state = check === failed ? 'failed' : at < reached.length ? 'passed' : 'not reached';
    return { check, state, sentence: sentences.get(check) ?? '' };
  });
}
