import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import express, { type RequestHandler } from 'express';
import { decodeJwt, decodeProtectedHeader } from 'jose';
import { type Deviation } from '../../support/foreign-wallet.js';
import { type AppSetup, testClock, unknownState } from '../../support/app.js';
import { serve } from '../../support/serve.js';
import { mint } from '../../support/verify/issuer.js';
import { packed, servingList } from '../../support/verify/servers.js';
import { trustIn } from '../../support/verify/verdicts.js';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import { accessOf, entryOf, erika, nobody, walletWorld, whoIs } from '../../support/wallets.js';
import { memoryStore } from '../../../lib/stores/memory.js';
import { walletLink } from '../../../lib/service/wallets/request.js';

// The modules of the OpenID Foundation's plan oid4vp-1final-verifier-haip-test-plan (sd_jwt_vc, direct_post.jwt,
// x509_hash, request_uri_signed) with a wallet of other people's libraries, and what that plan does not have.

const ways = ['link', 'code'] as const;
const year = 365 * 24 * 60 * 60;

/** Reads a body, and leaves nothing of it. */
const lost: RequestHandler = (req, _res, next) => void req.on('end', next).resume();

/** Changes the issuer's or the holder's signature, and leaves it well-formed. */
const breakSignature =
  (which: 'issuer' | 'holder') =>
  (presentation: string): string => {
    const parts = presentation.split('~');
    const at = which === 'issuer' ? 0 : parts.length - 1;
    const [header, payload, signature = ''] = (parts[at] ?? '').split('.');
    const bytes = Buffer.from(signature, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    parts[at] = [header, payload, bytes.toString('base64url')].join('.');
    return parts.join('~');
  };

const { openApp, sandbox } = walletWorld();

afterEach(() => {
  jest.restoreAllMocks();
});

describe('F179 happy flow', () => {
  it('by the link, only the browser that the wallet sends back gets in', async () => {
    const app = await openApp();
    const flow = await app.asked('link');
    const reply = await flow.opened.send(await flow.opened.respond());
    expect(reply).toEqual({ status: 200, body: { redirect_uri: expect.stringMatching(/\/return\?code=/) } });
    expect(await whoIs(app, flow.browser)).toBe(nobody);
    expect((await flow.browser.get(reply.body.redirect_uri ?? '')).status).toBe(303);
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  });

  it('by the code, the wallet is told nothing, and the page goes on', async () => {
    const app = await openApp();
    const flow = await app.asked('code');
    expect(await flow.opened.send(await flow.opened.respond())).toEqual({ status: 200, body: {} });
    expect((await flow.poll()).body).toEqual({ status: 'over' });
    const { status, location = '' } = await flow.again();
    expect([status, location]).toEqual([303, expect.stringMatching(/\/return\?code=/)]);
    await flow.browser.get(location);
    expect(await whoIs(app, flow.browser)).toEqual(erika);
  });

  it('asks for one credential, with a nonce of high entropy, to the client id of the certificate', async () => {
    const app = await openApp();
    const [one, other] = [await app.asked('link'), await app.asked('code')];
    const { request } = one.opened;
    expect(request.nonce).toMatch(/^[\w-]{43}$/);
    expect(request.nonce).not.toBe(other.opened.request.nonce);
    expect(one.opened.clientId).toBe(app.access.clientId);
    expect(request).toMatchObject({
      aud: 'https://self-issued.me/v2',
      client_id: app.access.clientId,
      response_type: 'vp_token',
      response_mode: 'direct_post.jwt',
      response_uri: `${app.url}/identity/callback`,
      verifier_info: [{ format: 'registration_cert', data: app.access.entry.registration }],
      dcql_query: {
        credentials: [
          {
            format: 'dc+sd-jwt',
            meta: { vct_values: ['urn:eudi:pid:de:1'] },
            claims: [{ path: ['given_name'] }, { path: ['birthdate'] }],
          },
        ],
      },
    });
    expect(one.opened.asked).toEqual(['given_name', 'birthdate']);
    const algorithms = ['ES256'];
    expect(request.client_metadata).toMatchObject({
      jwks: { keys: [{ kty: 'EC', crv: 'P-256', use: 'enc', alg: 'ECDH-ES', kid: request.state }] },
      encrypted_response_enc_values_supported: ['A128GCM', 'A256GCM'],
      vp_formats_supported: {
        'dc+sd-jwt': { 'sd-jwt_alg_values': algorithms, 'kb-jwt_alg_values': algorithms },
      },
    });
  });

  it('minimal cnf jwk: a key of four members is accepted', async () => {
    const app = await openApp();
    const flow = await app.asked('code');
    let members: string[] = [];
    const look = (presentation: string): string => {
      const { cnf } = decodeJwt<{ cnf: { jwk: object } }>(presentation.split('~')[0] ?? '');
      members = Object.keys(cnf.jwk);
      return presentation;
    };
    await flow.opened.send(await flow.opened.respond({ tamper: look }));
    expect(members).toEqual(['kty', 'crv', 'x', 'y']);
    expect((await flow.poll()).body).toEqual({ status: 'over' });
  });
});

describe('F172 the request', () => {
  const uriOf = (link = ''): string => new URL(link).searchParams.get('request_uri') ?? '';
  const fetched = async (uri: string, form?: Record<string, string>) =>
    await fetch(uri, form && { method: 'POST', body: new URLSearchParams(form) });

  it.each(ways)('by %s: POST brings the wallet_nonce back, of the type of a request object', async (way) => {
    const app = await openApp();
    const { links } = await app.begin();
    expect(new URL(links[way] ?? '').searchParams.get('request_uri_method')).toBe('post');
    const reply = await fetched(uriOf(links[way]), { wallet_nonce: 'n-0S6_WzA2Mj', wallet_metadata: '{}' });
    expect(reply.headers.get('content-type')).toBe('application/oauth-authz-req+jwt');
    const jwt = await reply.text();
    expect(decodeJwt(jwt)['wallet_nonce']).toBe('n-0S6_WzA2Mj');
    expect(decodeProtectedHeader(jwt)).toEqual({
      alg: 'ES256',
      typ: 'oauth-authz-req+jwt',
      x5c: [expect.any(String)],
    });
  });

  it('has an https address without a fragment', async () => {
    const { entry } = await accessOf();
    const access = { clientId: 'x509_hash:x', scheme: 'haip-vp' } as never;
    const link = walletLink(access, 'https://shop.example/identity/request?state=a.link');
    const uri = new URL(uriOf(link));
    expect([link.split(':')[0], uri.protocol, uri.hash]).toEqual(['haip-vp', 'https:', '']);
    expect(entry.certificate).toContain('BEGIN');
  });

  it('may be fetched twice, by GET too, and stays the same but for its time', async () => {
    const app = await openApp();
    const { links } = await app.begin();
    const replies = [await fetched(uriOf(links.code)), await fetched(uriOf(links.code), {})];
    expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    const [one, other] = await Promise.all(replies.map(async (reply) => decodeJwt(await reply.text())));
    expect({ ...one, iat: 0 }).toEqual({ ...other, iat: 0 });
    expect(app.events.filter(({ type }) => type === 'flow.requested')).toMatchObject([
      { way: 'code', question: 'default' },
      { way: 'code', supportCode: expect.any(String) },
    ]);
  });

  it.each([
    ['no text', ''],
    ['a space', 'a b'],
    ['513 characters', 'n'.repeat(513)],
    ['a control character', 'a\u0000'],
  ])('refuses a wallet_nonce that has %s', async (_, wallet_nonce) => {
    const app = await openApp();
    const { links } = await app.begin();
    const reply = await fetched(uriOf(links.link), { wallet_nonce });
    expect([reply.status, await reply.json()]).toEqual([
      400,
      { error: 'callback_malformed', error_description: expect.any(String) },
    ]);
  });

  it('is read from a POST of unknown length too, and one without a body is a GET', async () => {
    const app = await openApp();
    const { links } = await app.begin();
    const { pathname, search, port } = new URL(uriOf(links.link));
    const headers = { 'content-type': 'application/x-www-form-urlencoded', 'transfer-encoding': 'chunked' };
    const post = async (more: object, body?: string): Promise<unknown> => {
      const req = request({ port, path: pathname + search, method: 'POST', ...more }).end(body);
      const [reply] = (await once(req, 'response')) as [IncomingMessage];
      return [reply.statusCode, decodeJwt(await text(reply))['wallet_nonce'] ?? null];
    };
    expect(await post({ headers }, 'wallet_nonce=n-0S6')).toEqual([200, 'n-0S6']);
    expect(await post({ headers: { 'content-length': '0' } })).toEqual([200, null]);
    // Neither header, as HTTP allows it of a request without a body.
    const socket = connect(Number(port), '127.0.0.1');
    socket.write(`POST ${pathname}${search} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('needs no wallet_nonce where a wallet tells something else, and says of the app what it has', async () => {
    const { registration: _, ...entry } = (await accessOf()).entry;
    const app = await openApp({ wallets: entry });
    const { links } = await app.begin();
    const reply = await fetched(uriOf(links.code), { wallet_metadata: '{}' });
    expect(reply.status).toBe(200);
    const claims = decodeJwt(await reply.text());
    expect(claims).not.toHaveProperty('wallet_nonce');
    expect(claims).not.toHaveProperty('verifier_info');
  });

  it('has the time at which it was made, and the end of the flow', async () => {
    const clock = testClock();
    const access = await accessOf(clock());
    const app = await openApp({ clock, store: memoryStore({ clock }) }, { access });
    const { links } = await app.begin();
    clock.forward(90_500);
    const { iat, exp } = decodeJwt(await (await fetched(uriOf(links.code))).text());
    const now = clock().getTime() / 1000;
    expect([iat, exp]).toEqual([Math.floor(now), Math.floor(now + 600 - 90.5)]);
  });

  it.each([
    [
      'a list that a parser of the app has left',
      express.urlencoded(),
      'a&wallet_nonce=b',
      400,
      'callback_malformed',
    ],
    ['a text that one has left', express.text({ type: () => true }), 'a', 200, 'ey'],
    ['what was read and lost', lost, 'a', 503, 'body_consumed'],
  ])('its POST brings %s', async (_, parser, nonce, status, said) => {
    const before: AppSetup['before'] = (its) => void its.use('/identity/request', parser);
    const app = await openApp({}, {}, { before });
    const { links } = await app.begin();
    const body = new URLSearchParams(`wallet_nonce=${nonce}`);
    const reply = await fetch(uriOf(links.code), { method: 'POST', body });
    expect([reply.status, await reply.text()]).toEqual([status, expect.stringContaining(said)]);
  });

  it('cannot be made once the trust entry that a flow began with has gone', async () => {
    const store = memoryStore();
    const first = await openApp({ store });
    const { links } = await first.begin();
    const others = { issuer: 'other', trust: { other: entryOf(sandbox()) } };
    const second = await openApp({ store, ...others }, {}, { origins: [first.url] });
    const reply = await fetched(uriOf(links.code).replace(first.url, second.url));
    expect([reply.status, await reply.json()]).toMatchObject([503, { error: 'key_not_found' }]);
  });

  it('is 404 and nothing else for a flow that is unknown, over, or does not allow the way', async () => {
    const app = await openApp({ ways: ['link'] });
    const { links, state, browser, page } = await app.begin();
    expect(links.code).toBeUndefined();
    const at = (handle: string): string => `${app.url}/identity/request?state=${handle}`;
    expect((await fetch(at(`${state}.link`))).status).toBe(200);
    await browser.post(page);
    const refused = [
      `${state}.link`,
      `${state}.code`,
      `${unknownState()}.link`,
      state,
      `${state}.both`,
      'x.link',
      '',
    ];
    for (const handle of refused) {
      const reply = await fetch(at(handle));
      expect([handle, reply.status, Object.keys((await reply.json()) as object)]).toEqual([
        handle,
        404,
        ['error', 'error_description'],
      ]);
    }
  });

  it('leaves a root out of x5c', async () => {
    const access = await accessOf();
    const certificate = access.entry.certificate + access.anchors.join('');
    const app = await openApp({ wallets: { ...access.entry, certificate } }, { access });
    const { links } = await app.begin();
    const { x5c } = decodeProtectedHeader(await (await fetched(uriOf(links.link))).text());
    expect(x5c).toHaveLength(1);
  });
});

describe.each(ways)('F179 a presentation that is not good, by the %s', (way) => {
  const refused: [string, Deviation, string][] = [
    ['invalid credential signature', { forge: breakSignature('issuer') }, 'K02'],
    ['invalid key binding signature', { tamper: breakSignature('holder') }, 'B06'],
    ['invalid nonce', { nonce: 'not-the-nonce-of-the-request' }, 'B07'],
    ['invalid aud', { audience: 'x509_hash:of-somebody-else' }, 'B08'],
    ['invalid sd_hash', { sdHash: 'A'.repeat(43) }, 'B14'],
    ['key binding iat a year past', { issuedAt: -year }, 'B11'],
    ['key binding iat in the future', { issuedAt: year }, 'B10'],
    ['a claim left out', { drops: true }, 'C13'],
  ];

  it.each(refused)('%s: 200, the page says so, and a good one still counts', async (_, deviation, check) => {
    const ran: unknown[] = [];
    const lines: string[] = [];
    const app = await openApp({
      onError: ({ error }: { error: { check?: string } }) => void ran.push(error.check),
      logger: {
        error: (line: string) => void lines.push(line),
        warn: (line: string) => void lines.push(line),
      },
    });
    const flow = await app.asked(way);
    const reply = await flow.opened.send(await flow.opened.respond(deviation));
    const error = check === 'C13' ? 'attributes_missing' : 'presentation_invalid';
    const to = new RegExp(`/return\\?error=${error}&flow=`);
    expect([reply.status, Object.keys(reply.body)]).toEqual([200, way === 'code' ? [] : ['redirect_uri']]);
    expect(reply.body.redirect_uri ?? `/return?error=${error}&flow=`).toMatch(to);
    const { body } = await flow.poll();
    const { supportCode = '' } = app.events.find(({ type }) => type === 'callback.refused') ?? {};
    expect(body).toEqual({ status: 'pending', notice: expect.stringContaining(`${supportCode} (${error})`) });
    expect((await flow.again()).text).toContain(supportCode);
    expect(lines.filter((line) => line.includes(check) && line.includes(supportCode))).toHaveLength(1);
    expect(ran).toEqual([check]);
    await flow.opened.send(await flow.opened.respond());
    expect((await flow.poll()).body.status).toBe(way === 'code' ? 'over' : 'verified');
  });
});

describe('F179 the status of a credential', () => {
  /** An app that trusts an issuer of its own, whose list says that the first credential is good and the second revoked. */
  async function asksFor(status?: number) {
    const now = Math.floor(Date.now() / 1000);
    const life = { iat: now - 60, exp: now + 3600 };
    const list = servingList({ list: { lst: packed(0b10) }, payload: life });
    const iss = await serve((req, res) => void list(res, req));
    const entry = trustIn({ iss })['de-ausweis'] as SdJwtVcTrust;
    const { keyBinding: _, ...trust } = entry;
    const ran: unknown[] = [];
    const app = await openApp(
      {
        trust: { 'de-ausweis': trust },
        onError: ({ error }: { error: { code: string; check?: string } }) =>
          void ran.push([error.code, error.check]),
      },
      {
        issuePid: async ({ holder }) => {
          const listed =
            status === undefined ? {} : { status: { status_list: { idx: status, uri: `${iss}/1` } } };
          const payload = { iss, cnf: { jwk: holder }, ...life, ...listed };
          return await Promise.resolve(mint({ payload, binding: 'absent' }));
        },
      },
    );
    const flow = await app.asked('link');
    const { body } = await flow.opened.send(await flow.opened.respond());
    await flow.browser.get(body.redirect_uri ?? '');
    return { ran, is: await whoIs(app, flow.browser) };
  }

  const person = { given_name: 'Erika', birth_date: '1964-08-12' };

  it('none is named: accepted', async () => {
    expect(await asksFor()).toEqual({ ran: [], is: person });
  });

  it('good: accepted', async () => {
    expect(await asksFor(0)).toEqual({ ran: [], is: person });
  });

  it('revoked: refused, and nothing is kept', async () => {
    expect(await asksFor(1)).toEqual({ ran: [['credential_revoked', 'T15']], is: nobody });
  });
});

describe('what an app asks a wallet for', () => {
  it('is in the query, with the type and the claims of its trust entry', async () => {
    const reveal = ['family_name', 'birth_date'];
    const app = await openApp({ reveal });
    const { links } = await app.begin();
    const { request } = await app.wallet.open(links.link ?? '');
    expect(request['dcql_query']).toEqual({
      credentials: [
        {
          id: 'pid',
          format: 'dc+sd-jwt',
          meta: { vct_values: ['urn:eudi:pid:de:1'] },
          claims: [{ path: ['family_name'] }, { path: ['birthdate'] }],
        },
      ],
    });
  });

  /** The claims of a query for these attributes, and the sets of which a wallet shows one. */
  async function queryFor(reveal: readonly string[], claims: object = {}): Promise<unknown> {
    const app = await openApp({ reveal, trust: { 'de-ausweis': { ...entryOf(sandbox()), claims } } });
    const { links } = await app.begin();
    const { request } = await app.wallet.open(links.link ?? '');
    const { credentials } = request['dcql_query'] as {
      credentials: readonly { claims: unknown; claim_sets?: unknown }[];
    };
    return { claims: credentials[0]?.claims, sets: credentials[0]?.claim_sets };
  }

  it('is the ages, or else the date of birth', async () => {
    expect(await queryFor(['age_over_18', 'given_name', 'age_over_21'])).toEqual({
      claims: [
        { id: 'age_over_18', path: ['age_equal_or_over', '18'] },
        { id: 'given_name', path: ['given_name'] },
        { id: 'age_over_21', path: ['age_equal_or_over', '21'] },
        { id: 'birth_date', path: ['birthdate'] },
      ],
      sets: [
        ['age_over_18', 'given_name', 'age_over_21'],
        ['birth_date', 'given_name'],
      ],
    });
  });

  it.each([
    ['the date of birth is asked for anyway', ['age_over_18', 'birth_date'], {}],
    ['the credential has no ages', ['age_over_18'], { age_over: false }],
  ])('is the date of birth alone where %s', async (_, reveal, claims) => {
    expect(await queryFor(reveal, claims)).toEqual({ claims: [{ path: ['birthdate'] }], sets: undefined });
  });

  it('names the algorithms that its trust entry accepts', async () => {
    const trust = { 'de-ausweis': { ...entryOf(sandbox()), algorithms: ['ES256', 'ES384'] } };
    const app = await openApp({ trust });
    const { links } = await app.begin();
    const { request } = await app.wallet.open(links.link ?? '');
    const both = ['ES256', 'ES384'];
    expect(request.client_metadata).toMatchObject({
      vp_formats_supported: { 'dc+sd-jwt': { 'sd-jwt_alg_values': both, 'kb-jwt_alg_values': both } },
    });
  });

  it('is each element of a list of nationalities: a wallet that shows no more than that shows them', async () => {
    const people: unknown[] = [];
    const onVerified = ({ result }: { result: { attributes: unknown } }) =>
      void people.push(result.attributes);
    const app = await openApp({ reveal: ['nationality'], onVerified });
    const { browser, links } = await app.begin();
    const opened = await app.wallet.open(links.link ?? '');
    const { body } = await opened.send(await opened.respond());
    await browser.get(body.redirect_uri ?? '');
    expect(people).toEqual([{ nationality: ['DE'] }]);
  });
});
