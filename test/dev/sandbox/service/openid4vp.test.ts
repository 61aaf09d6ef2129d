import { X509Certificate, randomBytes, randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { type JWK, decodeJwt, decodeProtectedHeader } from 'jose';
import { deep } from '../../../support/deep.js';
import { nonceOf } from '../../../support/verify/issuer.js';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { verifyPresentation } from '../../../../lib/verify/verify-presentation.js';
import { attributeIds } from '../../../../lib/types/attributes.js';
import { reply, type Reply } from '../customer.js';
import { foreignWallet } from '../../../support/foreign-wallet.js';
import { type GermanFlow, agree, germanFlow, openWallet, openid4vpLinkOn, choose } from '../german.js';
import { type RequestObject, encrypt, fitting, legOf } from '../leg.js';
import { aCustomer, prove, request, sandbox, timelineOf } from '../open.js';
import { keyPair } from '../../../support/key-pair.js';

const linkOf = async ({ browser, page }: GermanFlow): Promise<URL> =>
  new URL(openid4vpLinkOn((await browser.get(page)).text));

const requestOf = async (flow: GermanFlow): Promise<RequestObject> => (await legOf(flow)).request;

const share = async (flow: GermanFlow): Promise<string> =>
  (await agree(flow, await openWallet(flow))).location ?? '';

describe.each(['x509_hash', 'x509_san_dns'] as const)('F84 the request object, %s', (clientIdPrefix) => {
  it.each([
    [{ revealed: ['given_name'] }],
    [{ revealed: attributeIds, same_device: false }],
    [{ revealed: ['birth_date'], derived: { nationality: 'DE' } }],
  ])('F84 has in client_metadata what OpenID4VP lets into it, and no more: %j', async (asked) => {
    const flow = await germanFlow({ clientIdPrefix, request: asked });
    await choose(flow, 'link');
    expect(Object.keys((await requestOf(flow)).client_metadata).toSorted()).toEqual([
      'encrypted_response_enc_values_supported',
      'jwks',
      'vp_formats_supported',
    ]);
  });
});

describe('F84 state', () => {
  async function answer(request: RequestObject, content: object): Promise<Response> {
    const how = { content: JSON.stringify(content), header: { enc: 'A128GCM' } };
    const body = new URLSearchParams({ response: await encrypt({ request }, how) });
    return await fetch(request.response_uri, { method: 'POST', body });
  }

  it("F84 is fresh in each request, stays when it is fetched again, and is not the interface's", async () => {
    const flow = await germanFlow();
    const other = await germanFlow({ service: flow.service });
    const states = [(await requestOf(flow)).state, (await requestOf(other)).state];
    expect(states[0]).toMatch(/^[\w-]{32}$/);
    expect(new Set([...states, flow.state, other.state]).size).toBe(4);
    expect((await requestOf(flow)).state).toBe(states[0]);
  });

  deep.test(
    'F84 comes back in the response: without it, or with another one, 400, and the flow goes on',
    async () => {
      const before = await germanFlow();
      const other = (await requestOf(before)).state;
      const flow = await germanFlow({ service: before.service });
      const asked = await requestOf(flow);
      const wrong = [undefined, '', other, flow.state, `${asked.state}x`, [asked.state], null, 1];
      const refused: unknown[] = [];
      for (const state of wrong.slice(0, 5))
        refused.push(await (await answer(asked, { ...fitting, state })).json());
      expect(new Set(refused.map((body) => JSON.stringify(body)))).toEqual(
        new Set(['{"error":"invalid_request","error_description":"state must be that of the request."}']),
      );
      expect(flow.callbacks).toHaveLength(0);
      expect((await answer(asked, { ...fitting, state: asked.state })).status).toBe(200);
      expect(flow.callbacks).toHaveLength(1);
      for (const state of wrong.slice(5)) {
        const again = await germanFlow({ service: flow.service });
        expect((await answer(await requestOf(again), { ...fitting, state })).status).toBe(400);
      }
    },
  );

  it.each([true, false])(
    'F84 an error may come without it, but not with another one (encrypted: %s)',
    async (encrypted) => {
      const flow = await germanFlow();
      const asked = await requestOf(flow);
      const send = async (form: Record<string, string>): Promise<number> =>
        encrypted
          ? (await answer(asked, form)).status
          : (await fetch(asked.response_uri, { method: 'POST', body: new URLSearchParams(form) })).status;
      expect(await send({ error: 'access_denied', state: 'another' })).toBe(400);
      expect(flow.callbacks).toHaveLength(0);
      expect(await send({ error: 'access_denied' })).toBe(200);
      expect(flow.callbacks[0]?.body.get('error')).toBe('access_denied');
    },
  );
});

describe('F84 the address for the wallet where the callback failed', () => {
  const failures: [what: string, answer: () => Reply | 'reset'][] = [
    ['500', () => ({ status: 500 })],
    ['404', () => ({ status: 404 })],
    ['a page', () => ({ headers: { 'content-type': 'text/html' }, body: '<p>Hello' })],
    ['no JSON', () => reply({}, { body: 'x' })],
    ['no redirect_uri', () => reply({})],
    ['a relative one', () => reply({ redirect_uri: '/done' })],
    ['a script', () => reply({ redirect_uri: 'javascript:alert(1)' })],
    ['a broken connection', () => 'reset'],
  ];

  it.each(failures)(
    'F84 has a fresh value each time, and the page hands nothing out: %s',
    async (_what, answer) => {
      const { redirectUrl } = await aCustomer(answer as () => Reply);
      const addresses: string[] = [];
      for (let times = 0; times < 2; times += 1) {
        const flow = await germanFlow();
        flow.service.redirectUrl = redirectUrl;
        const location = await share(flow);
        const { origin, pathname, searchParams } = new URL(location);
        expect(origin + pathname).toBe(flow.page);
        expect([...searchParams.keys()]).toEqual(['response_code']);
        addresses.push(searchParams.get('response_code') ?? '');
        const shown = await flow.browser.get(location);
        expect([shown.status, shown.headers.get('set-cookie')]).toEqual([502, null]);
      }
      expect(addresses[0]).toMatch(/^[\w-]{32}$/);
      expect(addresses[0]).not.toBe(addresses[1]);
    },
  );
});

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

describe('F85 a derived value is stated of the presentation of this flow alone', () => {
  deep.test(
    'F85 a presentation of another flow, for another audience or of another issuer states nothing',
    async () => {
      const derived = { request: { derived: { nationality: 'DE' } } };
      const stranger = await sandbox({ issuer: 'de-ausweis' });
      const flow = await germanFlow(derived);
      const wallets = [await foreignWallet(flow.service), await foreignWallet(flow.service)];
      const deviations = [
        { nonce: nonceOf(randomBytes(32).toString('base64url')) },
        { nonce: nonceOf(`${flow.state}x`) },
        { audience: 'x509_san_dns:other.example' },
        { sdHash: 'A'.repeat(43) },
      ];
      for (const deviation of deviations) {
        const other = await germanFlow({ ...derived, service: flow.service });
        const opened = await wallets[0]?.open((await linkOf(other)).href);
        await opened?.send((await opened.respond(deviation)) ?? '');
        expect([...(other.callbacks[0]?.body.keys() ?? [])]).not.toContain('presentation');
        expect(other.callbacks[0]?.body.get('error')).toBe('verification_failed');
      }
      const foreign = await germanFlow({ ...derived, service: flow.service });
      const { accessAnchors } = flow.service;
      const wallet = await foreignWallet({
        accessAnchors,
        issuePid: async (order) => await stranger.issuePid(order),
      });
      const opened = await wallet.open((await linkOf(foreign)).href);
      await opened.send(await opened.respond());
      expect(foreign.callbacks[0]?.body.get('error')).toBe('verification_failed');
      const good = await germanFlow({ ...derived, service: flow.service });
      const answering = await wallets[1]?.open((await linkOf(good)).href);
      await answering?.send((await answering.respond()) ?? '');
      const stated = decodeJwt<{ derived: unknown; nonce: string }>(
        good.callbacks[0]?.body.get('presentation') ?? '',
      );
      expect(stated).toMatchObject({ derived: { nationality: '1' }, nonce: nonceOf(good.state) });
    },
  );
});

const x5cOf = (jws: string): X509Certificate =>
  new X509Certificate(Buffer.from(decodeProtectedHeader(jws).x5c?.[0] ?? '', 'base64'));

const holderKey = (): JWK => keyPair('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });

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
    const pid = await service.issuePid({ holder: holderKey() as never });
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

  it('F84 has the optional claims of the real one, each of them shown only if it is asked for', async () => {
    const service = await sandbox({ issuer: 'de-ausweis', clock: () => new Date('2030-05-01T12:00:00Z') });
    const issued = async (person: 'erika' | 'unknown_day') =>
      disclosed(await service.issuePid({ holder: holderKey() as never, person }));
    const erika = await issued('erika');
    expect(Object.fromEntries(erika)).toMatchObject({
      birth_name: 'GABLER',
      title: 'DR.',
      also_known_as: 'ERIKA M.',
      date_of_expiry: '2035-07-31',
      region: 'NORDRHEIN-WESTFALEN',
      locality: expect.any(String),
    });
    expect(erika.has('no_place_info')).toBe(false);
    const unknown = await issued('unknown_day');
    expect(unknown.get('no_place_info')).toBe('UNBEKANNT');
    expect([...unknown.values()]).not.toContain('BERLIN');
    const flow = await germanFlow();
    await share(flow);
    expect([...disclosed(flow.callbacks[0]?.body.get('presentation') ?? '').keys()]).toEqual(['given_name']);
  });

  deep.test('F84 is issued in batches of ten, of which each is shown once', async () => {
    let time = Date.now();
    const service = await sandbox({ issuer: 'de-ausweis', clock: () => new Date(time) });
    const shown: { iat: number; cnf: unknown; signature: string }[] = [];
    for (let times = 1; times <= 21; times += 1) {
      const flow = await germanFlow({ service });
      await share(flow);
      const [credential = ''] = (flow.callbacks[0]?.body.get('presentation') ?? '').split('~');
      const { iat = 0, cnf } = decodeJwt<{ cnf: unknown }>(credential);
      shown.push({ iat, cnf: JSON.stringify(cnf), signature: credential });
      time += 1000;
    }
    expect(new Set(shown.map(({ cnf }) => cnf)).size).toBe(21);
    expect(new Set(shown.map(({ signature }) => signature)).size).toBe(21);
    const [first = 0] = shown.map(({ iat }) => iat);
    expect(shown.map(({ iat }) => iat - first)).toEqual([
      ...Array.from({ length: 10 }, () => 0),
      ...Array.from({ length: 10 }, () => 10),
      20,
    ]);
  });

  it('F84 issuePids gives a wallet of somebody else a batch', async () => {
    const service = await sandbox({ issuer: 'de-ausweis' });
    const holders = [holderKey(), holderKey(), holderKey()];
    const pids = await service.issuePids({ holders: holders as never, person: 'dual' });
    const bound = pids.map((pid) => decodeJwt<{ cnf: { jwk: JWK } }>(pid.split('~')[0] ?? '').cnf.jwk.x);
    expect(bound).toEqual(holders.map(({ x }) => x));
    expect(disclosed(pids[0] ?? '').get('given_name')).toBe('LENA');
  });
});

