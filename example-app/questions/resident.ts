import { ask } from 'pidgate';

/** The service answers yes or no, and nobody sees a list of nationalities. */
export const resident = ask({
  reveal: ['given_name', 'family_name'],
  derived: { nationality: 'DE' },
  keep: ({ derived }) => ({ resident: derived.nationality }),
  successRedirect: '/resident',
});
