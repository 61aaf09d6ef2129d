import type { Request } from 'express';
import { identityVerification } from '../../lib/index.js';
import type { AppRequest, KeptIdentity, Receipt, Result } from '../../lib/index.js';
import { same } from './equal.js';

declare const req: Request;

// What is asked for is what a result has.
export const one = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => {
    same<typeof attributes.given_name, string>();
    // @ts-expect-error birth_date was not asked for
    return { name: attributes.given_name, born: attributes.birth_date as unknown };
  },
  onSuccess: ({ result, context }) => {
    same<typeof result.attributes.given_name, string>();
    same<typeof result, Result<'default', 'given_name', never>>();
    same<typeof result.verifiedAt, Date>();
    same<typeof result.receipt, Receipt>();
    same<typeof context, undefined>();
    // @ts-expect-error nothing derived was asked for
    void result.derived.nationality;
  },
});

export const all = identityVerification({
  reveal: ['family_name', 'given_name', 'birth_date', 'nationality'],
  derived: { nationality: 'DE' },
  onVerified({ result, signal }) {
    same<typeof result.attributes.birth_date, string>();
    same<typeof result.attributes.nationality, string[]>();
    same<typeof result.derived.nationality, boolean>();
    same<typeof signal, AbortSignal>();
  },
});

// @ts-expect-error an unknown derived attribute
identityVerification({ reveal: ['given_name'], derived: { age: '18' } });
// @ts-expect-error an unknown limit
identityVerification({ reveal: ['given_name'], limits: { hookTimout: '3s' } });
// @ts-expect-error appUrl is never a function
identityVerification({ reveal: ['given_name'], appUrl: () => 'https://shop.example' });

// Undefined is absent.
identityVerification({ reveal: ['given_name'], apiKey: undefined, limits: { hookTimeout: undefined } });

// What keep answers is what of() tells.
const nothing = identityVerification({ reveal: ['given_name'] }).of(req);
same<typeof nothing, KeptIdentity<undefined> | undefined>();

const kept = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
});
const identity = kept.of(req);
same<typeof identity, KeptIdentity<{ name: string }> | undefined>();
// @ts-expect-error not kept
void identity?.kept.birth_date;
// @ts-expect-error there may be no identity
void kept.of(req).kept;
// @ts-expect-error no question has a name here
kept.of(req, { question: 'age' });
// @ts-expect-error no question has a name here
kept.require({ question: 'age' });

// A session stores JSON: a Date comes back as a text, and a promise as what it brought.
const dated = identityVerification({
  reveal: ['given_name'],
  keep: async ({ verifiedAt, receipt }) => ({
    at: verifiedAt,
    receipt,
    tags: ['a', 1] as const,
    left: undefined,
  }),
});
const found = dated.of(req);
same<
  NonNullable<typeof found>['kept'],
  { at: string; receipt: Receipt; tags: readonly ['a', 1]; left: undefined }
>();

// The hooks of a return have the request; those of a callback do not.
identityVerification({
  reveal: ['given_name'],
  confirm: 'return',
  onSuccess: ({ req: seen }) => {
    same<typeof seen, AppRequest>();
  },
});
identityVerification({
  reveal: ['given_name'],
  confirm: 'callback',
  // @ts-expect-error nobody's request: the service's callback
  onSuccess: ({ req: seen }) => void seen,
});
identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error not in the callback
  onVerified: ({ req: seen }) => void seen,
});
