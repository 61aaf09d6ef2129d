import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SignJWT, decodeJwt } from 'jose';
import type { ReceivedProveRequest } from '../../../../lib/service/prove/schema.js';
import { type Certified, certify, pemOf, x5cOf } from '../../../../lib/dev/sandbox/issuers/certificates.js';
import { type Access, register } from '../../../../lib/dev/sandbox/service/access.js';
import { requestObject } from '../../../../lib/dev/sandbox/service/request-object.js';
import { createLeg } from '../../../../lib/dev/sandbox/service/wallet-request.js';
import { serve } from '../../../support/serve.js';
import { type WalletRequest, WalletRefusal, openRequest } from '../../../../lib/dev/sandbox/wallet/wallet.js';

const request: ReceivedProveRequest = {
  issuer: 'de-ausweis',
  revealed: ['given_name', 'nationality'],
  state: randomBytes(32).toString('base64url'),
  same_device: true,
};

interface Asking {
  readonly method?: 'get' | 'post';
  readonly clientId?: string;
  readonly responseUri?: string;
  /** What comes back as `wallet_nonce`; default the wallet's own. */
  readonly nonce?: (sent: string | undefined) => string | undefined;
  readonly registration?: (
    own: string,
    registrar: Certified,
  ) => Promise<string | undefined> | string | undefined;
}

/** Has the built-in wallet open a request that some service answers with. */
async function opened({
  method = 'post',
  clientId = 'x509_san_dns:localhost',
  responseUri = 'http://localhost:1/response/x',
  nonce,
  registration,
}: Asking): Promise<WalletRequest> {
  const from = Math.floor(Date.now() / 1000) - 60;
  const ca = certify({ name: 'An authority', from });
  const service = certify({ name: 'A service', from, issuer: ca, dnsName: 'localhost' });
  const registrar = certify({ name: 'A registrar', from, issuer: ca });
  const own = await register(service, registrar, from);
  const access: Access = {
    clientId,
    privateKey: service.privateKey,
    x5c: x5cOf(service),
    anchors: [pemOf(ca)],
    registration: registration === undefined ? own : await registration(own, registrar),
  };
  const leg = await createLeg('link');
  const address = await serve((req, res) => {
    void (async () => {
      const chunks: Buffer[] = [];
      for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk);
      const sent = new URLSearchParams(Buffer.concat(chunks).toString()).get('wallet_nonce') ?? undefined;
      expect([req.method, sent === undefined]).toEqual([method.toUpperCase(), method === 'get']);
      const walletNonce = nonce === undefined ? sent : nonce(sent);
      const how = { responseUri, walletNonce, now: new Date() };
      res.end(await requestObject(request, leg, access, how));
    })();
  });
  const requestUri = `${address}/`;
  return await openRequest({ clientId, requestUri, method }, access.anchors, new AbortController().signal);
}

const notFromThere = 'the request does not come from the party that the link names';

describe('F85 the built-in wallet takes no request that was made for somebody else', () => {
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
  const ids = [
    'x509_san_dns:localhost:evil',
    'x509_san_dns:LOCALHOST',
    'x509_san_dns:localhost.',
    'x509_san_dns: localhost',
    'x509_san_dns:',
    'x509_san_dns',
    'X509_SAN_DNS:localhost',
    'x509_hash:localhost',
    'localhost',
    'redirect_uri:http://localhost:1/',
  ];
  it.each(ids)('F82 %s is not the host of the certificate', async (clientId) => {
    await expect(opened({ clientId })).rejects.toThrow(new RegExp(notFromThere, 'i'));
  });

  it.each([
    'http://evil.example/',
    'http://127.0.0.1:1/',
    'http://localhost.evil/',
    'http://localhost@evil.example/',
  ])('F82 a client id that is a host is not answered at %s', async (responseUri) => {
    await expect(opened({ responseUri })).rejects.toThrow(new RegExp(notFromThere, 'i'));
  });
});

describe('F84 the built-in wallet answers only who is registered for what is asked', () => {
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
    ['one without credentials', async (own, by) => await signed({ ...decodeJwt(own), credentials: [] }, by)],
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
