import { randomBytes } from 'node:crypto';
import { beforeAll, describe, expect, it, test } from '@jest/globals';
import { decodeJwt, SignJWT } from 'jose';
import { type Certified, certify, pemOf, x5cOf } from '../../../../lib/dev/sandbox/issuers/certificates.js';
import { register } from '../../../../lib/dev/sandbox/issuers/access.js';
import { disclosuresFor, hideClaims } from '../../../../lib/dev/sandbox/issuers/sd-jwt.js';
import { germanClaims } from '../../../../lib/dev/sandbox/people/claims.js';
import { peopleOn } from '../../../../lib/dev/sandbox/people/people.js';
import { sandboxProfile } from '../../../../lib/dev/sandbox/profile.js';
import { openRequest, WalletRefusal, type WalletRequest } from '../../../../lib/dev/sandbox/wallet/wallet.js';
import { sha256 } from '../../../../lib/internal/sha256.js';
import { queryOf } from '../../../../lib/service/wallets/query.js';
import { type AttributeId, attributeIds } from '../../../../lib/types/attributes.js';
import type { SdJwtVcTrust } from '../../../../lib/types/trust.js';
import { serve } from '../../../support/serve.js';
import { type Running, startApp } from '../../../support/app.js';
import { agree, germanFlow, headingOf, openedWallet, openWallet } from '../german.js';

const byName = (one: string, other: string): number => (one < other ? -1 : 1);

describe('same list', () => {
  let app: Running;

  beforeAll(async () => {
    app = await startApp({
      options: {
        reveal: attributeIds.toReversed(),
        derived: { nationality: 'FR' },
      },
    });
  });

  const plain = (markup: string): string =>
    markup
      .replaceAll(/<[^>]+>/g, ' ')
      .replaceAll(/\s+/g, ' ')
      .trim();

  test.each(['en', 'de'])('the wallet page shows the same list as the start page, in %s', async (lang) => {
    const browser = app.browser();
    const headers = { 'accept-language': lang };
    const start = await browser.get(`${app.url}/identity/start`, headers);
    const list = /<ul[^>]*>([^]*?)<\/ul>/.exec(start.text)?.[1] ?? '';
    const asked = [...list.matchAll(/<li[^>]*>([^]*?)<\/li>/g)].map(([, item = '']) => plain(item));
    const wallet = await browser.get(await app.start(browser), headers);
    const shown = [...wallet.text.matchAll(/<dt[^>]*>([^]*?)<\/dt>/g)].map(([, item = '']) => plain(item));
    expect(asked).toHaveLength(attributeIds.length + 1);
    expect(shown).toEqual(asked);
  });
});

