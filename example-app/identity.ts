import { type IdentityOptions, identityVerification } from 'pidgate';
import { languageOf } from './language.js';
import { look } from './look.js';
import { account, openAccount, refuseOthers } from './questions/account.js';
import { age } from './questions/age.js';
import { door } from './questions/door.js';
import { erasure } from './questions/erasure.js';
import { vote } from './questions/vote.js';

/** The service, which is named in the environment otherwise; the store, and the clock. */
export type IdentitySettings = Pick<
  IdentityOptions,
  'baseUrl' | 'apiKey' | 'issuer' | 'variant' | 'trust' | 'allowSandbox' | 'appUrl' | 'store' | 'clock'
>;

export type Identity = ReturnType<typeof createIdentity>;

/** One factory, five questions: each says what to request, and what to keep. */
export function createIdentity(settings: IdentitySettings = {}, log: (line: string) => void = () => {}) {
  return identityVerification({
    ...settings,
    ...account,
    requests: { age, vote, door, erasure },
    keepFor: '30d',
    pages: { ...look, locale: languageOf },
    errorRedirect: '/not-verified',

    // Who is logged in. What one person has proved is never shown to the next.
    subject: (req) => req.session.member?.id,

    onSuccess: ({ req, result }) => {
      log(`verified: ${result.request}, receipt ${result.receipt.id}`);
      if (result.request === 'default') return openAccount(req, result.receipt.id, result.attributes);
      if (result.request === 'age') return undefined;
      if (result.request === 'erasure' && req.session.member === undefined) return undefined;
      return refuseOthers(req.session.member, result.attributes);
    },
    onError: ({ error, step }) => {
      log(`not verified: ${error.code} (${step})`);
    },
  });
}
