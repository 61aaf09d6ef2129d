import type { Request, Response } from 'express';
import { identityVerification, isAtLeast } from '../../lib/index.js';
import type { KeptIdentity } from '../../lib/index.js';
import { same } from './equal.js';

declare const req: Request;
declare const res: Response;

const identity = identityVerification({
  reveal: ['given_name'],
  keep: ({ attributes }) => attributes.given_name,
  requests: {
    age: {
      reveal: ['birth_date'],
      purpose: 'For your age.',
      keep: (result) => {
        same<typeof result.request, 'age'>();
        same<typeof result.attributes, Readonly<{ birth_date: string }>>();
        // @ts-expect-error asked only without a name
        void result.attributes.given_name;
        return { adult: isAtLeast(result.attributes.birth_date, 18) };
      },
    },
    passport: {
      reveal: ['family_name', 'nationality'],
      derived: { nationality: 'DE' },
      keep: ({ derived }) => {
        same<typeof derived, Readonly<{ nationality: boolean }>>();
        return derived.nationality;
      },
    },
    plain: { reveal: ['family_name'], successRedirect: '/plain' },
  },
  // result.request tells the results apart.
  onSuccess: ({ result }) => {
    same<typeof result.request, 'default' | 'age' | 'passport' | 'plain'>();
    // @ts-expect-error which request it was is not known here
    void result.attributes.given_name;
    switch (result.request) {
      case 'default':
        same<typeof result.attributes, Readonly<{ given_name: string }>>();
        break;
      case 'age':
        same<typeof result.attributes, Readonly<{ birth_date: string }>>();
        break;
      case 'passport':
        same<typeof result.attributes, Readonly<{ family_name: string; nationality: string[] }>>();
        same<typeof result.derived.nationality, boolean>();
        break;
      case 'plain':
        same<typeof result.derived, Readonly<{}>>();
        break;
      // @ts-expect-error there is no such request
      case 'agee':
    }
  },
});

const byDefault = identity.of(req);
const age = identity.of(req, { request: 'age' });
const passport = identity.of(req, { request: 'passport' });
const plain = identity.of(req, { request: 'plain' });
same<typeof byDefault, KeptIdentity<string> | undefined>();
same<typeof age, KeptIdentity<{ adult: boolean }> | undefined>();
same<typeof passport, KeptIdentity<boolean> | undefined>();
same<typeof plain, KeptIdentity<undefined> | undefined>();

identity.require({ request: 'age', maxAge: '30d' });
identity.require({ request: 'default' });
identity.require({ maxAge: 60_000 });
// @ts-expect-error there is no such request
identity.require({ request: 'agee' });
// @ts-expect-error an unknown member
identity.require({ maxage: '30d' });
// @ts-expect-error not a duration
identity.require({ maxAge: '30 days' });
// @ts-expect-error there is no such request
identity.of(req, { request: 'agee' });

void identity.start(req, res, { request: 'age', returnTo: '/club', sameDevice: true });
// @ts-expect-error there is no such request
void identity.start(req, res, { request: 'agee' });
// @ts-expect-error an unknown member
void identity.start(req, res, { returnto: '/club' });

identityVerification({
  reveal: ['given_name'],
  // @ts-expect-error an unknown attribute in a named request
  requests: { age: { reveal: ['birthdate'] } },
});
identityVerification({
  reveal: ['given_name'],
  requests: {
    // @ts-expect-error a named request needs a list of its own
    age: { purpose: 'For your age.' },
  },
});

// allow sees what this request keeps.
identity.require({ request: 'age', allow: (its) => its.adult });
identity.require({ request: 'passport', allow: (german, asking) => german && asking.method === 'GET' });
identity.require({ allow: (name) => name.length > 0 });
// @ts-expect-error another request keeps that
identity.require({ request: 'passport', allow: (its: { adult: boolean }) => its.adult });
// @ts-expect-error no Promise
identity.require({ allow: async (name) => await Promise.resolve(name.length > 0) });
