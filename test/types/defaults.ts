import type { Request } from 'express';
import { identityVerification } from '../../lib/index.js';
import type {
  AnyResult,
  IdentityOptions,
  IdentityVerification,
  KeptIdentity,
  RequireOptions,
  Result,
  StartOverrides,
} from '../../lib/index.js';
import { same } from './equal.js';

declare const req: Request;

/** Options that are put together before the call, as in a module of their own. */
const options: IdentityOptions = {
  reveal: ['given_name'],
  derived: { nationality: 'DE' },
  keep: ({ attributes, derived }) => {
    same<typeof attributes.given_name, string | undefined>();
    same<typeof derived.nationality, boolean | undefined>();
    return attributes.given_name;
  },
  context: () => ({ order: 7 }),
  onSuccess: ({ req: its, result, context }) => {
    tell(result);
    same<typeof context, unknown>();
    void its.path;
  },
};

function tell(result: Result): string | undefined {
  // @ts-expect-error it may not have been asked for
  void result.attributes.given_name.length;
  return result.attributes.given_name ?? String(result.request);
}

/** A function of the app that takes any factory. */
function guarded(identity: IdentityVerification): unknown {
  identity.require({
    maxAge: '8h',
    allow: (kept) => {
      same<typeof kept, unknown>();
      return kept !== undefined;
    },
  });
  const named = identity.of(req, { request: 'age' });
  same<NonNullable<typeof named>['kept'], unknown>();
  const found: KeptIdentity | undefined = identity.of(req);
  same<NonNullable<typeof found>['kept'], unknown>();
  return found?.kept;
}

guarded(identityVerification(options));
guarded(identityVerification({ reveal: ['given_name'] }));
guarded(
  identityVerification({
    reveal: ['given_name'],
    keep: ({ attributes }) => attributes.given_name,
    requests: { age: { reveal: ['birth_date'], keep: () => true } },
    context: (_req: Request) => ({ order: 7 }),
  }),
);

identityVerification({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ born: attributes.birth_date }),
  requests: { age: { reveal: ['birth_date'], keep: () => true } },
  onSuccess: ({ result }) => void tell(result),
});

const any = (result: AnyResult): string | undefined => tell(result);
const asked: RequireOptions = { maxAge: '30d' };
const overrides: StartOverrides = { returnTo: '/club' };
void [any, asked, overrides];
