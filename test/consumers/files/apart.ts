import type { Express } from 'express';
import { ask, identityVerification } from 'pidgate';
import type { IdentityOptions, IdentityVerification } from 'pidgate';

// Options that stand apart from the call, in every TypeScript: options-apart.test.ts compiles this.

const options: IdentityOptions = {
  reveal: ['given_name', 'birth_date'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  allow: (kept, req) => kept !== req.path,
  keepFor: '30d',
  subject: (req) => req.get('x-user'),
  onVerified: ({ result }) => console.log(result.attributes.birth_date),
  onSuccess: ({ req, result }) => console.log(req.path, result.receipt.id),
  onError: ({ error, step }) => console.warn(step, error.code),
};
const identity = identityVerification(options);

/** A function of the app that takes them. */
function mount(app: Express, given: IdentityOptions): IdentityVerification {
  const mounted = identityVerification(given);
  app.use('/identity', mounted);
  app.get('/club', mounted.require({ maxAge: '30d' }), (req, res) => {
    res.json(mounted.of(req)?.kept);
  });
  return mounted;
}

/** Some of them, and some more. */
const part: Partial<IdentityOptions> = { keepFor: '8h' };
const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: attributes.birth_date < '2000' }),
  allow: ({ adult }) => adult,
});
export const factories = (app: Express): readonly IdentityVerification[] => [
  identity,
  mount(app, options),
  mount(app, { reveal: ['given_name'] }),
  identityVerification({ ...options, ...part }),
  identityVerification({ ...options, questions: { age } }),
  // A specific factory is still any.
  identityVerification({ reveal: ['given_name'], keep: ({ attributes }) => attributes.given_name.length }),
  identityVerification({ questions: { age } }),
];

/** Options of which one knows the questions. */
const known: IdentityOptions<{ age: typeof age }, { order: number }> = {
  questions: { age },
  context: () => ({ order: 7 }),
  onSuccess: ({ result, context }) => console.log(result.attributes.birth_date, context.order),
};
export const adults = identityVerification(known).require({ question: 'age', allow: ({ adult }) => adult });
export const anyone = identity.require({ question: 'age', allow: (kept) => kept !== undefined });
