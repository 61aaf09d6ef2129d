import { ask, identityVerification, isAtLeast, sdJwtVc } from 'pidgate';
import type { AppRequest } from 'pidgate';

// What an editor shows and what the compiler says, read by words.mjs: `hover` is the whole text of the name that
// follows, `error` is in the first error of the next line, which has at most three lines (or so many).

declare const req: AppRequest;

// hover age: const age: Ask<"birth_date", never, { adult: boolean; }>
export const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
  // hover adult: (parameter) adult: boolean
  allow: ({ adult }) => adult,
});
// hover name: const name: Ask<"given_name", never, undefined>
export const name = ask({ reveal: ['given_name'] });

// hover identity: const identity: IdentityVerification<{ age: Ask<"birth_date", never, { adult: boolean; }>; }, undefined>
export const identity = identityVerification({
  questions: { age },
  // hover result: (parameter) result: Result<"age", "birth_date", never>
  onSuccess: ({ result }) => console.log(result.attributes.birth_date),
});
// hover flat: const flat: IdentityVerification<{ default: Ask<"given_name" | "birth_date", never, { name: string; }>; }, undefined>
export const flat = identityVerification({
  reveal: ['given_name', 'birth_date'],
  keep: ({ attributes }) => ({ name: attributes.given_name }),
  // hover result: (parameter) result: Result<"default", "given_name" | "birth_date", never>
  onSuccess: ({ result }) => console.log(result.attributes.birth_date),
});
export const both = identityVerification({
  reveal: ['given_name'],
  questions: { age, name },
  onSuccess: ({ result }) => {
    // hover result: (parameter) result: Result<"age", "birth_date", never> | Result<"default", "given_name", never> | Result<"name", "given_name", never>
    console.log(result.question);
    if (result.question === 'age') {
      // hover result: (parameter) result: Result<"age", "birth_date", never>
      console.log(result.attributes.birth_date);
    }
    // error: Property 'birth_date' does not exist
    if (result.question === 'name') console.log(result.attributes.birth_date);
  },
});

// A mistyped attribute.
// error: Did you mean '"given_name"'?
identityVerification({ reveal: ['givn_name'], keep: ({ attributes }) => ({ name: attributes }) });
// An age with more than its years.
// error: Did you mean '"age_over_18"'?
identityVerification({ reveal: ['age_over_18years'] });
// An age by another name.
// error: Type '"over_18"' is not assignable to type
identityVerification({ reveal: ['over_18'] });
// An age that is not asked for.
// error: Property 'birth_date' does not exist on type 'Readonly<Pick<AttributeValues, "age_over_18">>'
ask({ reveal: ['age_over_18'], keep: ({ attributes }) => attributes.birth_date });
// A mistyped option.
// error: Did you mean to write 'keepFor'?
identityVerification({ reveal: ['given_name'], keepfor: '8h' });
// A mistyped attribute of a question.
// error: Did you mean '"birth_date"'?
ask({ reveal: ['birth_dat'] });
// A mistyped member of a question.
// error: 'purposes' does not exist in type 'Question<readonly ["birth_date"], {}, undefined>'. Did you mean to write 'purpose'?
ask({ reveal: ['birth_date'], purposes: 'To let you in.' });
// A question that ask has not made.
// error: Property '[madeByAsk]' is missing
identityVerification({ questions: { age: { reveal: ['birth_date'] } } });
// The name of a question that there is not.
// error: Type '"aeg"' is not assignable to type '"age"'
identity.require({ question: 'aeg' });
// allow, where nothing is kept.
// error: Property 'adult' does not exist on type 'KeepIsMissing'
both.require({ question: 'name', allow: ({ adult }) => adult === true });
// error: Property 'adult' does not exist on type 'KeepIsMissing'
both.require({ question: 'name', allow: (kept) => kept.adult === true });
// The rule, or how long it counts, above keep or without it.
// error(5): Property 'adult' does not exist on type 'KeepMustStandAbove'
ask({
  reveal: ['birth_date'],
  allow: ({ adult }) => adult,
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
});
// error(5): Property 'adult' does not exist on type 'KeepMustStandAbove'
identityVerification({
  reveal: ['birth_date'],
  allow: ({ adult }) => adult,
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
});
// error(5): Property 'adult' does not exist on type 'KeepMustStandAbove'
ask({
  reveal: ['birth_date'],
  keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
});
// error: Property 'adult' does not exist on type 'KeepMustStandAbove'
ask({ reveal: ['birth_date'], allow: ({ adult }) => adult });
// A hook's answer with another name.
// error(5): is not assignable to type 'OnlyRedirectToOrRefuse'
identityVerification({ reveal: ['given_name'], onSuccess: () => ({ redirect: '/welcome' }) });
// An attribute that was not asked for.
// error: Property 'birth_date' does not exist on type 'Readonly<Pick<AttributeValues, "given_name">>'
identityVerification({
  reveal: ['given_name'],
  onSuccess: ({ result }) => console.log(result.attributes.birth_date),
});
// A trust entry with two mistakes: the first is told against its own format.
// error: Type '"state"' is not assignable to type '"state-sha256" | ((expected: Expected) => string | Promise<string>) | undefined'
sdJwtVc({
  keys: { jwksUri: 'https://a.example' },
  vtc: ['urn:eudi:pid:1'],
  keyBinding: { nonce: 'state', audience: 'x' },
});
// No question is named, and none stands at the top.
// error: Property 'question' is missing
identity.require({ maxAge: '30d' });
// error: Expected 1 arguments, but got 0.
identity.require();
// error: Expected 2 arguments, but got 1.
identity.of(req);
// No question at all.
// error: Property 'questions' is missing
identityVerification({});
// allow answers later.
// error: Type 'Promise<boolean>' is not assignable to type 'boolean'
identity.require({ question: 'age', allow: async ({ adult }) => adult });
// No duration.
// error: Type '"8 hours"' is not assignable to type 'Duration | KeepFor<KeepMustStandAbove> | undefined'
identityVerification({ reveal: ['given_name'], keepFor: '8 hours' });
