import { ask } from 'pidgate';

/** A no counts for minutes: nobody who becomes a citizen is shut out. */
const common = {
  keepFor: { atMost: '30d', for: ({ mayVote }: { mayVote: boolean }) => (mayVote ? '30d' : '10m') },
  successRedirect: '/voting-card',
} as const;

/**
 * Who may vote is a question of nationality. A service answers yes or no, and no one sees a list of nationalities. A wallet
 * answers no questions: asked by this app itself it shows the list, of which the answer is kept.
 */
export const vote =
  process.env['IDENTITY_ACCESS_CERTIFICATE'] === undefined
    ? ask({
        ...common,
        reveal: ['given_name', 'family_name', 'birth_date'],
        derived: { nationality: 'DE' },
        keep: ({ derived }) => ({ mayVote: derived.nationality }),
      })
    : ask({
        ...common,
        reveal: ['given_name', 'family_name', 'birth_date', 'nationality'],
        keep: ({ attributes }) => ({ mayVote: attributes.nationality.includes('DE') }),
      });