describe('the page of the wallet', () => {
  const returnUrl = 'http://localhost:3000/identity/return?code=c';

  describe('The page of the wallet', () => {
    it('shows who asks, for what, and whose card answers', async () => {
      const flow = await germanFlow({ request: { revealed: ['birth_date', 'given_name'] } });
      const { text } = await flow.browser.get(await openWallet(flow));
      expect(headingOf(text)).toMatch(/asks for this information$/);
      const [, shared = ''] = text.split('Will be shared');
      expect(shared.indexOf('Date of birth')).toBeLessThan(shared.indexOf('Given name'));
      expect(text).toMatch(/value="erika" aria-current="true"/);
      expect(text).not.toContain(flow.state);
    });

    it('says what the service sees where the card has no such answer', async () => {
      const flow = await germanFlow({ request: { derived: { nationality: 'DE' } } });
      const { text } = await flow.browser.get(await openWallet(flow));
      const kept = /<h2>Stays in the wallet<\/h2>\s*<p[^>]*>([^<]*)</.exec(text)?.[1] ?? '';
      expect(text.replaceAll(/\s+/g, ' ')).toContain(
        'The service sees the nationalities and passes on only yes or no',
      );
      expect(kept).toContain('Family name');
      expect(kept).not.toContain('Nationality');
      const without = await germanFlow();
      const other = (await without.browser.get(await openWallet(without))).text;
      expect(other).not.toContain('the service sees');
    });

    it('approve and the right PIN: the wallet gets the way back, and the kit accepts the proof', async () => {
      const { flow, wallet } = await openedWallet();
      await flow.browser.post(wallet, { decision: 'approve' });
      expect(headingOf((await flow.browser.get(wallet)).text)).toBe('Enter your PIN');
      const { status, location } = await flow.browser.post(wallet, { decision: 'pin', pin: '123456' });
      expect([status, location]).toEqual([303, returnUrl]);
      expect(await flow.verdict()).toMatchObject({ valid: true, attributes: { given_name: 'ERIKA' } });
      const { text } = await flow.browser.get(flow.page);
      expect(headingOf(text)).toBe('This request is answered');
      expect(text).not.toContain('code=c');
    });

    it.each([
      ['minor', { given_name: 'LEON' }],
      ['umlauts', { given_name: 'ÄNNE JÖRG', family_name: 'GRÖẞMANN-ÜBELACKER' }],
      ['greek', { given_name: 'ΕΛΈΝΗ' }],
      ['dual', { nationality: ['DE', 'FR'] }],
      ['stateless', { nationality: ['QS'] }],
      ['leap_day', { birth_date: '2008-02-29' }],
      ['one_name', { given_name: '-' }],
    ])('the card of %s is as the provider writes it', async (person, attributes) => {
      const flow = await germanFlow({
        request: { revealed: attributeIds },
      });
      const wallet = await openWallet(flow);
      expect((await flow.browser.post(wallet, { decision: 'person', person })).status).toBe(303);
      await agree(flow, wallet);
      expect(await flow.verdict()).toMatchObject({ valid: true, attributes });
    });

    it('a birth date that is partly unknown is refused by the kit, not guessed', async () => {
      const flow = await germanFlow({ person: 'unknown_day', request: { revealed: ['birth_date'] } });
      await agree(flow, await openWallet(flow));
      expect(await flow.verdict()).toMatchObject({ valid: false, code: 'attribute_invalid' });
    });

    it('a wrong PIN says how many tries are left; the third blocks the card, and the app hears of it', async () => {
      const { flow, wallet } = await openedWallet();
      await flow.browser.post(wallet, { decision: 'approve' });
      const pages = [];
      for (const pin of ['000000', '000001', '000002']) {
        await flow.browser.post(wallet, { decision: 'pin', pin });
        pages.push((await flow.browser.get(wallet)).text);
      }
      expect(pages.map(headingOf)).toEqual([
        'That PIN is wrong',
        'That PIN is wrong',
        'This card is blocked',
      ]);
      expect(pages[0]).toContain('You have 2 tries left.');
      expect(pages[1]).toContain('You have one try left.');
      await flow.browser.post(wallet, { decision: 'pin', pin: '123456' });
      const blocked = (await flow.browser.get(wallet)).text;
      expect(headingOf(blocked)).toBe('This card is blocked');
      expect(blocked).toContain('value="blocked">Back to the website<');
      expect(flow.callbacks).toHaveLength(0);
      const { location } = await flow.browser.post(wallet, { decision: 'blocked' });
      expect(location).toBe(returnUrl);
      expect(flow.callbacks[0]?.body.get('error')).toBe('card_blocked');
    });

    it.each([
      ['Cancel before any PIN', [], 'access_denied'],
      ['Cancel after a wrong PIN', [{ decision: 'pin', pin: '000000' }], 'access_denied'],
    ])('%s: %s', async (_what, before, error) => {
      const { flow, wallet } = await openedWallet();
      await flow.browser.post(wallet, { decision: 'approve' });
      for (const form of before) await flow.browser.post(wallet, form);
      expect((await flow.browser.post(wallet, { decision: 'give_up' })).location).toBe(returnUrl);
      expect(flow.callbacks[0]?.body.get('error')).toBe(error);
    });

    it('decline: the app gets access_denied and no presentation', async () => {
      const flow = await germanFlow();
      const { location } = await flow.browser.post(await openWallet(flow), { decision: 'decline' });
      expect(location).toBe(returnUrl);
      expect(Object.fromEntries(flow.callbacks[0]?.body ?? [])).toEqual({
        error: 'access_denied',
        error_description: expect.any(String),
        state: flow.state,
      });
    });

    it.each([
      [{ decision: 'scenario', scenario: 'constructor' }],
      [{ decision: 'scenario', scenario: 'keys_unreachable' }],
      [{ decision: 'pin', pin: '123456' }],
      [{ decision: 'blocked' }],
      [{ decision: 'give_up' }],
      [{ decision: 'person', person: 'nobody' }],
      [{}],
    ])('%j before its time, or not known: 400, nothing is sent', async (form) => {
      const flow = await germanFlow();
      const { status } = await flow.browser.post(await openWallet(flow), form as Record<string, string>);
      expect(status).toBe(400);
      expect(flow.callbacks).toHaveLength(0);
    });

    it.each([
      ['the PIN', [{ decision: 'approve' }], { decision: 'pin', pin: '123456' }],
      ['Decline', [], { decision: 'decline' }],
    ])('%s sent twice gives one answer, and both lead back to the app', async (_what, before, form) => {
      const { flow, wallet } = await openedWallet();
      for (const earlier of before) await flow.browser.post(wallet, earlier);
      const pressed = [flow.browser.post(wallet, form), flow.browser.post(wallet, form)];
      const later = [...(await Promise.all(pressed)), await flow.browser.post(wallet, form)];
      expect(later.map(({ status, location }) => [status, location])).toEqual(
        Array.from({ length: 3 }, () => [303, returnUrl]),
      );
      expect(flow.callbacks).toHaveLength(1);
    });
  });
});

