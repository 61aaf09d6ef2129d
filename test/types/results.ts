import type { Request } from 'express';
import { identityVerification } from '../../lib/index.js';
import type {
  AppRequest,
  AttributeId,
  KeptIdentity,
  Receipt,
  Result,
  SdJwtVcTrust,
  Verifier,
} from '../../lib/index.js';
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

// An age is a yes or a no, and a result has no date beside it.
const adults = identityVerification({
  reveal: ['age_over_18', 'age_over_1', 'age_over_150'],
  keep: ({ attributes }) => {
    same<typeof attributes.age_over_18, boolean>();
    // @ts-expect-error another age
    void attributes.age_over_21;
    // @ts-expect-error birth_date was not asked for
    void attributes.birth_date;
    return { adult: attributes.age_over_18 };
  },
});
const grown = adults.of(req);
same<typeof grown, KeptIdentity<{ adult: boolean }> | undefined>();

type Both = Result<'default', 'age_over_18' | 'birth_date'>['attributes'];
same<Both, Readonly<{ age_over_18: boolean; birth_date: string }>>();
same<Result['attributes']['age_over_18'], boolean | undefined>();

const ids: readonly AttributeId[] = [
  'age_over_9',
  'age_over_10',
  'age_over_99',
  'age_over_100',
  'age_over_149',
];
void ids;
// @ts-expect-error from one year
identityVerification({ reveal: ['age_over_0'] });
// @ts-expect-error to 150 years
identityVerification({ reveal: ['age_over_151'] });
// @ts-expect-error as people write a number
identityVerification({ reveal: ['age_over_1e3'] });
// @ts-expect-error as people write a number
identityVerification({ reveal: ['age_over_018'] });
// @ts-expect-error years alone
identityVerification({ reveal: ['age_over_18years'] });
// @ts-expect-error by its whole name
identityVerification({ reveal: ['over_18'] });
// @ts-expect-error no wallet tells an age
identityVerification({ reveal: ['age'] });

/** A verifier of an app may return the age, or the date. */
export const verifiers: readonly Verifier[] = [
  async () => await Promise.resolve({ valid: true, attributes: { age_over_18: true }, derived: {} }),
  async () => await Promise.resolve({ valid: true, attributes: { birth_date: '1964-08-12' }, derived: {} }),
];
/** Where the ages of an issuer are. */
export const entries: Partial<SdJwtVcTrust>[] = [
  { claims: { age_over: ['ages'] } },
  { claims: { age_over: false } },
  // @ts-expect-error a path of names
  { claims: { age_over: true } },
];
