import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { VerifierSettings } from '../../../lib/verify/verify-presentation.js';
import type { Verdict } from '../../../lib/types/trust.js';
import { holdTimers } from '../held-timers.js';
import { closeServer, listenOn } from '../listen.js';
import { type KeyPair, type Mint, issuerKeys, nowSeconds, signJws } from './issuer.js';
import { type Members, inFull, inShort, startVerifier, state, trustIn } from './verdicts.js';

type Headers = Readonly<Record<string, string>>;
export type Answer = (res: ServerResponse, req: IncomingMessage) => unknown;

/** A real server for the tests of a file: of an issuer's keys at `/jwks.json`, of a status list at any other address. */
export interface IssuerServer {
  readonly origin: string;
  /** Where its status list is, unless a test asks for others. */
  readonly uri: string;
  readonly jwksUri: string;
  /** What was asked of it since the test began. */
  requests: IncomingMessage[];
  /** Changed by a test. To begin with there is the issuer's key under the kid `one`, and every status is VALID. */
  answer: Answer;
}

const serveGood: Answer = (res, req) => {
  const answer = req.url === '/jwks.json' ? servingKeys({ one: issuerKeys }) : servingList();
  answer(res, req);
};

export function issuerServer(): IssuerServer {
  holdTimers(); // the deadline of a fetch passes where a test says so, not where the machine is busy
  const published = {
    origin: '',
    uri: '',
    jwksUri: '',
    requests: [] as IncomingMessage[],
    answer: serveGood,
  };
  const server = createServer((req, res) => {
    published.requests.push(req);
    published.answer(res, req);
  });
  beforeAll(async () => {
    const origin = await listenOn(server);
    Object.assign(published, { origin, uri: `${origin}/statuslists/1`, jwksUri: `${origin}/jwks.json` });
  });
  beforeEach(() => {
    Object.assign(published, { requests: [], answer: serveGood });
  });
  afterAll(async () => await closeServer(server));
  return published;
}

/** Answers with a JWK set of these keys by their kids. */
export function servingKeys(keys: Readonly<Record<string, KeyPair>>, headers: Headers = {}): Answer {
  return servingJson({ keys: Object.entries(keys).map(([kid, { jwk }]) => ({ ...jwk, kid })) }, headers);
}

export function servingJson(value: unknown, headers: Headers = {}): Answer {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(value));
  };
}

export function servingStatus(code: number): Answer {
  return (res) => res.writeHead(code).end();
}

/** What a list token says: good, but for what a test changes. Texts are signed as they stand. */
export interface ListMint {
  readonly signer?: KeyPair;
  readonly header?: unknown;
  readonly payload?: unknown;
  /** Members of the list inside. */
  readonly list?: Members;
}

/** Packs bytes as a `lst`. */
export function packed(...bytes: readonly number[]): string {
  return deflateSync(Uint8Array.from(bytes)).toString('base64url');
}

export function goodHeader({ signer = issuerKeys, header = {} }: ListMint = {}): Record<string, unknown> {
  return { alg: signer.alg, typ: 'statuslist+jwt', ...(header as object) };
}

export function goodPayload(sub: string, { payload = {}, list = {} }: ListMint = {}) {
  const status_list = { bits: 1, lst: packed(0, 0), ...list };
  return { sub, iat: nowSeconds - 60, exp: nowSeconds + 3600, status_list, ...(payload as object) };
}

export function listToken(sub: string, change: ListMint = {}): string {
  const { signer = issuerKeys, header, payload } = change;
  return signJws(
    typeof header === 'string' ? header : goodHeader(change),
    typeof payload === 'string' ? payload : goodPayload(sub, change),
    signer,
  );
}

/** Answers every address with a list token that was made for it. */
export function servingList(change: ListMint = {}, headers: Headers = {}): Answer {
  return (res, req) => {
    servingText(listToken(`http://${req.headers.host ?? ''}${req.url ?? ''}`, change), headers)(res, req);
  };
}

/** Answers with a text as if it were a list token. */
export function servingText(text: string, headers: Headers = {}, code = 200): Answer {
  return (res) => res.writeHead(code, { 'content-type': 'application/statuslist+jwt', ...headers }).end(text);
}

/** A fetch that has this list token at one address, and at every other what the caller says. */
export function fetchList(token: string, uri: string, others: () => string): typeof globalThis.fetch {
  const headers = { 'content-type': 'application/statuslist+jwt' };
  return async (asked) =>
    await Promise.resolve(asked === uri ? new Response(token, { headers }) : new Response(others()));
}

/** A verifier with a clock of its own that trusts the server's origin, and what it says of a credential's status. */
export function statusVerifier(server: IssuerServer, change: object = {}, settings: VerifierSettings = {}) {
  const { wait, verdict } = startVerifier(trustIn({ iss: server.origin, ...change }), settings);
  /** The verdict on a good token, but for what the test changes, with this status. */
  const ask = (
    status: unknown = { status_list: { idx: 0, uri: server.uri } },
    token: Mint = {},
    asked: object = {},
  ): Promise<Verdict> =>
    verdict({ ...token, payload: { iss: server.origin, status, ...(token.payload as Members) } }, asked);
  return {
    wait,
    verdict: ask,
    judge: async (...input: Parameters<typeof ask>) => inShort(await ask(...input)),
    explain: async (...input: Parameters<typeof ask>) => inFull(await ask(...input)),
    /** The verdict on entry `idx` of the list. */
    at: async (idx: unknown) => inShort(await ask({ status_list: { idx, uri: server.uri } })),
    /** The verdict on an entry of the list at this address. */
    from: async (uri: unknown) => inShort(await ask({ status_list: { idx: 0, uri } })),
  };
}

/** A verifier with a clock of its own, and what it says of a good token of this key, under this kid. */
export function keysVerifier(jwksUri: string, settings: VerifierSettings = {}) {
  const { wait, verdict } = startVerifier(trustIn({ keys: { jwksUri } }), settings);
  const ask = (kid: string | null = 'one', issuer = issuerKeys, forState = state) =>
    verdict({ issuer, header: { kid: kid ?? undefined } }, {}, forState);
  return {
    wait,
    judge: async (...input: Parameters<typeof ask>) => inShort(await ask(...input)),
    /** What it says of a good token, with the sentence for the operator. */
    explain: async () => inFull(await ask()),
  };
}
