import { type FlowStore, type KeptIdentity, identityVerification, isAtLeast } from 'pidgate';
import type { SandboxIdentityOptions } from 'pidgate/sandbox';
import { accountOf } from './people.js';

/** Which service to ask; what is left out is read from the environment. */
export type Service = Partial<SandboxIdentityOptions>;

/** What stays in the session after a verification. */
export interface Member {
  readonly name: string;
  readonly adult: boolean;
}

export type KeptMember = KeptIdentity<Member>;

/** What we ask, why, and what we keep of it. */
export function createIdentity(
  service: Service = {},
  store?: FlowStore,
  log: (line: string) => void = () => {},
) {
  return identityVerification({
    ...service,
    store,
    pages: { name: 'Drehmoment', accent: '#9a3f0c' },
    purpose: 'We lend machines to adults only, and only in their own name. Please show us once who you are.',
    reveal: ['given_name', 'family_name', 'birth_date'],
    keep: ({ attributes }): Member => ({
      name: `${attributes.given_name} ${attributes.family_name}`,
      adult: isAtLeast(attributes.birth_date, 18),
    }),
    keepFor: '30d',
    successRedirect: '/verified',
    errorRedirect: '/not-verified',

    requests: {
      abroad: {
        purpose:
          'Our insurance for trips abroad asks one question, yes or no. Your name tells us that it is you.',
        reveal: ['given_name', 'family_name'],
        derived: { nationality: 'DE' },
        keep: ({ derived }) => ({ insured: derived.nationality }),
        successRedirect: '/abroad',
      },
    },

    // Who is logged in. What one person has proved is never shown to the next.
    subject: (req) => req.session.person,

    // The proved name must be the account's name. Who is not logged in yet, is now.
    onSuccess: ({ req, result: { attributes, receipt } }) => {
      const proved = accountOf(`${attributes.given_name} ${attributes.family_name}`);
      if (proved === undefined || proved !== (req.session.person ?? proved)) {
        return { refuse: 'other_person', redirectTo: '/not-verified?error=other_person' };
      }
      req.session.person = proved;
      log(`verified: receipt ${receipt.id}`);
      return undefined;
    },
    onError: ({ error, step }) => {
      log(`not verified: ${error.code} (${step})`);
    },
  });
}