describe('request', () => {
  interface Asking {
    readonly method?: 'get' | 'post';
    readonly clientId?: (own: string) => string;
    /** What comes back as `wallet_nonce`; default the wallet's own. */
    readonly nonce?: (sent: string | undefined) => string | undefined;
    /** Where the answer is to go; default the origin of the request. */
    readonly answerTo?: string;
    /** What is asked; default a name and the nationalities. */
    readonly query?: object;
    readonly registration?: (
      own: string,
      registrar: Certified,
    ) => Promise<string | undefined> | string | undefined;
  }

  /** Has the sandbox's wallet open a request that somebody else has signed. */
  async function opened({
    method = 'post',
    clientId,
    nonce,
    answerTo,
    query,
    registration,
  }: Asking): Promise<WalletRequest> {
    const from = Math.floor(Date.now() / 1000) - 60;
    const ca = certify({ name: 'An authority', from });
    const app = certify({ name: 'An app', from, issuer: ca });
    const registrar = certify({ name: 'A registrar', from, issuer: ca });
    const own = await register(app, registrar, from);
    const data = registration === undefined ? own : await registration(own, registrar);
    const ownId = `x509_hash:${sha256(app.der)}`;
    const named = clientId?.(ownId) ?? ownId;
    const address = await serve((req, res) => {
      void (async () => {
        const chunks: Buffer[] = [];
        for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
        const sent = new URLSearchParams(Buffer.concat(chunks).toString()).get('wallet_nonce') ?? undefined;
        expect([req.method, sent === undefined]).toEqual([method.toUpperCase(), method === 'get']);
        const claims = {
          aud: 'https://self-issued.me/v2',
          client_id: named,
          response_type: 'vp_token',
          response_mode: 'direct_post.jwt',
          response_uri: answerTo ?? `${address}/callback`,
          nonce: 'n',
          state: 's',
          dcql_query: {
            credentials: [
              {
                id: 'pid',
                format: 'dc+sd-jwt',
                claims: [{ path: ['given_name'] }, { path: ['nationalities', null] }],
                ...query,
              },
            ],
          },
          client_metadata: {
            jwks: { keys: [{ kty: 'EC', kid: 's' }] },
            encrypted_response_enc_values_supported: ['A128GCM'],
          },
          verifier_info: [{ format: 'registration_cert', data }],
          wallet_nonce: nonce === undefined ? sent : nonce(sent),
        };
        const header = { alg: 'ES256', typ: 'oauth-authz-req+jwt', x5c: x5cOf(app) };
        res.end(await new SignJWT(claims).setProtectedHeader(header).sign(app.privateKey));
      })();
    });
    const link = { clientId: named, requestUri: `${address}/`, method };
    return await openRequest(link, [pemOf(ca)], new AbortController().signal);
  }

  const notFromThere = 'the request does not come from the party that the link names';

  describe('F85 the wallet takes no request that was made for somebody else', () => {
    it.each(['get', 'post'] as const)('F85 with its own nonce, by %s', async (method) => {
      expect((await opened({ method })).asked).toEqual([['given_name'], ['nationalities', null]]);
    });

    const replayed: [what: string, asking: Asking][] = [
      ['without a nonce', { nonce: () => undefined }],
      ['with an empty nonce', { nonce: () => '' }],
      ['with the nonce of another wallet', { nonce: () => randomBytes(16).toString('base64url') }],
      ['with a longer nonce', { nonce: (sent) => `${sent}x` }],
      ['with a nonce that it never sent', { method: 'get', nonce: () => 'x' }],
    ];
    it.each(replayed)('F85 %s', async (_what, asking) => {
      await expect(opened(asking)).rejects.toThrow(new RegExp(notFromThere, 'i'));
    });
  });

  describe('F82 the client id is read as it is written', () => {
    const ids: [what: string, clientId: NonNullable<Asking['clientId']>][] = [
      ['the host of the certificate', () => 'x509_san_dns:localhost'],
      ['the hash of another one', () => `x509_hash:${sha256('another')}`],
      ['its hash, with more behind it', (own) => `${own}:evil`],
      ['its hash, by another prefix', (own) => own.replace('x509_hash', 'X509_HASH')],
      ['its hash alone', (own) => own.replace('x509_hash:', '')],
      ['no hash', () => 'x509_hash:'],
    ];
    it.each(ids)('F82 %s is not its own', async (_what, clientId) => {
      await expect(opened({ clientId })).rejects.toThrow(new RegExp(notFromThere, 'i'));
    });
  });

  it.each(['https://elsewhere.example/callback', 'http://127.0.0.1:1/callback', 'http://10.0.0.1/'])(
    'F82 an app cannot have the answer sent to %s',
    async (answerTo) => {
      await expect(opened({ answerTo })).rejects.toThrow('answers only websites on this machine');
    },
  );

  describe('a query with sets of claims', () => {
    const entry: SdJwtVcTrust = {
      format: 'sd-jwt-vc',
      keys: { jwksUri: 'https://issuer.example' },
      vct: [sandboxProfile.germanVct],
    };
    const person = peopleOn(new Date()).erika.person;

    /** The names of what the German card discloses to an app that asks for these ages. */
    async function disclosed(reveal: readonly AttributeId[]): Promise<(string | number)[][]> {
      const [query] = queryOf(entry, reveal).credentials;
      const { asked } = await opened({ query: { ...query } });
      const pid = hideClaims(germanClaims(person, 'derived', new Date()), true);
      const shown = disclosuresFor(pid, asked);
      return pid.disclosures.flatMap(({ path, text }) => (shown.includes(text) ? [[...path]] : []));
    }

    it('discloses one age, and neither the other five nor a date', async () => {
      expect(await disclosed(['age_over_18'])).toEqual([['age_equal_or_over', '18'], ['age_equal_or_over']]);
    });

    it('discloses two, and what else is asked', async () => {
      const shown = await disclosed(['age_over_16', 'given_name', 'age_over_21']);
      expect(shown.map((path) => path.join('.')).toSorted(byName)).toEqual([
        'age_equal_or_over',
        'age_equal_or_over.16',
        'age_equal_or_over.21',
        'given_name',
      ]);
    });

    it('discloses the date where the card has no such age', async () => {
      expect(await disclosed(['age_over_18', 'age_over_20'])).toEqual([['birthdate']]);
    });

    it('takes no query of which the card has no set', async () => {
      const query = { claims: [{ id: 'a', path: ['shoe_size'] }], claim_sets: [['a'], ['a', 'b']] };
      const registration = async (own: string, by: Certified): Promise<string> =>
        await new SignJWT({ ...decodeJwt(own), credentials: [{ claim: query.claims }] })
          .setProtectedHeader({ alg: 'ES256', typ: 'rc-wrp+jwt', x5c: x5cOf(by) })
          .sign(by.privateKey);
      await expect(opened({ query, registration })).rejects.toThrow(/cannot answer this kind/);
    });
  });

  describe('F84 the wallet answers only who is registered for what is asked', () => {
    const nobody = certify({ name: 'Elsewhere', from: Math.floor(Date.now() / 1000) - 60 });
    const signed = async (claims: object, by: Certified, typ = 'rc-wrp+jwt'): Promise<string> =>
      await new SignJWT({ ...claims })
        .setProtectedHeader({ alg: 'ES256', typ, x5c: x5cOf(by) })
        .sign(by.privateKey);
    const credential = (...names: string[]): object => ({ claim: names.map((name) => ({ path: [name] })) });

    const refused: [what: string, registration: NonNullable<Asking['registration']>][] = [
      ['nothing', () => undefined],
      ['what a registrar signed whom nobody trusts', async (own) => await signed(decodeJwt(own), nobody)],
      ['what is no certificate', () => 'a.signed.registration'],
      ['another type', async (own, registrar) => await signed(decodeJwt(own), registrar, 'JWT')],
      [
        'what was changed after the registrar signed it',
        (own) => {
          const [header, , signature] = own.split('.');
          const claims = { ...decodeJwt(own), purpose: [] };
          return [header, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.');
        },
      ],
      [
        'that of another service',
        async (own, by) => await signed({ ...decodeJwt(own), sub: 'CN=Another service' }, by),
      ],
      ['one of nobody', async (own, by) => await signed({ ...decodeJwt(own), sub: undefined }, by)],
      [
        'one without credentials',
        async (own, by) => await signed({ ...decodeJwt(own), credentials: [] }, by),
      ],
      [
        'one for less than is asked',
        async (own, by) => await signed({ ...decodeJwt(own), credentials: [credential('given_name')] }, by),
      ],
      [
        'one for other paths',
        async (own, by) =>
          await signed({ ...decodeJwt(own), credentials: [credential('given_name', 'nationalities')] }, by),
      ],
    ];
    it.each(refused)('F84 refused: %s', async (_what, registration) => {
      await expect(opened({ registration })).rejects.toThrow(WalletRefusal);
    });
  });
});
