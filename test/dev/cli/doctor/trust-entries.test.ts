import type { RequestListener } from 'node:http';
import { afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { identityVerification, memoryStore } from '../../../../lib/index.js';
import { publishedFacts } from '../../../../lib/dev/cli/doctor/facts.js';
import { findingsIn } from '../../../../lib/set-up/list.js';
import { type Published, publishedFor } from '../../../../lib/dev/cli/doctor/trust-facts.js';
import type { Kit } from '../../../../lib/http/context.js';
import { kitSymbol } from '../../../../lib/options/development.js';
import type { Sandbox } from '../../../../lib/dev/sandbox/index.js';
import { openSandbox, startApp } from '../../../support/app.js';
import { certify, pemOf } from '../../../support/verify/certificates.js';
import { nowSeconds } from '../../../support/verify/issuer.js';
import { refusingPort } from '../../../support/refusing-port.js';
import { serve } from '../../../support/serve.js';
import { idsOf, seenFromInside } from './patient.js';
import { keyPair } from '../../../support/key-pair.js';

const day = 86_400;
const today = Math.round(Date.now() / 1000) - nowSeconds; // validity is told from the moment at which other tests stand

const made = new Map<string, string>();

function certificate(subject: string, days: number): string {
  const name = `${subject} ${days}`;
  const [notBefore, notAfter] = [today - 60 * day, today + days * day];
  const pem = made.get(name) ?? pemOf(certify({ subject, notBefore, notAfter, isCa: subject === 'A CA' }));
  made.set(name, pem);
  return pem;
}

const anchor = (days: number): string => certificate('A CA', days);
const signer = (days: number): string => certificate('A signer', days);

let sandbox: Sandbox;
let published = '';
let refused = 0;

const answer: RequestListener = (req, res) => {
  if (req.url === '/keys') res.setHeader('content-type', 'application/json').end('{"keys":[{"kty":"EC"}]}');
  else if (req.url === '/list')
    res.setHeader('content-type', 'application/jwt').end('eyJhIjoxfQ.eyJhIjoxfQ.c2ln');
  else if (req.url === '/page') res.end('<!doctype html>');
  else res.writeHead(404).end();
};

beforeAll(async () => {
  sandbox = await openSandbox();
  published = await serve(answer);
  refused = await refusingPort();
});
beforeEach(() => {
  jest.spyOn(process, 'emitWarning').mockImplementation(() => undefined);
});
afterEach(() => void jest.restoreAllMocks());

interface Form {
  readonly name: string;
  readonly keys: () => object;
  readonly found: readonly string[];
}

const lists: readonly [where: string, address: () => string, found: string[]][] = [
  ['a list', () => `${published}/list`, []],
  ['a list that is not there', () => `${published}/gone`, ['keys-away']],
  ['a list whose server is down', () => `http://127.0.0.1:${refused}/list`, ['keys-away']],
  ['a page in place of a list', () => `${published}/page`, ['keys-away']],
];
const signers: readonly [who: string, days: readonly number[], found: string[]][] = [
  ['one signer', [300], []],
  ['two signers', [300, 301], []],
  ['an expired signer', [-1], ['anchor-expired']],
  ['a signer that expires in a week', [7], ['anchor-expires-soon']],
];
const anchors: readonly [what: string, pems: () => string[] | undefined, found: string[]][] = [
  ['no anchor', () => undefined, []],
  ['an anchor', () => [anchor(300)], []],
  ['two anchors in one text', () => [anchor(300) + anchor(301)], []],
  ['an expired anchor', () => [anchor(300), anchor(-1)], ['anchor-expired']],
];

/** Every form of `keys`: the mechanisms, and all that may stand together in `x5c`. */
const forms: readonly Form[] = [
  {
    name: 'jwks',
    keys: () => ({ jwks: { keys: [{ ...publicJwk(), kid: 'a' }] } }),
    found: [],
  },
  { name: 'jwksUri', keys: () => ({ jwksUri: `${published}/keys` }), found: [] },
  { name: 'jwksUri that is not there', keys: () => ({ jwksUri: `${published}/gone` }), found: ['keys-away'] },
  ...anchors.flatMap(([what, pems, found]) => {
    const alone = { name: what, keys: () => ({ x5c: { anchors: pems() } }), found };
    const beside = lists.flatMap(([where, address, away]) =>
      signers.map(([who, days, expired]) => ({
        name: `${where} of ${who} beside ${what}`,
        keys: () => ({
          x5c: {
            ...(pems() !== undefined && { anchors: pems(), anchorsValidUntil: new Date(Date.now() + 1e9) }),
            trustedList: {
              url: address(),
              signers: days.map(signer),
              territories: ['DE'],
              ...(pems() !== undefined && { store: memoryStore() }),
            },
          },
        }),
        found: [...new Set([...found, ...expired, ...away])],
      })),
    );
    return pems() === undefined ? beside : [alone, ...beside];
  }),
];

function publicJwk(): object {
  return keyPair('ec', { namedCurve: 'P-256' }).publicKey.export({ format: 'jwk' });
}

const sdJwtVc = (keys: object, derivedBy?: object): object => ({
  format: 'sd-jwt-vc',
  keys,
  vct: ['urn:eudi:pid:1'],
  keyBinding: { nonce: 'state-sha256', audience: 'x509_hash:a' },
  ...(derivedBy !== undefined && { derivedBy }),
});

const signedJwt = (keys: object): object => ({
  format: 'jwt',
  keys,
  iss: 'https://service.example',
  audience: 'a',
  typ: 'statement+jwt',
  binding: { claim: 'nonce', value: 'state-sha256' },
  claims: { given_name: ['given_name'] },
  derived: { nationality: { result: ['derived', 'nationality'], value: ['derived_for', 'nationality'] } },
});

const trustWith = (entry: unknown) =>
  ({ ...sandbox.options.trust, 'de-ausweis': entry }) as Sandbox['options']['trust'];

/** What doctor finds in a trust entry, as the factory has taken it. */
function foundIn(published: readonly Published[]): string[] {
  return findingsIn(publishedFacts(published, new Date()))
    .map(({ id }) => id)
    .toSorted();
}

async function foundWith(entry: unknown): Promise<string[]> {
  const kit = identityVerification({ ...sandbox.options, trust: trustWith(entry), reveal: ['given_name'] });
  const { config } = (Reflect.get(kit, kitSymbol) as () => Kit)();
  return foundIn(await publishedFor(config.trust));
}

/** The same of an app that it enters. */
async function reportedWith(entry: unknown): Promise<string[]> {
  const app = await startApp({ sandbox, options: { trust: trustWith(entry) } });
  const report = await seenFromInside(app, {
    IDENTITY_BASE_URL: sandbox.options.baseUrl,
    IDENTITY_API_KEY: sandbox.options.apiKey,
    IDENTITY_ISSUER: 'xx-sandbox',
  });
  expect(report.notChecked).toEqual([expect.stringMatching(/^the session secret/)]);
  return idsOf(report).toSorted();
}

describe('F83 doctor --entry reports on a trust entry of every form', () => {
  it.each(forms)('F83 $name', async ({ keys, found }) => {
    const [other = keys] = forms.slice(1, 2).map((form) => form.keys); // an address of keys
    expect(await foundWith(sdJwtVc(keys()))).toEqual([...found].toSorted());
    expect(await foundWith(signedJwt(keys()))).toEqual([...found].toSorted());
    expect(await foundWith(sdJwtVc(other(), signedJwt(keys())))).toEqual([...found].toSorted());
  });

  it('F83 in an app that it enters: nothing wrong, and all that can be', async () => {
    const { keys: good = () => ({}) } = forms.at(0) ?? {};
    expect(await reportedWith(sdJwtVc(good()))).toEqual([]);
    const { keys: bad = () => ({}), found = [] } = forms.findLast((form) => form.found.length > 1) ?? {};
    const all = [...found].toSorted();
    expect(all).toEqual(['anchor-expired', 'anchor-expires-soon', 'keys-away']);
    expect(await reportedWith(sdJwtVc(bad()))).toEqual(all);
    expect(await reportedWith(sdJwtVc(good(), signedJwt(bad())))).toEqual(all);
  });

  it("F83 a verifier of the app's own", async () => {
    const own = async () => await Promise.resolve({ valid: false, reason: 'no' });
    expect([await foundWith(own), await reportedWith(own)]).toEqual([[], []]);
  });
});
