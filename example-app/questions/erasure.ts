import { ask } from 'pidgate';
import { findRegular } from '../members.js';

/** Name and birthday find the account; its number stays, until the person has confirmed. */
export const erasure = ask({
  reveal: ['given_name', 'family_name', 'birth_date'],
  keep: ({ attributes }) => ({ account: findRegular(attributes)?.number ?? 'none' }),
  keepFor: '10m',
  successRedirect: '/erasure',
});
