import type { ECDH } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Received } from '../../../lib/service/contract.js';
import { readAnswer, readBrowserAnswer } from '../../../lib/service/wallets/answer.js';
import { answerKey } from '../../../lib/service/wallets/keys.js';
import { type Way, ways } from '../../../lib/types/ways.js';
import { closeJwe, encode } from './close-jwe.js';

// Which form is refused, with which words for the developer, and what of it goes on.

const bytes = encode(Buffer.alloc(32, 1));
const leg = { ways, clientId: 'x509_hash:a', bytes };
const origin = 'https://shop.example/prefix';

/** Closes an answer for a flow and a way, as a wallet that was asked by them. */
const closed = (answer: object, way: Way = 'code', by: ECDH = answerKey(bytes, way)): string =>
  closeJwe(by, { header: { kid: `flow.${way}` }, plaintext: JSON.stringify(answer) }).join('.');

const byBrowser = (body: unknown): Received => readBrowserAnswer(body, 'flow', origin);

/** What reading a form says. */
function saidOf(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

const malformed = (message: string): unknown =>
  expect.objectContaining({ code: 'callback_malformed', message }) as unknown;

describe('a form that is no answer', () => {
  const one = 'A wallet posts either an encrypted response or an error.';
  const closedAs = 'The response is not encrypted as it must be.';
  const brackets = 'A parameter name has brackets.';

  it.each<[string, unknown, string]>([
    ['nothing', undefined, one],
    ['a state alone', { state: 'flow.code' }, one],
    ['a response and an error', { response: closed({}), error: 'access_denied' }, one],
    ['a response that is no JWE', { response: 'a.b' }, closedAs],
    [
      'a response without a kid',
      { response: closeJwe(answerKey(bytes, 'code'), { header: { kid: undefined } }).join('.') },
      closedAs,
    ],
    ['two responses', { response: ['a', 'b'] }, 'The form of a wallet has no single response.'],
    ['two errors', { error: ['a', 'b'] }, 'The form of a wallet has no single error.'],
    ['two states', { error: 'a', state: ['b', 'c'] }, 'The form of a wallet has no single state.'],
    ['two states, as bytes', Buffer.from('error=a&state=b&state=c'), 'A parameter of the body is repeated.'],
    ['an opened bracket in one of its names', { error: 'a', 'state[': 'b' }, brackets],
    ['a closed bracket in one of its names', { error: 'a', 'x]': 'b' }, brackets],
  ])('%s', (_, body, message) => {
    expect(saidOf(() => readAnswer(body))).toEqual(malformed(message));
  });

  const posts = 'The page posts either an encrypted response or an error.';
  const forBrowser = 'The response is not encrypted for this verification and the way by the browser.';

  it.each<[string, unknown, string]>([
    ['nothing', {}, posts],
    ['both', { response: closed({}, 'browser'), error: 'access_denied' }, posts],
    ['a response for the code', { response: closed({}) }, forBrowser],
    ['a response that is no JWE', { response: 'a.b' }, forBrowser],
  ])('of the page: %s', (_, body, message) => {
    expect(saidOf(() => byBrowser(body))).toEqual(malformed(message));
  });
});

describe('an answer', () => {
  const state = 'flow.code';
  const exactly = 'The vp_token has not exactly one presentation of the credential that was asked for.';

  it.each<[string, object, string]>([
    [
      'with the state of another request',
      { vp_token: { pid: ['a'] }, state: 'flow.link' },
      'The response has the state of another request.',
    ],
    [
      'with a presentation and an error',
      { vp_token: { pid: ['a'] }, error: 'access_denied', state },
      'The response has both a presentation and an error.',
    ],
    ['with neither', { state }, exactly],
    ['with a text', { vp_token: 'a', state }, exactly],
    ['with none', { vp_token: { pid: [] }, state }, exactly],
    ['with two', { vp_token: { pid: ['a', 'b'] }, state }, exactly],
    ['with one of another credential', { vp_token: { other: ['a'] }, state }, exactly],
    ['with one of another credential beside it', { vp_token: { pid: ['a'], other: ['b'] }, state }, exactly],
    ['with a text in place of a list', { vp_token: { pid: 'a' }, state }, exactly],
    ['with an object', { vp_token: { pid: [{}] }, state }, exactly],
  ])('%s is malformed', (_, answer, message) => {
    expect(readAnswer({ response: closed(answer) }).open(leg)).toEqual(malformed(message));
  });

  it('that another key has closed does not open', () => {
    const others = answerKey(encode(Buffer.alloc(32, 2)), 'code');
    const received = readAnswer({ response: closed({ state }, 'code', others) });
    expect(received.open(leg)).toEqual(malformed('The response does not open with the key of its flow.'));
  });

  it.each([
    ['a response', { response: closed({ state }) }],
    ['an error', { error: 'access_denied', state }],
  ])('%s by a way that the flow does not allow is nothing', (_, body) => {
    const message = 'The flow of this answer does not allow its way.';
    expect(readAnswer(body).open({ ...leg, ways: ['link'] })).toEqual(malformed(message));
    expect(readAnswer(body).open(undefined)).toEqual(malformed(message));
  });

  it.each([
    [
      'a response',
      { response: closeJwe(answerKey(bytes, 'code'), { header: { kid: 'flow.browser' } }).join('.') },
    ],
    ['an error', { error: 'access_denied', state: 'flow' }],
  ])('%s of no flow of ours has neither state nor way, and does not open', (_, body) => {
    const received = readAnswer(body);
    expect(received).toMatchObject({ state: '', digest: '' });
    expect(received).not.toHaveProperty('way');
    expect(received.open(leg)).toEqual(malformed('The state is not one of ours.'));
  });

  it('is the same one when it comes again, in one way alone', () => {
    const error = (code: string, way: string): string =>
      readAnswer({ error: code, state: `flow.${way}` }).digest;
    const all = [
      error('access_denied', 'code'),
      error('access_denied', 'link'),
      error('invalid_scope', 'code'),
    ];
    const responses = [closed({ state }), closed({ state, more: 1 })];
    const digests = [...all, ...responses.map((response) => readAnswer({ response }).digest)];
    expect(new Set(digests).size).toBe(5);
    expect(error('access_denied', 'code')).toBe(all[0]);
    expect(error('their own words', 'code')).toBe(error('other words of theirs', 'code'));
  });

  it('that the browser has brought is for the origin of the page, in both spellings', () => {
    const received = byBrowser({ response: closed({ vp_token: { pid: ['a'] } }, 'browser') });
    expect(received).toMatchObject({
      state: 'flow',
      way: 'browser',
      audience: ['origin:https://shop.example', 'origin:https://shop.example/'],
    });
    expect(received.open(leg)).toEqual({ kind: 'presentation', state: 'flow', presentation: 'a' });
    const stated = byBrowser({
      response: closed({ vp_token: { pid: ['a'] }, state: 'flow.browser' }, 'browser'),
    });
    expect(stated.open(leg)).toEqual(malformed('The response has the state of another request.'));
  });

  const codes = (
    'access_denied invalid_client invalid_request invalid_request_object invalid_request_uri ' +
    'invalid_request_uri_method invalid_scope invalid_transaction_data request_not_supported ' +
    'request_uri_not_supported server_error temporarily_unavailable unauthorized_client ' +
    'unsupported_response_type vp_formats_not_supported wallet_unavailable'
  ).split(' ');

  it.each([...codes.map((code) => [code, code]), ['Erika Mustermann', 'wallet_error'], ['', 'wallet_error']])(
    'with the error "%s" says %s, and no word of the wallet',
    (code, error) => {
      const said = { kind: 'error', state: 'flow', error, errorDescription: '' };
      const words = { error: code, error_description: 'Erika' };
      expect(readAnswer({ ...words, state }).open(leg)).toEqual(said);
      expect(readAnswer({ response: closed({ ...words, state }) }).open(leg)).toEqual(said);
      expect(byBrowser(words).open(leg)).toEqual(said);
    },
  );
});
