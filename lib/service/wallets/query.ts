import {
  asksForAges,
  type AttributeId,
  claimNames,
  claimPath,
  type ClaimPaths,
  withDateForAges,
} from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';

/** The one credential of a query, as an answer names it. */
export const credentialId = 'pid';

/** What a wallet is asked for (DCQL, OpenID4VP 1.0, section 6): all of it is what the trust entry accepts. */
export function queryOf({ vct, claims = {} }: SdJwtVcTrust, reveal: readonly AttributeId[]) {
  const sets = claimSets(reveal, claims);
  const hasChoice = sets.length > 1;
  const asked = [...new Set(sets.flat())].map((id) => ({
    ...(hasChoice && { id }),
    path: pathIn(claims, id),
  }));
  const meta = { vct_values: vct };
  const pid = { id: credentialId, format: 'dc+sd-jwt', meta, claims: asked };
  return { credentials: [{ ...pid, ...(hasChoice && { claim_sets: sets }) }] };
}

/**
 * The sets of attributes, of which a wallet shows the first that it has (section 6.4.1): the ages, or else the date of
 * birth.
 */
function claimSets(reveal: readonly AttributeId[], claims: ClaimPaths): (readonly AttributeId[])[] {
  const withDate = withDateForAges(reveal);
  return asksForAges(reveal, claims) ? [[...new Set(reveal)], withDate] : [withDate];
}

/** `null` stands for every element of a list: a wallet discloses each by itself. */
function pathIn(claims: ClaimPaths, id: AttributeId): readonly (string | null)[] {
  const names = claimPath(id, claims) ?? claimPath(id, claimNames) ?? [];
  return id === 'nationality' ? [...names, null] : names;
}

/** The formats and algorithms that the kit accepts. */
export function formatsOf({ algorithms = ['ES256'] }: SdJwtVcTrust) {
  return { 'dc+sd-jwt': { 'sd-jwt_alg_values': algorithms, 'kb-jwt_alg_values': algorithms } };
}
