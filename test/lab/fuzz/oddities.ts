import { closed, type Kind, shot } from './shot.js';
import { bytesOf, get, post } from './wire.js';

const methods = [
  'HEAD',
  'OPTIONS',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'PROPFIND',
  'SEARCH',
  'QUERY',
  'LINK',
  'M-SEARCH',
] as const;

const strange = ['CONNECT', 'FOO', 'post', 'GET ', 'P\u00d6ST', ''] as const;

const headers = [
  ['Expect', '100-continue'],
  ['Expect', 'something else'],
  ['Upgrade', 'websocket'],
  ['Upgrade', 'h2c'],
  ['Connection', 'close'],
  ['Connection', 'upgrade, keep-alive'],
  ['Host', ''],
  ['Host', 'a, b'],
  ['Host', '[::1'],
  ['Host', '%00'],
  ['X-HTTP-Method-Override', 'DELETE'],
  ['X-Forwarded-Proto', 'javascript'],
  ['Forwarded', 'for=";'],
  ['Accept', '*/*;q=x'],
  ['Accept-Encoding', 'gzip, br'],
  ['If-None-Match', '*'],
  ['Range', 'bytes=0-0,0-0'],
  ['Origin', 'null'],
  ['Content-MD5', 'x'],
  ['__proto__', 'x'],
  ['constructor', 'x'],
] as const;

/** What is hardly HTTP, or HTTP that nobody means. */
export const oddities: readonly Kind[] = [
  {
    name: 'both: another method',
    weight: 5,
    make: (random, { waiting }) => {
      const method = random.pick(methods);
      const body = random.oneIn(2) ? `presentation=junk&state=${waiting.state}` : '';
      const callback = random.oneIn(2);
      const request = callback ? { ...post(body), method } : { ...get('/identity/return?code=a'), method };
      return shot(request, [method === 'HEAD' && !callback ? 204 : 405], { alone: true });
    },
  },
  {
    name: 'both: a method that is none',
    weight: 2,
    make: (random) =>
      shot({ ...post('a'), method: random.pick(strange) }, [400, 405, closed], { alone: true }),
  },
  {
    name: 'both: strange headers',
    weight: 6,
    make: (random, { waiting }) => {
      const header = random.pick(headers);
      const callback = post(`presentation=junk&state=${waiting.state}`, [header]);
      const request = random.oneIn(2) ? callback : get('/identity/return?code=a', [header]);
      return shot(request, [200, 400, 403, 417], { alone: true });
    },
  },
  {
    name: 'both: many headers',
    weight: 2,
    make: (random) => {
      const many = Array.from({ length: random.below(1_500) }, (_, at) => [`X-${at}`, 'y'] as const);
      return shot(get('/identity/return?code=a', many), [403, 431, closed], { alone: true });
    },
  },
  {
    name: 'both: bytes in a header',
    weight: 3,
    make: (random) => {
      const value = random.bytes(1 + random.below(40)).toString('latin1');
      const name = random.pick(['Cookie', 'Content-Type', 'Host', 'Accept', 'X-Other']);
      const request = post('presentation=a', [[name, value]]);
      return shot(request, [400, 413, 415, 501, closed], { alone: true, finishes: true });
    },
  },
  {
    name: 'both: no HTTP',
    weight: 2,
    make: (random) => {
      const whole = bytesOf(get('/identity/return?code=a'));
      const at = random.below(whole.length);
      const half = Buffer.concat([whole.subarray(0, at), random.bytes(20), whole.subarray(at)]);
      const bytes = random.oneIn(2) ? random.bytes(1 + random.below(300)) : half;
      const allowed = [200, 400, 403, 404, 405, 413, 431, 501, 505, closed];
      return shot(get('/'), allowed, { bytes, alone: true, finishes: true });
    },
  },
];
