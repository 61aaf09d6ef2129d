import { join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { createBrowser } from '../support/browser.js';
import { root } from '../support/root.js';
import { endAll, runNode } from '../support/run-app.js';
import { decide } from '../support/wallet.js';
import { freshName, serverPath, withServer } from './servers.js';
import { openPostgresPool } from './tables.js';

afterEach(endAll);

withServer('postgres')('examples/users-table.ts', () => {
  test('F124 stores in SQL what the wallet has proved, for the user who is logged in, in a session with a new id', async () => {
    const database = freshName();
    const pool = openPostgresPool();
    await pool.query(`CREATE DATABASE ${database}`);
    await pool.end();
    const env = { PGHOST: serverPath('postgres'), PGUSER: 'postgres', PGDATABASE: database };
    const cli = join(root, 'dist/dev/cli/main.mjs');
    const app = await runNode([cli, 'dev', 'examples/users-table.ts'], root, env);
    await app.says('Your app runs against a local identity service.');

    const browser = createBrowser();
    expect((await browser.get(`${app.url}/identity/start`)).location).toBe('/');
    const signUp = async (): Promise<string | undefined> =>
      (await browser.post(`${app.url}/sign-up`, { email: 'erika@example.test' })).location;
    expect(await signUp()).toBe('/account');
    expect((await browser.get(`${app.url}/account`)).text).toContain('Verify my identity');
    const { location: wallet = '' } = await browser.post(`${app.url}/identity/start?returnTo=/account`);
    const account = await browser.visit(await decide(wallet, 'approve'));
    expect(account.json()).toMatchObject({
      given_name: 'Erika',
      family_name: 'Mustermann',
      born: '1964-08-12',
    });
    const [[name, before] = []] = [...browser.cookies];
    await browser.post(`${app.url}/sign-up`, { email: 'max@example.test' });
    expect(browser.cookies.get(`${name}`)).not.toBe(before);
    browser.cookies.clear();
    expect(await signUp()).toBe('/');
  });
});
