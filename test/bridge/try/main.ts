import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApp } from '../../../example-app/app.js';
import { createSandbox } from '../../../lib/dev/sandbox/index.js';
import { foreignWallet, worldOf } from '../../support/foreign-wallet.js';
import { root } from '../../support/root.js';
import { euStub } from '../stubs/eu-verifier.js';
import { walletPages } from './wallet.js';

// `npm --prefix bridge run try`: everything around the bridge on this machine, and the bridge itself in a process of
// its own, as one would run it. The wallet is made of other people's libraries; the PIDs are the sandbox's.

process.on('uncaughtException', (error: Error & { readonly code?: string }) => {
  console.error(error.code === 'EADDRINUSE' ? `${error.message}: end that other program first.` : error);
  process.exit(1);
});
process.env['NODE_ENV'] = 'development'; // elsewhere the kit takes no PID of a sandbox

const [appUrl, bridgeUrl, apiKey] = [
  'http://localhost:3000',
  'http://localhost:4700',
  'the-key-of-the-example-app',
];
const sandbox = await createSandbox({ issuer: 'de-ausweis' });
const stub = await euStub({ port: 4701, walletUrl: 'http://localhost:4701/wallet' });
const wallet = await foreignWallet(worldOf(sandbox, stub.access.anchors));
walletPages(stub.app, wallet, stub.waiting);

const accounts = join(mkdtempSync(join(tmpdir(), 'bridge-')), 'accounts.json');
writeFileSync(accounts, JSON.stringify([{ apiKey, redirectUrl: `${appUrl}/identity/callback` }]));
const variables = {
  BRIDGE_VERIFIER: 'eu',
  BRIDGE_VERIFIER_URL: 'http://localhost:4701',
  BRIDGE_ACCOUNTS: accounts,
  BRIDGE_PUBLIC_URL: bridgeUrl, // whatever a bridge/.env says
};
const bridge = spawn(process.execPath, ['--import', 'tsx', 'main.ts'], {
  cwd: join(root, 'bridge'),
  env: { ...process.env, PORT: '4700', ...variables },
  stdio: 'inherit',
});
bridge.on('exit', (code) => process.exit(code ?? 1));
process.on('exit', () => bridge.kill());
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => bridge.kill());

const { derivedBy: _, ...entry } = sandbox.options.trust['de-ausweis'];
const keyBinding = { nonce: 'state-sha256', audience: stub.access.clientId } as const;
const trust = { ...sandbox.options.trust, 'de-ausweis': { ...entry, keyBinding } };
const service = {
  baseUrl: bridgeUrl,
  apiKey,
  issuer: 'de-ausweis',
  variant: 'derived',
  appUrl,
  trust,
} as const;
const session = { secret: 'only for tests' };
createApp({ identity: service, session, log: (line) => console.log(`app       ${line}`) }).listen(3000);

console.log(`
  Open ${appUrl} and verify yourself. The page that opens is the bridge's.

  the app        ${appUrl}    the example app: IDENTITY_BASE_URL=${bridgeUrl} IDENTITY_API_KEY=${apiKey}
  the bridge     ${bridgeUrl}    npm run bridge, with
${Object.entries(variables)
  .map(([name, value]) => `                                          ${name}=${value}`)
  .join('\n')}
  the verifier   http://localhost:4701    a stub of the EU reference verifier
  a wallet       http://localhost:4701/wallet    with the PID of Erika Mustermann
`);
