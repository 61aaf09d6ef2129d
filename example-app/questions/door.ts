import { ask } from 'pidgate';

/** Name and birthday, to see that it is the member; what stays is that it was. */
export const door = ask({
  reveal: ['given_name', 'family_name', 'birth_date'],
  successRedirect: '/door',
});
