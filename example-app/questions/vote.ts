import { ask } from 'pidgate';

/**
 * Who may vote is a question of nationality. The service answers yes or no, and no one sees a list of nationalities. A no
 * counts for minutes: nobody who becomes a citizen is shut out.
 */
export const vote = ask({
  reveal: ['given_name', 'family_name', 'birth_date'],
  derived: { nationality: 'DE' },
  keep: ({ derived }) => ({ mayVote: derived.nationality }),
  keepFor: { atMost: '30d', for: ({ mayVote }) => (mayVote ? '30d' : '10m') },
  successRedirect: '/voting-card',
});
