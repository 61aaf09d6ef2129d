import { afterAll, describe, expect, it } from '@jest/globals';
import { type JWTPayload, decodeJwt } from 'jose';
import { type Deviation, foreignWallet } from '../../support/foreign-wallet.js';
import { agree, germanFlow, openWallet, openid4vpLinkOn } from '../../dev/sandbox/german.js';

// The modules of the OpenID Foundation's HAIP verifier plan (oid4vp-1final-verifier-haip-test-plan) that apply to
// SD-JWT VC, and the cases beside them that HAIP demands of a verifier. What the plan calls the verifier is two here:
// the service takes the response, and the customer, who has the kit, judges it. So a bad presentation is refused by
// the kit, and a bad response by the service.

const year = 365 * 24 * 60 * 60;

async function open() {
  const flow = await germanFlow();
  const wallet = await foreignWallet(flow.service);
  const link = openid4vpLinkOn((await flow.browser.get(flow.page)).text);
  return { flow, link, opened: await wallet.open(link) };
}

async function judge(deviation: Deviation) {
  const { flow, opened } = await open();
  expect((await opened.send(await opened.respond(deviation))).status).toBe(200);
  return await flow.verdict();
}

/** Fetches the request object behind a link, by POST where there is a form. */
async function fetchRequest(link: string, form?: Record<string, string>): Promise<JWTPayload> {
  const uri = new URL(link).searchParams.get('request_uri') ?? '';
  const post = form && { method: 'POST', body: new URLSearchParams(form) };
  return decodeJwt(await (await fetch(uri, post)).text());
}

/** Changes the issuer's or the holder's signature, and leaves it well-formed. */
function breakSignature(which: 'issuer' | 'holder') {
  return (presentation: string): string => {
    const parts = presentation.split('~');
    const at = which === 'issuer' ? 0 : parts.length - 1;
    const [header, payload, signature = ''] = (parts[at] ?? '').split('.');
    const bytes = Buffer.from(signature, 'base64url');
    bytes.writeUInt8(bytes.readUInt8(0) ^ 1, 0);
    parts[at] = [header, payload, bytes.toString('base64url')].join('.');
    return parts.join('~');
  };
}

const refusedByTheKit: [string, Deviation, string][] = [
  ['invalid-credential-signature', { forge: breakSignature('issuer') }, 'K02'],
  ['invalid-kb-jwt-signature', { tamper: breakSignature('holder') }, 'B06'],
  ['invalid-kb-jwt-nonce', { nonce: 'not-the-nonce-of-the-request' }, 'B07'],
  ['invalid-kb-jwt-aud', { audience: 'x509_san_dns:verifier.example' }, 'B08'],
  ['invalid-sd-hash', { sdHash: 'A'.repeat(43) }, 'B14'],
  ['kb-jwt-iat-in-past', { issuedAt: -year }, 'B11'],
  ['kb-jwt-iat-in-future', { issuedAt: year }, 'B10'],
];

let cases = 0;

describe('HAIP verifier, negative', () => {
  it.each(refusedByTheKit)('%s', async (_name, deviation, check) => {
    expect(await judge(deviation)).toMatchObject({ valid: false, check });
    cases += 1;
  });

  it('present-revoked-credential', async () => {
    const { flow } = await open();
    flow.service.next('revoked');
    const revoked = await germanFlow({ service: flow.service });
    await agree(revoked, await openWallet(revoked));
    expect(await revoked.verdict()).toMatchObject({ valid: false, check: 'T15' });
    cases += 1;
  });

  it('no-key-binding', async () => {
    const { opened } = await open();
    const cut = (presentation: string): string => presentation.slice(0, presentation.lastIndexOf('~') + 1);
    expect((await opened.send(await opened.respond({ tamper: cut }))).status).toBe(400);
    cases += 1;
  });

  it('unencrypted-response', async () => {
    const { flow, opened } = await open();
    const body = new URLSearchParams({ vp_token: '{"pid":["x"]}' });
    expect((await fetch(opened.request.response_uri, { method: 'POST', body })).status).toBe(400);
    expect(flow.callbacks).toHaveLength(0);
    cases += 1;
  });

  it('response-replayed', async () => {
    const { flow, opened } = await open();
    const response = await opened.respond();
    expect((await opened.send(response)).status).toBe(200);
    expect((await opened.send(response)).status).toBe(400);
    expect(flow.callbacks).toHaveLength(1);
    cases += 1;
  });

  afterAll(() => {
    console.log(`wallets: ${cases} of 11 negative cases for a HAIP verifier refused`);
  });
});

describe('HAIP verifier, positive', () => {
  it('happy-flow, minimal-cnf-jwk', async () => {
    const { flow, opened } = await open();
    let members: string[] = [];
    const look = (presentation: string): string => {
      const payload = Buffer.from(presentation.split('.')[1] ?? '', 'base64url').toString();
      members = Object.keys((JSON.parse(payload) as { cnf: { jwk: object } }).cnf.jwk);
      return presentation;
    };
    await opened.send(await opened.respond({ tamper: look }));
    expect(members).toEqual(['kty', 'crv', 'x', 'y']);
    expect(await flow.verdict()).toMatchObject({ valid: true, attributes: { given_name: 'ERIKA' } });
  });

  it('request-uri-method-post', async () => {
    const { link } = await open();
    expect(new URL(link).searchParams.get('request_uri_method')).toBe('post');
    expect((await fetchRequest(link, { wallet_nonce: 'n' }))['wallet_nonce']).toBe('n');
  });

  it('request-uri-fetched-twice', async () => {
    const { flow, link, opened } = await open();
    const [one, other] = [await fetchRequest(link), await fetchRequest(link)];
    expect(one['nonce']).toBe(other['nonce']);
    await opened.send(await opened.respond());
    expect(await flow.verdict()).toMatchObject({ valid: true });
  });
});
