import { ask, isAtLeast } from 'pidgate';

/** We ask for the date of birth and keep one boolean, which decides who gets in. A no counts for minutes: nobody is shut out on their birthday. */
export const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
  allow: ({ adult }) => adult,
  keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
  successRedirect: '/machines',
});
