import { type FlowStore, identityVerification } from 'pidgate';
import type { SandboxIdentityOptions } from 'pidgate/sandbox';
import { languageOf } from './language.js';
import { look } from './look.js';
import { account, openAccount, refuseOthers } from './questions/account.js';
import { age } from './questions/age.js';
import { door } from './questions/door.js';
import { erasure } from './questions/erasure.js';
import { vote } from './questions/vote.js';

export interface IdentitySettings {
  /** The service; missing members are read from the environment. */
  readonly service?: Partial<SandboxIdentityOptions> | undefined;
  readonly store?: FlowStore | undefined;
  readonly clock?: (() => Date) | undefined;
  readonly log?: ((line: string) => void) | undefined;
}

export type Identity = ReturnType<typeof createIdentity>;

/** One factory, five questions: each says what to request, and what to keep. */
export function createIdentity({ service, store, clock, log = () => {} }: IdentitySettings = {}) {
  return identityVerification({
    ...service,
    store,
    clock,
    ...account,
    requests: { age, vote, door, erasure },
    keepFor: '30d',
    pages: { ...look, locale: languageOf },
    errorRedirect: '/not-verified',

    // Who is logged in. What one person has proved is never shown to the next.
    subject: (req) => req.session.member?.number,

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
