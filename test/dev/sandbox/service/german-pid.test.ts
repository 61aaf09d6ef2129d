import { X509Certificate, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { verifyPresentation } from '../../../../lib/verify/verify-presentation.js';
import { deep } from '../../../support/deep.js';
import { agree, germanFlow, openWallet } from '../german.js';
import type { GermanFlow } from '../german.js';
import { prove, request, sandbox, timelineOf } from '../open.js';

const share = async (flow: GermanFlow): Promise<string> =>
  (await agree(flow, await openWallet(flow))).location ?? '';

/** The presentation that the card of somebody makes, of all that can be asked. */
async function shown(service: Sandbox, person: string, revealed = ['given_name']): Promise<string> {
  const flow = await germanFlow({ service, request: { revealed } });
  await flow.browser.post(flow.page, { decision: 'person', person });
  await share(flow);
  return flow.callbacks[0]?.body.get('presentation') ?? '';
}

describe('F84 POST /prove', () => {
  const unique = (): string => randomBytes(4).toString('hex');
  const guessable = [
    () => '1',
    () => unique(),
    () => `order-${unique()}`,
    () => 'a'.repeat(43),
    () => 'ab'.repeat(30),
    () => `${'0'.repeat(40)}1234`,
    () => randomBytes(15).toString('base64url'),
    () => randomBytes(10).toString('hex'),
  ];
  const random = [
    () => randomBytes(32).toString('base64url'),
    () => randomBytes(16).toString('base64url'),
    () => randomBytes(16).toString('hex'),
    () => randomUUID(),
  ];

  it('F84 warns of a state that may be guessed, in the log and the timeline, and takes it', async () => {
    const lines: string[] = [];
    const service = await sandbox({ log: (line) => lines.push(line) });
    for (const state of guessable.map((make) => make())) {
      lines.length = 0;
      expect((await prove(service, request({ state }))).status).toBe(200);
      expect(lines).toEqual([
        expect.stringMatching(/→ .*begins/),
        expect.stringMatching(/^prove warns: The state is/),
      ]);
      expect(lines.join('')).not.toContain(state.length > 4 ? state : 'state-of');
      expect((await timelineOf(service)).text).toContain('someone else could guess it');
    }
  });

  deep.test('F84 says nothing of random ones', async () => {
    const lines: string[] = [];
    const service = await sandbox({ log: (line) => lines.push(line) });
    const states = Array.from({ length: 200 }, (_, at) => random[at % random.length]?.() ?? '');
    for (const state of states) await prove(service, request({ state }));
    expect(lines.filter((line) => line.includes('warns'))).toEqual([]);
  });
});

const x5cOf = (jws: string): X509Certificate =>
  new X509Certificate(Buffer.from(decodeProtectedHeader(jws).x5c?.[0] ?? '', 'base64'));

const keysOf = (service: Sandbox) => {
  const { keys } = service.options.trust['de-ausweis'];
  if (!('x5c' in keys)) throw new Error('No certificates.');
  return keys.x5c;
};

/** What a credential has of each Disclosure. */
function disclosed(pid: string): Map<string, unknown> {
  const made = pid
    .split('~')
    .slice(1, -1)
    .map((text) => JSON.parse(Buffer.from(text, 'base64url').toString()) as unknown[]);
  return new Map(made.flatMap(([, name, value]) => (typeof name === 'string' ? [[name, value]] : [])));
}

describe('F84 the simulated German PID', () => {
  it('F84 has its status lists signed under a CA of their own, and trust names both apart', async () => {
    const service = await sandbox({ issuer: 'de-ausweis' });
    const pid = await shown(service, 'erika');
    const { status } = decodeJwt<{ status: { status_list: { uri: string } } }>(pid.split('~')[0] ?? '');
    const list = await (await fetch(status.status_list.uri)).text();
    const { anchors = [], statusAnchors = [] } = keysOf(service);
    expect([anchors.length, statusAnchors.length]).toEqual([1, 1]);
    const [pidCa, listCa] = [...anchors, ...statusAnchors].map((pem) => new X509Certificate(pem).publicKey);
    const [provider, signer] = [x5cOf(pid.split('~')[0] ?? ''), x5cOf(list)];
    const signedBy = (leaf: X509Certificate) =>
      [pidCa, listCa].map((key) => key !== undefined && leaf.verify(key));
    expect([signedBy(provider), signedBy(signer)]).toEqual([
      [true, false],
      [false, true],
    ]);
  });

  it('F84 an app that trusts the CA of PIDs alone finds every list unusable, as with the real one', async () => {
    const flow = await germanFlow();
    await share(flow);
    const { 'de-ausweis': entry } = flow.service.options.trust;
    const { anchors = [] } = keysOf(flow.service);
    const presentation = flow.callbacks[0]?.body.get('presentation') ?? '';
    const expected = { issuer: 'de-ausweis', state: flow.state, reveal: ['given_name'] } as const;
    const alone = { 'de-ausweis': { ...entry, keys: { x5c: { anchors } } } };
    expect(await flow.verdict()).toMatchObject({ valid: true });
    expect(await verifyPresentation(presentation, expected, alone)).toMatchObject({
      valid: false,
      code: 'credential_status_unavailable',
      check: 'K03',
    });
  });

  it('F84 shows nothing that was not asked', async () => {
    const flow = await germanFlow();
    await share(flow);
    expect([...disclosed(flow.callbacks[0]?.body.get('presentation') ?? '').keys()]).toEqual(['given_name']);
  });

  it('F85 the service states a derived answer of this flow alone, with the value that was asked', async () => {
    const flow = await germanFlow({ request: { derived: { nationality: 'DE' } } });
    await share(flow);
    expect(decodeJwt(flow.callbacks[0]?.body.get('presentation') ?? '')).toMatchObject({
      derived: { nationality: '1' },
      derived_for: { nationality: 'DE' },
      given_name: 'ERIKA',
    });
  });
});
