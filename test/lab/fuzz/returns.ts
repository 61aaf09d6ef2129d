import type { Random } from './random.js';
import { closed, type Kind, shot } from './shot.js';
import type { Target } from './target.js';
import { get, post, type Request } from './wire.js';

/** What a browser, or somebody who plays one, sends along. */
function cookies(random: Random, { verified }: Target): Request['headers'] {
  const [name = '', value = ''] = verified.cookie.split('=');
  const cookie = random.pick([
    verified.cookie,
    `${name}=s%3A${random.secret()}.${random.secret()}`,
    `${name}=${value.slice(0, -3)}xyz`,
    `${name}=s:${value.slice(4)}; ${name}=other`,
    `${name}=%E0%A4%A; =; ;;; a=b=c`,
    `${name}=`,
    Array.from({ length: random.below(300) }, (_, index) => `c${index}=1`).join('; '),
    '__proto__=1; constructor=2; connect.sid[]=3',
  ]);
  return random.oneIn(3) ? [] : [['Cookie', cookie]];
}

/** A code that is not the right one. */
function wrongCode(random: Random, { verified }: Target): string {
  const [id = '', secret = ''] = verified.code.split('.');
  return random.pick([
    `${id}.${random.secret()}`,
    `${random.secret()}.${secret}`,
    `${random.secret()}.${random.secret()}`,
    `${id}.${secret}.${secret}`,
    `${id}.${secret}x`,
    `${id}${secret}`,
    `${secret}.${id}`,
    id,
    encodeURIComponent(random.text(100)),
    '.',
    '',
  ]);
}

const reload = (random: Random): string =>
  random.pick(['', '&reload=1', '&reload=1&reload=1', '&reload[]=1', '&reload=2']);

const queries = [
  'code[]=CODE',
  'code[a]=CODE',
  'code=CODE&code=CODE',
  'code[__proto__][x]=CODE',
  '__proto__[code]=CODE',
  'constructor[prototype][code]=CODE',
  'code=CODE&error=a',
  'error=a&error=b',
  'error[a]=b',
  'error=__proto__',
  'error=state_unknown',
  'error=%3Cscript%3E',
  '%',
  'code=%',
  'code=%ff%fe',
  'error=%c0%80',
  '=&=&=',
  '&&&',
  'code',
] as const;

const tails = ['', '/', '//', '/..', '%2f', '%00', '%ff', ';x', '.json', '?', '#x'] as const;

/** Returns of browsers, and of what only looks like one. */
export const returns: readonly Kind[] = [
  {
    name: 'return: a wrong code',
    weight: 14,
    make: (random, target) => {
      const address = `/identity/return?code=${wrongCode(random, target)}${reload(random)}`;
      return shot(get(address, cookies(random, target)), [200, 403]);
    },
  },
  {
    name: 'return: any query',
    weight: 8,
    make: (random, target) => {
      const query = random.pick(queries).replaceAll('CODE', wrongCode(random, target));
      return shot(get(`/identity/return?${query}`, cookies(random, target)), [200, 403]);
    },
  },
  {
    name: 'return: a long or deep query',
    weight: 4,
    make: (random, target) => {
      const count = random.below(2_000);
      const query = random.pick([
        `code=${'a'.repeat(count * 10)}`,
        `code${'[a]'.repeat(count)}=1`,
        Array.from({ length: count }, (_, index) => `a${index}=1`).join('&'),
        `code=${'%41'.repeat(count)}`,
        `${'a[]=1&'.repeat(count)}code=1`,
      ]);
      const request = get(`/identity/return?${query}`, cookies(random, target));
      return shot(request, [200, 403, 431, closed], { alone: true });
    },
  },
  {
    name: 'return: long cookies and other headers',
    weight: 4,
    make: (random, target) => {
      const size = random.below(20_000);
      const header = random.pick([
        ['Cookie', `connect.sid=s%3A${'a'.repeat(size)}`],
        ['Cookie', 'a=b; '.repeat(size / 5)],
        ['Accept', 'text/html,'.repeat(size / 10)],
        ['Accept', `application/json;q=${'9'.repeat(size)}`],
        ['X-Forwarded-Host', 'a,'.repeat(size / 2)],
        ['User-Agent', 'Mozilla (('.repeat(size / 10)],
      ] as const);
      const address = `/identity/return?code=${wrongCode(random, target)}`;
      return shot(get(address, [header]), [200, 403, 431, closed], { alone: true });
    },
  },
  {
    name: 'return: another spelling of the address',
    weight: 3,
    make: (random, target) => {
      const path = random.pick([
        '/identity/return',
        '/identity/RETURN',
        '//identity/return',
        '/identity/./return',
      ]);
      const address = `${path}${random.pick(tails)}?code=${wrongCode(random, target)}`;
      return shot(get(address, cookies(random, target)), [200, 400, 403, 404], { alone: true });
    },
  },
  {
    name: 'return: looking ahead',
    weight: 3,
    make: (random, target) => {
      const purpose = random.pick(['prefetch', 'prefetch;prerender', 'Prefetch']);
      const header = random.pick(['Purpose', 'Sec-Purpose', 'X-Moz']);
      const address = `/identity/return?code=${target.verified.code}`;
      return shot(get(address, [[header, purpose], ...cookies(random, target)]), [503]);
    },
  },
  {
    name: 'return: a body where none belongs',
    weight: 2,
    make: (random, target) => {
      const request = post(random.bytes(random.below(100_000)), cookies(random, target));
      const address = `/identity/return?code=${wrongCode(random, target)}`;
      return shot({ ...request, method: 'GET', address }, [200, 403], { alone: true });
    },
  },
];
