import { ask } from 'pidgate';
import { findRegular } from '../members.js';

/** Name and birthday find the account; its id stays, until the person has confirmed. */
export const erasure = ask({
  reveal: ['given_name', 'family_name', 'birth_date'],
  keep: ({ attributes }) => ({ account: findRegular(attributes)?.id ?? 'none' }),
  keepFor: '10m',
  successRedirect: '/erasure',
});
