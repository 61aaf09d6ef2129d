import { expect, test } from '@jest/globals';
import type { SdJwtVcTrust } from '../../lib/ports.js';
import { type Authority, certify, pemOf, x5cOf } from '../support/certificates.js';
import { intermediate, leaf, root } from './chains.js';
import { serving, statusServer, verifierOf } from './status-server.js';

const published = statusServer();
const listLeaf = certify({ subject: 'Status Lists', issuer: intermediate });

/** The verdict on a good credential whose list this chain signed. */
async function by(
  [signer, ...others]: readonly [Authority, ...Authority[]],
  {
    header = {},
    payload = {},
    profile,
  }: { header?: object; payload?: object; profile?: SdJwtVcTrust['profile'] } = {},
): Promise<string> {
  published.answer = serving({
    signer: signer.keys,
    header: { x5c: x5cOf(signer, ...others), ...header },
    payload,
  });
  const trust = { keys: { x5c: { anchors: [pemOf(root)] } }, ...(profile && { profile }) };
  const token = { issuer: leaf.keys, header: { x5c: x5cOf(leaf, intermediate) } };
  return await verifierOf(published, trust).judge(undefined, token);
}

test('T06 a list whose certificate ends at the same anchor, though it is another one', async () => {
  expect(await by([listLeaf, intermediate])).toBe('valid');
  expect(await by([leaf, intermediate])).toBe('valid');
  expect(await by([listLeaf, intermediate], { profile: 'haip-1.0' })).toBe('valid');
});

test('T06 a list signed by another key than its certificate says', async () => {
  expect(await by([listLeaf, intermediate], { header: { x5c: x5cOf(leaf, intermediate) } })).toBe(
    'status_unavailable T06',
  );
});

test('K15 a list that brings no certificate, as its credential does', async () => {
  expect(await by([listLeaf], { header: { x5c: undefined } })).toBe('status_unavailable K15');
});

test('K03 a list whose certificate ends elsewhere', async () => {
  const other = certify({ subject: 'PID Root', isCa: true });
  expect(await by([certify({ subject: 'Status Lists', issuer: other })])).toBe('status_unavailable K03');
});

test('K04 an anchor inside the chain of a list, under HAIP', async () => {
  expect(await by([listLeaf, intermediate, root], { profile: 'haip-1.0' })).toBe('status_unavailable K04');
  expect(await by([listLeaf, intermediate, root])).toBe('valid');
});

test('K05 a list whose certificate signed itself, under HAIP', async () => {
  const own = certify({ subject: 'Status Lists' });
  expect(await by([own], { profile: 'haip-1.0' })).toBe('status_unavailable K05');
});

test('K06 a list whose certificate has expired', async () => {
  const expired = certify({
    subject: 'Status Lists',
    issuer: intermediate,
    notBefore: -200,
    notAfter: -100,
  });
  expect(await by([expired, intermediate])).toBe('status_unavailable K06');
});

test('K10 a list in the name of another issuer', async () => {
  expect(await by([listLeaf, intermediate], { payload: { iss: published.origin } })).toBe('valid');
  expect(await by([listLeaf, intermediate], { payload: { iss: 'https://other.example' } })).toBe(
    'status_unavailable K10',
  );
});