describe('F84 request_uri_method', () => {
  it.each(['get', 'post'] as const)(
    'F84 %s is what links say, and both wallets fetch it so',
    async (requestUriMethod) => {
      const flow = await germanFlow({ requestUriMethod });
      const link = await linkOf(flow);
      expect(link.searchParams.getAll('request_uri_method')).toEqual([requestUriMethod]);
      await share(flow);
      expect(await flow.verdict()).toMatchObject({ valid: true });
      const { text: timeline } = await timelineOf(flow.service);
      expect([...timeline.matchAll(/(GET|POST) http[^<]*\/request\//g)].map(([, method]) => method)).toEqual([
        requestUriMethod.toUpperCase(),
      ]);
      const other = await germanFlow({ service: flow.service });
      const opened = await (await foreignWallet(flow.service)).open((await linkOf(other)).href);
      expect((await opened.send(await opened.respond())).status).toBe(200);
      expect(await other.verdict()).toMatchObject({ valid: true });
    },
  );

  it.each(['GET', 'put', '', 1, null])('F84 %j is refused', async (requestUriMethod) => {
    await expect(sandbox({ requestUriMethod: requestUriMethod as 'get' })).rejects.toThrow(
      "requestUriMethod must be 'get' or 'post'",
    );
  });
});

describe('F84 the registration certificate', () => {
  it('F84 is there by default, signed under the authority, for the one who asks and all that can be asked', async () => {
    const flow = await germanFlow();
    const { jws: object, request: asked } = await legOf(flow);
    const [info, ...others] = asked.verifier_info;
    expect([info?.format, others]).toEqual(['registration_cert', []]);
    const data = info?.data ?? '';
    expect(decodeProtectedHeader(data)).toMatchObject({ alg: 'ES256', typ: 'rc-wrp+jwt' });
    const [anchor = ''] = flow.service.accessAnchors;
    expect(x5cOf(data).verify(new X509Certificate(anchor).publicKey)).toBe(true);
    expect(decodeJwt(data)).toMatchObject({
      sub: x5cOf(object).subject.split('\n').join(', '),
      credentials: [
        {
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:de:1'] },
          claim: [
            { path: ['family_name'] },
            { path: ['given_name'] },
            { path: ['birthdate'] },
            { path: ['nationalities', null] },
          ],
        },
      ],
    });
  });
});
