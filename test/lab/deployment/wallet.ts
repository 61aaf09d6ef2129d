import type { Trust } from '../../../lib/types/trust.js';
import { nonceOf } from '../../../lib/service/receipt.js';
import { audience, erika, issuerKeys, mint, nowSeconds, vct } from '../../support/verify/issuer.js';

/** Believes the issuer of these tests. */
export const trust: Trust = {
  'xx-test': {
    format: 'sd-jwt-vc',
    keys: { jwks: { keys: [issuerKeys.jwk] } },
    vct: [vct],
    keyBinding: { nonce: 'state-sha256', audience },
  },
};

const day = 24 * 60 * 60;

/**
 * What Erika Mustermann's wallet signs now for this flow, or that of another person who is made up like her; the
 * credential is a day old.
 */
export function present(state: string, person: Readonly<Record<string, unknown>> = erika): string {
  return mint({
    sd: person,
    payload: { iat: nowSeconds - day },
    binding: { payload: { nonce: nonceOf(state), iat: nowSeconds } },
  });
}
