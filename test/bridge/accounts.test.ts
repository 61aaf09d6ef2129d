import { inspect } from 'node:util';
import { expect, it } from '@jest/globals';
import { readAccounts } from '../../bridge/accounts.js';

const callback = 'https://shop.example/identity/callback';

it('reads accounts; one without a redirectUrl is not set up', () => {
  const accounts = [{ apiKey: 'one', redirectUrl: callback }, { apiKey: 'two' }];
  expect(readAccounts(JSON.stringify(accounts))).toEqual(accounts);
});

it.each<[unknown, string]>([
  [{}, 'must be a list of at least one account'],
  [[], 'must be a list of at least one account'],
  [[{ redirectUrl: callback }], 'account 1 needs an apiKey of printable characters without spaces'],
  [[{ apiKey: 'with space' }], 'account 1 needs an apiKey of printable characters without spaces'],
  [
    [{ apiKey: 'a' }, { apiKey: 'b', redirectUri: callback }],
    'account 2 has redirectUri, which is not known here',
  ],
  [
    [{ apiKey: 'a', redirectUrl: 'http://shop.example/cb' }],
    'the redirectUrl of account 1 must be https (http only on this machine)',
  ],
  [
    [{ apiKey: 'a', redirectUrl: 'https://erika:secret@shop.example/cb' }],
    'the redirectUrl of account 1 must have no user and no password in it',
  ],
  [[{ apiKey: 'a' }, { apiKey: 'a' }], 'two accounts have one apiKey'],
])('%j: %s', (accounts, why) => {
  expect(() => readAccounts(JSON.stringify(accounts))).toThrow(why);
});

it('a file that is not JSON is said to be that, without a word of what is in it', () => {
  for (const text of [
    '[{ "apiKey": marker }]',
    'marker',
    '[{ "apiKey": "marker" "x" }]',
    '[{ "apiKey": "marker',
  ]) {
    let said = '';
    try {
      readAccounts(text);
    } catch (error) {
      said = inspect(error);
    }
    expect(said).toContain('must be JSON');
    expect(said).not.toContain('marker');
  }
});
