import { execFile } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { blocksOf } from '../house/documents.js';
import { createBrowser } from '../support/browser.js';
import { freePort } from '../support/free-port.js';
import { bundled } from '../support/program.js';
import { root } from '../support/root.js';
import { type App, endAll, runNode } from '../support/run-app.js';
import { linksOn } from '../support/wallets.js';

// docs/going-live.md, walked as it stands there: certificates by openssl, its app, doctor, and `npm run wallet`.

const run = promisify(execFile);
const blocks = blocksOf('docs/going-live.md');
const blockWith = (text: string): string => blocks.find(({ code }) => code.includes(text))?.code ?? '';

let folder: string;
let wallet: string;
let app: App;
let url: string;

const cli = join(root, 'dist/dev/cli/main.mjs');
const settings = (): Record<string, string> => ({
  ...Object.fromEntries(
    [...blockWith('export ').matchAll(/^export (\w+)=(.*)$/gm)].map(
      ([, name = '', value = '']) => [name, value] as const,
    ),
  ),
  APP_URL: url,
});

beforeAll(async () => {
  folder = await mkdtemp(join(root, 'test-results/going-live-')); // 'pidgate' is found by its own name
  const commands = blockWith('certify() {') + blockWith('certify access ');
  await run('sh', ['-ec', commands], { cwd: folder });
  const server = blockWith('identityVerification(');
  const listening = server.replace('app.listen(PORT);', "app.listen(PORT, () => console.log('listening'));");
  await writeFile(join(folder, 'server.ts'), listening);
  wallet = await bundled(join(root, 'tools/wallet/main.ts'));
  const port = await freePort();
  url = `http://localhost:${port}`;
  const env = { ...settings(), PORT: String(port) };
  app = await runNode(['--import', 'tsx', 'server.ts'], folder, env);
  await app.says('listening');
});
afterAll(endAll);

/** What the command says of a link. */
async function says(link: string | undefined, ...more: string[]): Promise<string> {
  const { stdout } = await run(process.execPath, [wallet, 'trial', link ?? '', ...more], { cwd: folder });
  return stdout;
}

async function begin() {
  const browser = createBrowser();
  const { location = '' } = await browser.post(`${url}/identity/start?returnTo=/club`);
  const shown = await browser.get(location);
  return { browser, page: location, links: linksOn(shown.text) };
}

describe('going live, with certificates of one’s own', () => {
  it('by the link: who asks, what for, and the return leads in', async () => {
    const { browser, links } = await begin();
    const said = await says(links.link);
    expect(said).toContain('CN=The Corner Club asks for birthdate.\nShared. The app answered 200.\n');
    const back = /began: (http\S+)/.exec(said)?.[1] ?? '';
    expect((await browser.visit(back)).text).toContain('Welcome to the club.');
  });

  it('by the code: the page goes on', async () => {
    const { browser, page, links } = await begin();
    expect(await says(links.code)).toContain('the page that shows the code goes on');
    expect((await browser.visit(page)).text).toContain('Welcome to the club.');
  });

  it('a no, and the ID of another issuer, are told by the page', async () => {
    const { browser, page, links } = await begin();
    expect(await says(links.code, '--decline')).toContain('Shared nothing. The app answered 200.');
    expect((await browser.get(page)).text).toContain('(not_shared)');
    await says(links.code, '--iss', 'https://other.example');
    expect((await browser.get(page)).text).toMatch(/\(key_not_found\)|\(presentation_invalid\)/);
    expect(app.said()).toContain('K10');
  });

  it('says what is missing, and why a wallet refuses', async () => {
    const failing = async (...args: string[]): Promise<string> =>
      await run(process.execPath, [wallet, ...args], { cwd: folder }).then(
        () => 'nothing',
        ({ stderr }: { stderr: string }) => stderr,
      );
    expect(await failing()).toContain('npm run wallet -- <folder> <link>');
    expect(await failing('trial', '')).toContain('"" is no link');
    expect(await failing('nowhere', 'openid4vp://')).toContain('is not there');
    expect(await failing('trial', `openid4vp://?client_id=x&request_uri=${url}/none`)).toContain(
      'The wallet does not answer: ',
    );
  });

  it('doctor finds nothing', async () => {
    const { stdout } = await run(process.execPath, [cli, 'doctor', '--url', url], {
      cwd: folder,
      env: { PATH: process.env['PATH'], ...settings() },
    }).catch((error: { stdout: string }) => error);
    expect(stdout).toContain('Nothing wrong in what I could check');
  });
});
