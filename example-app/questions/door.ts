import { ask } from 'pidgate';

/** The name, to see that it is the member; what stays is that it was. */
export const door = ask({
  reveal: ['given_name', 'family_name'],
  successRedirect: '/door',
});
