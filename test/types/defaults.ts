import type { Request } from 'express';
import { ask, identityVerification } from '../../lib/index.js';
import type {
  Ask,
  AttributeId,
  IdentityOptions,
  IdentityVerification,
  KeptIdentity,
  RequireOptions,
  Result,
  StartOptions,
  VerificationResult,
} from '../../lib/index.js';
import { same } from './equal.js';

declare const req: Request;
declare const computed: AttributeId;

/** Options that are put together before the call, as in a module of their own. */
const options: IdentityOptions = {
  reveal: ['given_name'],
  derived: { nationality: 'DE' },
  keep: ({ attributes, derived }) => {
    same<typeof attributes.given_name, string | undefined>();
    same<typeof derived.nationality, boolean | undefined>();
    return attributes.given_name;
  },
  allow: (kept, its) => {
    same<typeof kept, unknown>();
    return its.path !== kept;
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
  return result.attributes.given_name ?? result.question;
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
  const named = identity.of(req, { question: 'age' });
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
    questions: { age: ask({ reveal: ['birth_date'], keep: () => true }) },
    context: (_req: Request) => ({ order: 7 }),
  }),
);

identityVerification({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ born: attributes.birth_date }),
  questions: { age: ask({ reveal: ['birth_date'], keep: () => true }) },
  onSuccess: ({ result }) => void tell(result),
});

// A bare VerificationResult is that of any question, not of the default one alone.
const any = (result: VerificationResult): string | undefined => {
  same<typeof result.question, string>();
  return tell(result);
};
// So is a bare Ask any question, whatever it reveals and keeps.
const questions: readonly Ask[] = [
  ask({ reveal: ['birth_date'], keep: ({ attributes }) => attributes.birth_date }),
  ask({ reveal: ['given_name'], derived: { nationality: 'DE' }, keep: ({ derived }) => derived }),
  ask({ reveal: [computed] }),
];
const asked: RequireOptions = { maxAge: '30d' };
const overrides: StartOptions = { returnTo: '/club' };
void [any, asked, overrides, questions];

// Options of which one knows the questions.
const age = ask({ reveal: ['birth_date'], keep: () => ({ adult: true }), allow: ({ adult }) => adult });
const known: IdentityOptions<{ age: typeof age }, { order: number }> = {
  questions: { age },
  onSuccess: ({ result, context }) => {
    same<typeof result, Result<'age', 'birth_date', never>>();
    same<typeof context, { order: number }>();
  },
};
const flat = ask({ reveal: ['birth_date'], keep: () => ({ adult: true }) });
const ruled: IdentityOptions<{ default: typeof flat }> = {
  reveal: ['birth_date'],
  allow: (kept) => {
    same<typeof kept, { adult: boolean }>();
    return kept.adult;
  },
};
void [known, ruled];
