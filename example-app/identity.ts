import { type IdentityOptions, identityVerification } from 'pidgate';
import { languageOf } from './language.js';
import { look } from './look.js';
import { isPerson, newMember } from './members.js';
import { account } from './questions/account.js';
import { age } from './questions/age.js';
import { door } from './questions/door.js';
import { erasure } from './questions/erasure.js';
import { vote } from './questions/vote.js';

/** The service, which is named in the environment otherwise; the store, its secret, and the clock. */
export type IdentitySettings = Pick<
  IdentityOptions,
  | 'baseUrl'
  | 'apiKey'
  | 'issuer'
  | 'variant'
  | 'trust'
  | 'allowSandbox'
  | 'appUrl'
  | 'store'
  | 'secret'
  | 'clock'
>;

export type Identity = ReturnType<typeof createIdentity>;

/** One factory, five questions: each says what to ask for, and what to keep. */
export function createIdentity(settings: IdentitySettings = {}, log: (line: string) => void = () => {}) {
  const identity = identityVerification({
    ...settings,
    ...account,
    questions: { age, vote, door, erasure },
    keepFor: '30d',
    pages: { ...look, locale: languageOf },

    // Who is logged in. What one person has proved is never shown to the next.
    subject: (req) => req.session.member?.id,

    onSuccess: async ({ req, result }) => {
      log(`verified: ${result.question}, receipt ${result.receipt.number}`);
      const now = settings.clock?.() ?? new Date();
      req.session.heldFor = now.getTime() - result.verifiedAt.getTime(); // for the demonstration
      const { member } = req.session;
      if (member !== undefined) {
        // An age does not say whose it is. The guard of the machines does not count it for a member.
        if (result.question === 'age' || isPerson(member, result.attributes)) return undefined;
        return { refuse: 'other_person', redirectTo: `/other-person/${result.question}` };
      }
      // Nobody is logged in. The membership opens a new account: somebody else may have the same name and birthday.
      if (result.question === 'default') {
        await identity.forget(req); // what was proved before was tied to no account
        req.session.member = newMember(result.receipt.id, result.attributes);
      }
      return undefined;
    },
    onError: ({ error, step, supportCode }) => {
      log(`not verified: ${error.code} (${step})${supportCode ? `, flow ${supportCode}` : ''}`);
    },
  });
  return identity;
}
