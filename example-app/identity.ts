import { type FlowStore, identityVerification } from 'pidgate';
import type { SandboxIdentityOptions } from 'pidgate/sandbox';
import { languageOf } from './language.js';
import { look } from './look.js';
import { account, openAccount, refuseOthers } from './questions/account.js';
import { age } from './questions/age.js';
import { resident } from './questions/resident.js';

export interface IdentitySettings {
  /** Which service to ask; what is left out is read from the environment. */
  readonly service?: Partial<SandboxIdentityOptions> | undefined;
  readonly store?: FlowStore | undefined;
  readonly clock?: (() => Date) | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export type Identity = ReturnType<typeof createIdentity>;

/** One factory, three questions: each says what is asked, and what is kept of the answer. */
export function createIdentity({ service, store, clock, log = () => {} }: IdentitySettings = {}) {
  return identityVerification({
    ...service,
    store,
    clock,
    ...account,
    requests: { age, resident },
    keepFor: '30d',
    pages: { ...look, locale: languageOf },
    errorRedirect: '/not-verified',

    // Who is logged in. What one person has proved is never shown to the next.
    subject: (req) => req.session.member?.number,

    onSuccess: ({ req, result }) => {
      log(`verified: ${result.request}, receipt ${result.receipt.id}`);
      if (result.request === 'default') return openAccount(req, result.receipt.id, result.attributes);
      if (result.request === 'resident') return refuseOthers(req.session.member, result.attributes);
      return undefined;
    },
    onError: ({ error, step }) => {
      log(`not verified: ${error.code} (${step})`);
    },
  });
}
