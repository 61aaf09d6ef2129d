import { ask } from 'pidgate';

/** One yes or no is asked for, and kept: it decides who gets in. A no counts for minutes: nobody is shut out on their birthday. */
export const age = ask({
  reveal: ['age_over_18'],
  keep: ({ attributes }) => ({ adult: attributes.age_over_18 }),
  allow: ({ adult }) => adult,
  keepFor: { atMost: '30d', for: ({ adult }) => (adult ? '30d' : '10m') },
  successRedirect: '/machines',
});
