import { type IncomingMessage, type ServerResponse, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { deflateSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type VerifierSettings, createVerifiers } from '../../../lib/verify/verify-presentation.js';
import type { SdJwtVcTrust } from '../../../lib/types/trust.js';
import type { Expected, Verdict } from '../../../lib/types/verifier.js';
import { nonceOf } from '../../../lib/service/nonce.js';
import {
  type KeyPair,
  type Mint,
  issuerKeys,
  now,
  nowSeconds,
  signJws,
} from '../../support/verify/issuer.js';
import { holdTimers } from '../../support/held-timers.js';
import { expected, inShort, present, state, trustIn } from '../../support/verify/verdicts.js';

type Members = Readonly<Record<string, unknown>>;
type Headers = Readonly<Record<string, string>>;
type Answer = (res: ServerResponse, req: IncomingMessage) => void;

/** A real server that publishes status lists for the tests of this file. */
export interface StatusServer {
  origin: string;
  /** Where its one list is, unless a test asks for others. */
  uri: string;
  /** What was asked of it since the test began. */
  requests: IncomingMessage[];
  /** Changed by a test; a list of entries that are all VALID to begin with. */
  answer: Answer;
}

export function statusServer(): StatusServer {
  holdTimers(); // the deadline of a fetch passes where a test says so, not where the machine is busy
  const published = { origin: '', uri: '', requests: [] as IncomingMessage[], answer: serving() };
  const server = createServer((req, res) => {
    published.requests.push(req);
    published.answer(res, req);
  });
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    published.origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
    published.uri = `${published.origin}/statuslists/1`;
  });
  beforeEach(() => {
    published.requests = [];
    published.answer = serving();
  });
  afterAll(async () => {
    await new Promise((resolve) => {
      server.close(resolve);
      server.closeAllConnections();
    });
  });
  return published;
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
export function serving(change: ListMint = {}, headers: Headers = {}): Answer {
  return (res, req) => {
    answering(listToken(`http://${req.headers.host ?? ''}${req.url ?? ''}`, change), headers)(res, req);
  };
}

/** Answers with a text as if it were a list token. */
export function answering(text: string, headers: Headers = {}): Answer {
  return (res) => {
    res.writeHead(200, { 'content-type': 'application/statuslist+jwt', ...headers }).end(text);
  };
}

/** A presentation: good, but for what a test changes. */
export interface Presented extends Mint {
  readonly payload?: Members;
}

/** A verifier with a clock of its own that trusts the server's origin, and what it says of a good token. */
export function verifierOf(
  server: StatusServer,
  change: Partial<SdJwtVcTrust> = {},
  settings: VerifierSettings = {},
) {
  let seconds = 0;
  const clock = () => new Date(now.getTime() + seconds * 1000);
  const trust = trustIn({ iss: server.origin, ...change });
  const verify = createVerifiers(trust, { clock, ...settings }).get('de-ausweis');
  const verdict = async (
    status: unknown = { status_list: { idx: 0, uri: server.uri } },
    token: Presented = {},
    asked: Partial<Expected> = {},
  ): Promise<Verdict> => {
    const iat = nowSeconds + seconds;
    const presentation = present({
      binding: { payload: { iat, nonce: nonceOf(state) } },
      ...token,
      payload: { iss: server.origin, iat, exp: undefined, status, ...token.payload },
    });
    const found = await verify?.(presentation, { ...expected, ...asked });
    if (found === undefined) throw new Error('There is no verifier.');
    return found;
  };
  return {
    wait: (more: number) => {
      seconds += more;
    },
    verdict,
    judge: async (...args: Parameters<typeof verdict>): Promise<string> => inShort(await verdict(...args)),
    /** The verdict on entry `idx` of the list. */
    at: async (idx: unknown): Promise<string> =>
      inShort(await verdict({ status_list: { idx, uri: server.uri } })),
    /** The verdict on an entry of the list at this address. */
    from: async (uri: unknown): Promise<string> => inShort(await verdict({ status_list: { idx: 0, uri } })),
  };
}

export function reasonOf(verdict: Verdict): string {
  return verdict.valid ? '' : verdict.reason;
}
