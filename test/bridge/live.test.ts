import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { env } from 'node:process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { sha256 } from '../../lib/internal/sha256.js';
import type { Sandbox } from '../../lib/dev/sandbox/index.js';
import type { Deviation } from '../support/foreign-wallet.js';
import { openSandbox } from '../support/app.js';
import { createBrowser } from '../support/browser.js';
import { closeAfter } from '../support/close-after.js';
import { testClock, type TestClock } from '../support/clock.js';
import { root } from '../support/root.js';
import { endOf, openScene, type Scene, type Stubs } from './scene.js';
import { stubAccess } from './stubs/leg.js';

// By hand, against an EUDIPLO that runs elsewhere; written for that of 14 May 2026 (a3bed4b). Only where EUDIPLO_URL
// is set does jest.deep.config.mjs have this file. It needs EUDIPLO_URL, EUDIPLO_CLIENT_ID, EUDIPLO_CLIENT_SECRET.

const { EUDIPLO_URL: url = '' } = env;
const isVerified = { kept: 'ERIKA' };

describe('EUDIPLO, live', () => {
  let live: Stubs['eudiplo'];
  let issuer: { readonly sandbox: Sandbox; readonly clock: TestClock };

  beforeAll(async () => {
    const clock = testClock();
    issuer = { sandbox: await openSandbox({ issuer: 'de-ausweis', clock }), clock };
    const access = await stubAccess();
    const { anchors, statusAnchors } = anchorsOf(issuer.sandbox);
    const folder = mkdtempSync(join(tmpdir(), 'pidgate-live-'));
    closeAfter(() => rmSync(folder, { recursive: true }));
    const write = (name: string, text: string): string => {
      writeFileSync(join(folder, name), text);
      return join(folder, name);
    };
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [
        join(root, 'bridge/eudiplo-setup.mjs'),
        url,
        write('access-key.pem', access.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()),
        write('access.pem', access.x5c.map(pem).join('')),
        write('anchors.pem', anchors.join('\n')),
        write('status-anchors.pem', statusAnchors.join('\n')),
      ],
      { env: { ...env, EUDIPLO_TENANT: `live-${Date.now()}` } },
    );
    const [, client_id = ''] = /CLIENT_ID=(.*)/.exec(stdout) ?? [];
    const [, client_secret = ''] = /CLIENT_SECRET=(.*)/.exec(stdout) ?? [];
    const stub = { calls: [], wrong: [], mood: 'well' };
    live = { name: 'eudiplo', url, access, client: { client_id, client_secret }, stub } as never;
  });

  const open = async (sameDevice = false): Promise<Scene> =>
    await openScene<'eudiplo'>(live, { sameDevice, issuer });

  it.each([false, true])('verified, same device %s', async (sameDevice) => {
    const it = await open(sameDevice);
    const flow = await it.begin();
    const { body } = await flow.opened.send(await flow.opened.respond());
    expect(await flow.end(body.redirect_uri)).toEqual(isVerified);
    expect(it.callbacks.count).toBe(1);
  });

  it.each([false, true])('the wallet says no, same device %s', async (sameDevice) => {
    const it = await open(sameDevice);
    const flow = await it.begin();
    const { body } = await flow.opened.decline();
    expect(await flow.end(body.redirect_uri)).toEqual({ error: 'not_shared' });
  });

  it.each<[string, Deviation, string]>([
    ['for another audience', { audience: 'x509_san_dns:somebody-else.example' }, 'B08'],
    ['whose issuer did not sign it', { forge: (credential) => changed(credential) }, 'K02'],
    ['made an hour ago', { issuedAt: -3_600 }, 'B11'],
    ['made in an hour', { issuedAt: 3_600 }, 'B10'],
  ])('a proof %s passes EUDIPLO, and the app refuses it', async (_what, deviation, check) => {
    const it = await open();
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond(deviation));
    await flow.end();
    expect(it.app.events).toContainEqual(expect.objectContaining({ check }));
  });

  it.each<[string, Deviation]>([
    ['another nonce', { nonce: 'n'.repeat(43) }],
    ['a claim less', { drops: true }],
    ['a key binding of another key', { tamper: (proof) => `${proof.slice(0, -8)}AAAAAAAA` }],
  ])('a proof with %s is refused by EUDIPLO, and the log says why', async (_what, deviation) => {
    const it = await open();
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond(deviation));
    expect(await flow.end()).toEqual({ error: 'service_error' });
    expect(it.lines.join('\n')).toMatch(/"answer":"verification_failed","reason":"[^"]{10,}/);
  });

  it('an expired ID is told as that', async () => {
    issuer.clock.forward(-20 * 86_400_000);
    const it = await open();
    issuer.clock.forward(20 * 86_400_000);
    const flow = await it.begin();
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual({ error: 'credential_expired' });
  });

  it('same device: another browser, a guessed code and a second answer get nothing', async () => {
    const it = await open(true);
    const flow = await it.begin();
    const response = await flow.opened.respond();
    const { body } = await flow.opened.send(response);
    expect((await flow.opened.send(response)).status).toBeGreaterThanOrEqual(400);
    expect(await endOf(createBrowser(), body.redirect_uri ?? '')).toMatchObject({ status: 403 });
    expect(await flow.end(`${flow.page}?response_code=${sha256('guess')}`)).toMatchObject({ status: 200 });
    expect(await flow.end(body.redirect_uri)).toEqual(isVerified);
  });

  it('Cancel, and then the wallet shares: declined', async () => {
    const it = await open();
    const flow = await it.begin();
    await flow.browser.post(flow.page, {});
    await flow.opened.send(await flow.opened.respond());
    expect(await flow.end()).toEqual({ error: 'declined' });
  });

  it('/readyz asks it for a session that it cannot know', async () => {
    const it = await open();
    const reply = await fetch(`${it.bridgeUrl}/readyz`);
    expect(await reply.json()).toEqual({ store: 'answers', verifier: 'answers' });
  });
});

const pem = (der: string): string =>
  `-----BEGIN CERTIFICATE-----\n${der.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`;

/** The authorities of the sandbox: for its provider of PIDs, and for who signs its status lists. */
function anchorsOf({ options }: Sandbox) {
  const { keys } = options.trust['de-ausweis'] as unknown as {
    readonly keys: { readonly x5c: Readonly<Record<'anchors' | 'statusAnchors', readonly string[]>> };
  };
  return keys.x5c;
}

/** Another signature of the issuer's. */
function changed(credential: string): string {
  const [jwt = '', ...others] = credential.split('~');
  const at = jwt.lastIndexOf('.') + 10;
  return [jwt.slice(0, at) + (jwt[at] === 'A' ? 'B' : 'A') + jwt.slice(at + 1), ...others].join('~');
}
