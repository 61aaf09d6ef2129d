import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { closed, type Kind, shot } from './shot.js';
import type { Target } from './target.js';
import { bytesOf, chunked, form, post } from './wire.js';

const limit = 64 * 1024;
const junk = ({ waiting }: Target, more = ''): string => `presentation=junk${more}&state=${waiting.state}`;

const types = [
  [form, 200],
  [`${form};charset=utf-8`, 200],
  [`${form}; charset="UTF-8"`, 200],
  [`${form.toUpperCase()}`, 200],
  [`${form}; charset=iso-8859-1`, 415],
  [`${form}; charset=utf-16`, 415],
  [`${form}; charset=`, 415],
  ['application/json', 415],
  ['multipart/form-data; boundary=x', 415],
  ['text/plain', 415],
  [`${form}, text/plain`, 415],
  [`x${form}`, 415],
  ['', 415],
  [';', 415],
  ['\u00ff\u00fe', 415],
] as const;

type Coding = readonly [name: string, encode: (text: string) => Buffer];
const codings: readonly Coding[] = [
  ['gzip', gzipSync],
  ['deflate', deflateSync],
  ['br', brotliCompressSync],
  ['GZIP', gzipSync],
  ['gzip, identity', gzipSync],
  ['x', (text) => Buffer.from(text)],
  ['', (text) => Buffer.from(text)],
];

const framings: readonly (readonly string[])[] = [
  ['Content-Length: -1'],
  ['Content-Length: +5'],
  ['Content-Length: 0x10'],
  ['Content-Length: 5.0'],
  ['Content-Length: 5, 5'],
  ['Content-Length: 5', 'Content-Length: 6'],
  ['Content-Length: 99999999999999999999'],
  ['Content-Length: 5', 'Transfer-Encoding: chunked'],
  ['Transfer-Encoding: chunked, chunked'],
  ['Transfer-Encoding: gzip, chunked'],
  ['Transfer-Encoding: identity'],
  ['Transfer-Encoding : chunked'],
  ['Transfer-Encoding: \u000bchunked'],
];

/** Callbacks that HTTP itself makes hard: types, codings, sizes and framing. */
export const callbackHttp: readonly Kind[] = [
  {
    name: 'callback: types and charsets',
    weight: 6,
    make: (random, target) => {
      const [type, status] = random.pick(types);
      return shot(post(junk(target), [['Content-Type', type]]), [status]);
    },
  },
  {
    name: 'callback: a coded body',
    weight: 6,
    make: (random, target) => {
      const [name, encode] = random.pick(codings);
      const body = encode(junk(target, random.oneIn(4) ? 'a'.repeat(1_000_000) : ''));
      const plain = name === '';
      return shot(post(body, [['Content-Encoding', name]]), [415, ...(plain ? [200, 413] : []), closed], {
        alone: true,
      });
    },
  },
  {
    name: 'callback: a size around the limit, or far above',
    weight: 3,
    make: (random, target) => {
      const size = random.pick([limit - 1, limit, limit + 1, limit * 2, limit * 8]);
      const fill = 'a'.repeat(Math.max(0, size - junk(target).length));
      // Who sends on after the answer may find the connection closed before it reads it.
      return shot(post(junk(target, fill)), size > limit ? [413, closed] : [200], { alone: true });
    },
  },
  {
    name: 'callback: chunks',
    weight: 6,
    make: (random, target) => {
      const body = Buffer.from(junk(target, 'a'.repeat(random.below(5_000))));
      const extension = random.pick(['', ';a', ';a=b', `;${'a'.repeat(100)}`]);
      const trailer = random.pick(['', 'X: y\r\n', 'Content-Length: 1\r\n']);
      const most = random.pick([1, 16, 1_000, 10_000]);
      const bytes = chunked(body, () => 1 + random.below(most), extension, trailer);
      const request = { ...post(bytes), body: bytes };
      // A length after the body is refused, and extensions have a limit of their own.
      // In more than 1,024 pieces it is given up (F119).
      const dust = most === 1 ? [408] : [];
      const allowed = trailer.startsWith('C') ? [400, 413, closed, ...dust] : [200, 413, closed, ...dust];
      return shot(request, allowed, { bytes: bytesOf(request, ['Transfer-Encoding: chunked']), alone: true });
    },
  },
  {
    name: 'callback: broken chunks',
    weight: 4,
    make: (random, target) => {
      const whole = chunked(Buffer.from(junk(target)), () => 1 + random.below(20));
      const at = random.below(whole.length);
      const bytes = Buffer.concat([whole.subarray(0, at), random.bytes(3), whole.subarray(at + 2)]);
      const request = { ...post(bytes), body: bytes };
      return shot(request, [200, 400, 413, closed], {
        bytes: bytesOf(request, ['Transfer-Encoding: chunked']),
        alone: true,
        finishes: true,
      });
    },
  },
  {
    name: 'callback: a length that is none, or two',
    weight: 5,
    make: (random, target) => {
      const request = post(junk(target));
      const bytes = bytesOf(request, random.pick(framings));
      return shot(request, [200, 400, 413, 501, closed], { bytes, alone: true, finishes: true });
    },
  },
  {
    name: 'callback: a length that is too short or too long',
    weight: 5,
    make: (random, target) => {
      const request = post(junk(target));
      const length = random.below(request.body.length * 2);
      const bytes = bytesOf(request, [`Content-Length: ${length}`]);
      return shot(request, [200, 400, closed], { bytes, alone: true, finishes: true });
    },
  },
  {
    name: 'callback: several on one connection, at once',
    weight: 4,
    make: (random, target) => {
      const requests = 2 + random.below(6);
      const bytes = Buffer.concat(Array.from({ length: requests }, () => bytesOf(post(junk(target)))));
      return shot(post(''), [200], { bytes, requests, alone: true });
    },
  },
  {
    name: 'callback: the sender closes its half',
    weight: 3,
    make: (_, target) => shot(post(junk(target)), [200, closed], { alone: true, finishes: true }),
  },
];
