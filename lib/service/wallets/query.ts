import { claimNames, type AttributeId } from '../../types/attributes.js';
import type { SdJwtVcTrust } from '../../types/trust.js';

/** The one credential of a query, as an answer names it. */
export const credentialId = 'pid';

/** What a wallet is asked for (DCQL, OpenID4VP 1.0, section 6): all of it is what the trust entry accepts. */
export function queryOf({ vct, claims = {} }: SdJwtVcTrust, reveal: readonly AttributeId[]) {
  const paths = reveal.map((id) => ({ path: pathOf(id, claims[id] ?? claimNames[id]) }));
  return {
    credentials: [{ id: credentialId, format: 'dc+sd-jwt', meta: { vct_values: vct }, claims: paths }],
  };
}

/** `null` stands for every element of a list: a wallet discloses each by itself. */
const pathOf = (id: AttributeId, names: readonly string[]): readonly (string | null)[] =>
  id === 'nationality' ? [...names, null] : names;

/** The formats and algorithms that the kit accepts. */
export function formatsOf({ algorithms = ['ES256'] }: SdJwtVcTrust) {
  return { 'dc+sd-jwt': { 'sd-jwt_alg_values': algorithms, 'kb-jwt_alg_values': algorithms } };
}
