import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { createVerifiers } from '../../../lib/verify/verifiers.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import { holdTimers } from '../../support/held-timers.js';
import { type KeyPair, issuerKeys, now } from '../../support/verify/issuer.js';
import { expected, inShort, present, state, trustIn } from '../trust/trusting.js';

type Headers = Readonly<Record<string, string>>;
type Answer = (res: ServerResponse, req: IncomingMessage) => void;

/** A real server that publishes an issuer's keys for the tests of this file. */
export interface JwksServer {
  readonly url: string;
  /** What was asked of it since the test began. */
  requests: IncomingMessage[];
  /** Changed by a test; the issuer's key under the kid `one` to begin with. */
  answer: Answer;
}

export function jwksServer(): JwksServer {
  holdTimers(); // the deadline of a fetch passes where a test says so, not where the machine is busy
  const published = { url: '', requests: [] as IncomingMessage[], answer: serving({ one: issuerKeys }) };
  const server = createServer((req, res) => {
    published.requests.push(req);
    published.answer(res, req);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    published.url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}/jwks.json`;
  });
  beforeEach(() => {
    published.requests = [];
    published.answer = serving({ one: issuerKeys });
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });
  return published;
}

/** Answers with a JWK set of these keys by their kids. */
export function serving(keys: Readonly<Record<string, KeyPair>>, headers: Headers = {}): Answer {
  return json({ keys: Object.entries(keys).map(([kid, { jwk }]) => ({ ...jwk, kid })) }, headers);
}

export function json(value: unknown, headers: Headers = {}): Answer {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
}

export function status(code: number): Answer {
  return (res) => {
    res.writeHead(code).end();
  };
}

/** A verifier with a clock of its own, and what it says of a good token of this key, under this kid. */
export function verifierOf(jwksUri: string, fetch?: typeof globalThis.fetch) {
  let seconds = 0;
  const clock = () => new Date(now.getTime() + seconds * 1000);
  const trust = trustIn({ keys: { jwksUri } });
  const verify = createVerifiers(trust, fetch === undefined ? { clock } : { clock, fetch }).get('de-ausweis');
  const verdictOn = async (kid: string | null, issuer: KeyPair, forState: string) => {
    const iat = now.getTime() / 1000 + seconds;
    const token = present({
      issuer,
      header: { kid: kid ?? undefined },
      payload: { iat, exp: undefined },
      binding: { payload: { iat, nonce: nonceOf(forState) } },
    });
    const verdict = await verify?.(token, expected);
    if (verdict === undefined) throw new Error('There is no verifier.');
    return verdict;
  };
  return {
    wait: (more: number) => {
      seconds += more;
    },
    judge: async (kid: string | null = 'one', issuer = issuerKeys, forState = state): Promise<string> =>
      inShort(await verdictOn(kid, issuer, forState)),
    /** What it says of a good token, with the sentence for the operator. */
    why: async (): Promise<string> => {
      const verdict = await verdictOn('one', issuerKeys, state);
      return verdict.valid ? 'valid' : `${inShort(verdict)}: ${verdict.reason}`;
    },
  };
}
