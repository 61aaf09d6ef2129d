import type { Request, Response } from 'express';
import { ask, identityVerification, isAtLeast } from '../../lib/index.js';
import type {
  AppRequest,
  Ask,
  IdentityVerification,
  KeptIdentity,
  PidAttributes,
  Result,
} from '../../lib/index.js';
import { same } from './equal.js';

// What the compiler says of typical mistakes is in test/consumers/files/mistakes.ts.

declare const req: Request;
declare const res: Response;

// A question is a value: what it reveals, derives and keeps is its type.
const age = ask({
  reveal: ['birth_date'],
  purpose: 'For your age.',
  keep: (result) => {
    same<typeof result.question, string>();
    same<typeof result.attributes, Readonly<Pick<PidAttributes, 'birth_date'>>>();
    // @ts-expect-error asked by another question
    void result.attributes.given_name;
    return { adult: isAtLeast(result.attributes.birth_date, 18) };
  },
  allow: (kept, asking) => {
    same<typeof kept, { adult: boolean }>();
    same<typeof asking, AppRequest>();
    return kept.adult;
  },
  keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
});
same<typeof age, Ask<'birth_date', never, { adult: boolean }>>();
const passport = ask({
  reveal: ['family_name', 'nationality'],
  derived: { nationality: 'DE' },
  // In either order: a duration says nothing about what is kept.
  keepFor: '1h',
  keep: ({ derived }) => {
    same<typeof derived.nationality, boolean>();
    return derived.nationality;
  },
});
const plain = ask({ reveal: ['family_name'], successRedirect: '/plain' });
same<typeof plain, Ask<'family_name', never, undefined>>();

const identity = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => attributes.given_name,
  questions: { age, passport, plain },
  // result.question tells the results apart.
  onSuccess: ({ result }) => {
    same<typeof result.question, 'default' | 'age' | 'passport' | 'plain'>();
    // @ts-expect-error which question it was is not known here
    void result.attributes.given_name;
    switch (result.question) {
      case 'default':
        same<typeof result, Result<'default', 'given_name', never>>();
        break;
      case 'age':
        same<typeof result.attributes.birth_date, string>();
        break;
      case 'passport':
        same<typeof result.attributes.nationality, string[]>();
        same<typeof result.derived.nationality, boolean>();
        break;
      case 'plain':
        // @ts-expect-error nothing derived was asked for
        void result.derived.nationality;
        break;
      // @ts-expect-error there is no such question
      case 'agee':
    }
  },
});

const byDefault = identity.of(req);
const keptAge = identity.of(req, { question: 'age' });
const keptPassport = identity.of(req, { question: 'passport' });
const keptPlain = identity.of(req, { question: 'plain' });
same<typeof byDefault, KeptIdentity<string> | undefined>();
same<typeof keptAge, KeptIdentity<{ adult: boolean }> | undefined>();
same<typeof keptPassport, KeptIdentity<boolean> | undefined>();
same<typeof keptPlain, KeptIdentity<undefined> | undefined>();

identity.require({ question: 'age', maxAge: '30d' });
identity.require({ question: 'default' });
identity.require({ maxAge: 60_000 });
// @ts-expect-error there is no such question
identity.require({ question: 'agee' });
// @ts-expect-error an unknown member
identity.require({ maxage: '30d' });
// @ts-expect-error not a duration
identity.require({ maxAge: '30 days' });
// @ts-expect-error there is no such question
identity.of(req, { question: 'agee' });

void identity.start(req, res, { question: 'age', returnTo: '/club', sameDevice: true });
// @ts-expect-error there is no such question
void identity.start(req, res, { question: 'agee' });
// @ts-expect-error an unknown member
void identity.start(req, res, { returnto: '/club' });

// @ts-expect-error a question asks for something
ask({ purpose: 'For your age.' });

// Without reveal at the top there is no default question.
const named = identityVerification({ questions: { age } });
same<typeof named, IdentityVerification<{ age: typeof age }, undefined>>();
named.require({ question: 'age' });
// @ts-expect-error there is no such question
named.require({ question: 'default' });

// The question is typed where it stands in another file, and fits every factory.
const anyQuestion = (question: Ask): readonly string[] => question.reveal;
void anyQuestion(age);
void anyQuestion(plain);

// The rule stands after keep, as keepFor.for does, in the flat form and in a question.
identityVerification({
  reveal: ['birth_date'],
  keep: async ({ verifiedAt }) => ({ at: verifiedAt }),
  allow: ({ at }) => {
    same<typeof at, string>();
    return at > '2026';
  },
  keepFor: { atMost: '30d', for: ({ at }) => (at > '2026' ? '30d' : '10m') },
});
ask({
  reveal: ['birth_date'],
  // @ts-expect-error keep must stand above
  allow: ({ adult }) => adult === true,
  // @ts-expect-error and nothing was to be kept
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
});
identityVerification({
  reveal: ['birth_date'],
  // @ts-expect-error keep must stand above
  allow: ({ adult }) => adult === true,
  // @ts-expect-error and nothing was to be kept
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
});
// @ts-expect-error nothing is kept
ask({ reveal: ['birth_date'], allow: ({ adult }) => adult === true });
// @ts-expect-error a rule is synchronous
ask({ reveal: ['birth_date'], keep: () => ({ adult: true }), allow: async ({ adult }) => adult });
// What it does not look at may be missing.
ask({ reveal: ['birth_date'], allow: (_kept, asking) => asking.method === 'GET' });
identity.of(req, { question: 'age', evenIfRefused: true });
// @ts-expect-error true or false
identity.of(req, { question: 'age', evenIfRefused: 'yes' });

// allow sees what this question keeps.
identity.require({ question: 'age', allow: (its) => its.adult });
identity.require({ question: 'passport', allow: (german, asking) => german && asking.method === 'GET' });
identity.require({ allow: (name) => name.length > 0 });
// @ts-expect-error another question keeps that
identity.require({ question: 'passport', allow: (its: { adult: boolean }) => its.adult });
