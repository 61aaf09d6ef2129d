import { ask, isAtLeast } from 'pidgate';

/** We ask for the date of birth and keep one boolean. */
export const age = ask({
  reveal: ['birth_date'],
  keep: ({ attributes }) => ({ adult: isAtLeast(attributes.birth_date, 18) }),
  successRedirect: '/machines',
});
