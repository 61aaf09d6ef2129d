import { ask } from 'pidgate';

/** Who may vote is a question of nationality. The service answers yes or no, and no one sees a list of nationalities. */
export const vote = ask({
  reveal: ['given_name', 'family_name'],
  derived: { nationality: 'DE' },
  keep: ({ derived }) => ({ mayVote: derived.nationality }),
  successRedirect: '/voting-card',
});
