import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import { brotliCompressSync, createGzip, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { createVerifiers } from '../../lib/verify/verify-presentation.js';
import { deep } from '../support/deep.js';
import { good, signedWith } from '../support/verify/chains.js';
import { clock, iss, issuerKeys } from '../support/verify/issuer.js';
import { signed, trusting } from '../support/verify/lists.js';
import { listToken } from '../support/verify/servers.js';
import { expected, inFull, present, trustIn } from '../support/verify/verdicts.js';
import { holdTimers } from '../support/held-timers.js';
import { closeServer, listenOn } from '../support/listen.js';

/** What is sent in place of a document, and the header that says how. */
type Sent = readonly [encoding: string, body: Buffer];
type Compress = (document: Buffer, req: IncomingMessage) => Sent | ((res: ServerResponse) => void);

let origin = '';
let compress: Compress;
let asked: IncomingMessage[];
let closed: Promise<void>;
let list = '';

const documents: Readonly<Record<string, () => readonly [type: string, text: string]>> = {
  '/status': () => ['application/statuslist+jwt', listToken(`${origin}/status`)],
  '/keys': () => ['application/jwk-set+json', JSON.stringify({ keys: [issuerKeys.jwk] })],
  '/providers': () => ['application/jwt', list],
};

const server = createServer((req, res) => {
  asked.push(req);
  closed = new Promise((resolve) => res.once('close', () => resolve()));
  const [type, text] = documents[req.url ?? '']?.() ?? ['text/plain', ''];
  const sent = compress(Buffer.from(text), req);
  res.setHeader('content-type', type);
  if (typeof sent === 'function') {
    sent(res);
    return;
  }
  const [encoding, body] = sent;
  if (encoding !== '') res.setHeader('content-encoding', encoding);
  res.end(body);
});

holdTimers();
beforeAll(async () => {
  origin = await listenOn(server);
  list = await signed();
});
beforeEach(() => {
  asked = [];
});
afterEach(() => {
  server.closeAllConnections();
});
afterAll(async () => await closeServer(server));

/** The kinds of documents that are fetched: what a presentation is told that needs this one, and its largest size. */
const kinds = {
  'a status list': {
    path: '/status',
    refusal: "credential_status_unavailable T05 The credential's status list cannot be used: the reply is",
    maxBytes: 4 * 1024 * 1024,
    judge: async () => {
      const status = { status_list: { idx: 0, uri: `${origin}/status` } };
      return await judge(trustIn({ iss: origin }), present({ payload: { iss: origin, status } }));
    },
  },
  'a key set': {
    path: '/keys',
    refusal: "keys_unavailable K14 The issuer's keys came in a reply that is",
    maxBytes: 256 * 1024,
    judge: async () => await judge(trustIn({ keys: { jwksUri: `${origin}/keys` } }), present()),
  },
  'a list of trusted entities': {
    path: '/providers',
    refusal: 'keys_unavailable L17 The list of trusted entities cannot be used: it came in a reply that is',
    maxBytes: 5 * 1024 * 1024,
    judge: async () =>
      await judge(
        trusting({ url: `${origin}/providers` }),
        present({ ...signedWith(good), payload: { iss } }),
      ),
  },
} as const;

async function judge(trust: Parameters<typeof createVerifiers>[0], token: string): Promise<string> {
  const verdict = await createVerifiers(trust, { clock }).get('de-ausweis')?.(token, expected);
  return verdict === undefined ? '' : inFull(verdict);
}

const gzip: Compress = (document) => ['gzip', gzipSync(document)];
const wantsGzip = (req: IncomingMessage) => req.headers['accept-encoding'] === 'gzip';
/** The parts of one gzip member, each a member of its own. */
const inMembers = (document: Buffer) =>
  Buffer.concat([gzipSync(document.subarray(0, 20)), gzipSync(document.subarray(20))]);
const changed = (at: number) => (document: Buffer) => {
  const body = gzipSync(document);
  const from = at < 0 ? body.length + at : at;
  body.writeUInt8(body.readUInt8(from) ^ 1, from);
  return ['gzip', body] as const;
};

const read: Readonly<Record<string, Compress>> = {
  'compresses what is to be compressed': (document, req) =>
    wantsGzip(req) ? gzip(document, req) : ['', document],
  'compresses everything, asked or not': gzip,
  'compresses nothing': (document) => ['', document],
  'says that it compresses nothing': (document) => ['identity', document],
  'names it as of old': (document) => ['x-gzip', gzipSync(document)],
  'names it in capitals': (document) => ['GZIP', gzipSync(document)],
  'stores without compressing': (document) => ['gzip', gzipSync(document, { level: 0 })],
  'sends several members': (document) => ['gzip', inMembers(document)],
  'sends it byte by byte': (document) => (res) => {
    res.setHeader('content-encoding', 'gzip');
    for (const byte of gzipSync(document)) res.write(Uint8Array.of(byte));
    res.end();
  },
};

const notGzip = 'compressed, and not with gzip alone.';
const broken = 'not the gzip that it says it is.';
const refused: Readonly<Record<string, readonly [what: string, compress: Compress]>> = {
  'deflates it': [notGzip, (document) => ['deflate', deflateSync(document)]],
  'compresses it with Brotli': [notGzip, (document) => ['br', brotliCompressSync(document)]],
  'compresses it in a way that nobody knows': [notGzip, (document) => ['zip', document]],
  'compresses it twice, and says so': [notGzip, (document) => ['gzip, gzip', gzipSync(gzipSync(document))]],
  'says so twice': [notGzip, (document) => ['gzip, identity', gzipSync(document)]],
  'compresses it twice, and says so once': [
    'not UTF-8.',
    (document) => ['gzip', gzipSync(gzipSync(document))],
  ],
  'says so and does not': [broken, (document) => ['gzip', document]],
  'says so and deflates it': [broken, (document) => ['gzip', deflateSync(document)]],
  'says so and sends bare DEFLATE': [broken, (document) => ['gzip', deflateRawSync(document)]],
  'sends nothing': [broken, () => ['gzip', Buffer.of()]],
  'ends too early': [broken, (document) => ['gzip', gzipSync(document).subarray(0, -9)]],
  'ends before the checksum': [broken, (document) => ['gzip', gzipSync(document).subarray(0, -8)]],
  'ends in its second member': [broken, (document) => ['gzip', inMembers(document).subarray(0, -9)]],
  'has another header': [broken, changed(0)],
  'has another method': [broken, changed(2)],
  'has another checksum': [broken, changed(-8)],
  'has another length': [broken, changed(-4)],
};

/** As many zeros as these, compressed to a thousandth. */
const zeros = (bytes: number) => gzipSync(Buffer.alloc(bytes));
/** A member of 20 bytes that inflates to nothing. */
const nothing = gzipSync(Buffer.of());

/** Sends this again and again, for as long as somebody listens. */
const forever = (res: ServerResponse, part: Buffer) => {
  const more = () => {
    while (!res.destroyed && res.write(part));
  };
  res.setHeader('content-encoding', 'gzip').on('drain', more);
  more();
};

const bombs: Readonly<Record<string, (maxBytes: number) => Compress>> = {
  'of one byte too many': (maxBytes) => () => ['gzip', zeros(maxBytes + 1)],
  'of 20 MB': () => () => ['gzip', zeros(20_000_000)],
  'that never ends': () => () => (res) => {
    res.setHeader('content-encoding', 'gzip');
    const bomb = createGzip({ level: 9 });
    bomb.pipe(res).once('close', () => bomb.destroy());
    const more = () => {
      while (!res.destroyed && bomb.write(Buffer.alloc(1_000_000)));
    };
    bomb.on('drain', more);
    more();
  },
  'of members that hold nothing, without end': () => () => (res) =>
    forever(res, Buffer.alloc(20_000, nothing)),
  'of members that hold zeros, without end': () => () => (res) => forever(res, zeros(10_000)),
};

describe.each(Object.entries(kinds))(
  'F114 %s from a server that',
  (_, { path, refusal, maxBytes, judge }) => {
    test.each(Object.entries(read))('F114 %s is read', async (_, how) => {
      compress = how;
      expect(await judge()).toBe('valid');
      expect(asked.map((req) => [req.url, req.headers['accept-encoding']])).toEqual([[path, 'gzip']]);
    });

    test.each(Object.entries(refused))('F114 %s is refused', async (_, [what, how]) => {
      compress = how;
      expect(await judge()).toBe(`${refusal} ${what}`);
    });

    deep.test.each(Object.entries(bombs))(
      'F114 sends a bomb %s is refused while it inflates',
      async (_, bomb) => {
        compress = bomb(maxBytes);
        expect(await judge()).toBe(`${refusal} too large.`);
        await closed; // nobody listens to the rest
      },
    );

    test('F114 sends as much as may be is read to its end', async () => {
      compress = () => ['gzip', zeros(maxBytes)];
      expect(await judge()).toMatch(/^(?!.* too large\.$)/);
    });
  },
);
