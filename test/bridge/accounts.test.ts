import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect, it } from '@jest/globals';
import { accountFinder } from '../../bridge/accounts.js';
import { readSettings } from '../../bridge/settings.js';
import { closeAfter } from '../support/close-after.js';

const callback = 'https://shop.example/identity/callback';

/** Reads a file with this text as the accounts of a bridge. */
function read(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'pidgate-accounts-'));
  closeAfter(() => rmSync(folder, { recursive: true }));
  const file = join(folder, 'accounts.json');
  writeFileSync(file, text);
  const verifier = { BRIDGE_VERIFIER: 'eu', BRIDGE_VERIFIER_URL: 'http://verifier:8080' };
  return readSettings({ ...verifier, BRIDGE_ACCOUNTS: file }).accounts;
}

it('reads accounts; one without a redirectUrl is not set up', () => {
  const accounts = [
    { apiKey: 'one', redirectUrl: callback, name: 'Shop', url: 'https://shop.example/' },
    { apiKey: ['two', 'three'] },
  ];
  expect(read(JSON.stringify(accounts))).toEqual([
    { ...accounts[0], apiKey: ['one'] },
    { apiKey: ['two', 'three'] },
  ]);
});

it('F149 an account has two keys while one is being changed', () => {
  const find = accountFinder(read(JSON.stringify([{ apiKey: ['new', 'old'], redirectUrl: callback }])));
  expect(find('Bearer old')).toBe(find('Bearer new'));
  expect(find('Bearer old')?.redirectUrl).toBe(callback);
  expect(find('Bearer another')).toBeUndefined();
});

const needsKey = 'account 1: apiKey: must be of printable characters without spaces';

it.each<[unknown, string]>([
  [{}, 'must be a list of at least one account'],
  [[], 'must be a list of at least one account'],
  [[{ redirectUrl: callback }], needsKey],
  [[{ apiKey: 'with space' }], needsKey],
  [[{ apiKey: ['a', 'b', 'c'] }], needsKey],
  [
    [{ apiKey: 'a' }, { apiKey: 'b', redirectUri: callback }],
    'account 2: has redirectUri, which is not known here',
  ],
  [
    [{ apiKey: 'a', redirectUrl: 'http://shop.example/cb' }],
    'account 1: redirectUrl: must be https (http only on this machine)',
  ],
  [
    [{ apiKey: 'a', redirectUrl: 'https://erika:secret@shop.example/cb' }],
    'account 1: redirectUrl: must have no user and no password in it',
  ],
  [[{ apiKey: 'a', name: 'x'.repeat(61) }], 'account 1: name: must be a text of up to 60 characters'],
  [[{ apiKey: 'a' }, { apiKey: ['b', 'a'] }], 'two accounts have one apiKey'],
])('%j: %s', (accounts, why) => {
  expect(() => read(JSON.stringify(accounts))).toThrow(`BRIDGE_ACCOUNTS: ${why}`);
});

it('a file that is not JSON is said to be that, without a word of what is in it', () => {
  for (const text of [
    '[{ "apiKey": marker }]',
    'marker',
    '[{ "apiKey": "marker" "x" }]',
    '[{ "apiKey": "marker',
    '[{ "apiKey": "marker ä" }]',
    '[{ "apiKey": "a", "url": "marker" }]',
  ]) {
    let said = '';
    try {
      read(text);
    } catch (error) {
      said = inspect(error);
    }
    expect(said).toMatch(/BRIDGE_ACCOUNTS: (must be JSON|account 1: )/);
    expect(said).not.toContain('marker');
  }
});
