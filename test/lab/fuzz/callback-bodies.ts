import { type Kind, shot } from './shot.js';
import { changed } from './presentations.js';
import { post } from './wire.js';

const encode = (fields: Record<string, string>): string => new URLSearchParams(fields).toString();

/** Right to the letter but for one thing. */
const shapes = [
  'state=STATE',
  'presentation=a',
  'error=a',
  'presentation=a&error=b&state=STATE',
  'presentation=a&error_description=b&state=STATE',
  'presentation=a&presentation=b&state=STATE',
  'presentation=a&state=STATE&state=STATE',
  'presentation=a&state=STATE&%73tate=STATE',
  'presentation[]=a&state=STATE',
  'presentation[x]=a&state=STATE',
  'presentation=a&state[x]=STATE',
  'presentation=&state=STATE',
  'presentation=a&state=',
  'presentation=a&state=STATE%00',
  'presentation=a&state=+STATE',
  'error=&state=STATE',
  'error=%00&state=STATE',
  '{"presentation":"a","state":"STATE"}',
] as const;

/** Right, whatever stands beside it. */
const companions = [
  '',
  '&__proto__=1&constructor=2',
  '&__proto__.state=x&prototype=y',
  '&toString=1&valueOf=2&hasOwnProperty=3',
  '&unknown=%F0%9F%AA%AA',
  '&=nameless',
  '&length=1&0=a',
] as const;

const broken = [
  '%',
  '%2',
  '%zz',
  '%ff',
  '%c0%80',
  '%ed%a0%80',
  '%f4%90%80%80',
  '\u00ff',
  '%e2%82',
  '%00%',
] as const;

/** Bodies that are sent as HTTP has it. */
export const callbackBodies: readonly Kind[] = [
  {
    name: 'callback: any presentation for a flow that waits',
    weight: 10,
    make: (random, { waiting }) =>
      shot(post(encode({ presentation: `${random.text(200)}~`, state: waiting.state })), [200]),
  },
  {
    name: 'callback: a real presentation, changed, for a flow that waits',
    weight: 10,
    make: (random, { waiting, verified }) => {
      const presentation = changed(random.oneIn(2) ? waiting.presentation : verified.presentation, random);
      // Cut off before its first character, it is none.
      const status = presentation === '' ? 400 : 200;
      return shot(post(encode({ presentation, state: waiting.state })), [status]);
    },
  },
  {
    name: 'callback: the presentation of another flow',
    weight: 2,
    make: (_, { waiting, verified }) =>
      shot(post(encode({ presentation: verified.presentation, state: waiting.state })), [200]),
  },
  {
    name: 'callback: an error',
    weight: 8,
    make: (random, { waiting, verified }) => {
      const { state } = random.oneIn(3) ? verified : waiting;
      const error_description = random.text(600);
      return shot(post(encode({ error: `a${random.text(120)}`, error_description, state })), [200]);
    },
  },
  {
    name: 'callback: the accepted body once more',
    weight: 4,
    make: (_, { verified }) => shot(post(verified.callback), [200], { body: verified.reply }),
  },
  {
    name: 'callback: another body for a verified flow',
    weight: 4,
    make: (random, { verified, closedReply }) => {
      const presentation = `a${random.text(50)}`;
      return shot(post(encode({ presentation, state: verified.state })), [200], { body: closedReply });
    },
  },
  {
    name: 'callback: an unknown state',
    weight: 6,
    make: (random, { waiting, closedReply }) =>
      shot(post(encode({ presentation: waiting.presentation, state: random.secret() })), [200], {
        body: closedReply,
      }),
  },
  {
    name: 'callback: a state that cannot be ours',
    weight: 6,
    make: (random, { waiting }) => {
      const state = random.pick([
        `${waiting.state}x`,
        waiting.state.slice(1),
        `${random.text(60)}!`,
        '__proto__',
      ]);
      return shot(post(encode({ presentation: 'a', state })), [400]);
    },
  },
  {
    name: 'callback: a wrong shape',
    weight: 8,
    make: (random, { waiting }) => shot(post(random.pick(shapes).replaceAll('STATE', waiting.state)), [400]),
  },
  {
    name: 'callback: names of Object.prototype and others beside',
    weight: 6,
    make: (random, { waiting }) =>
      shot(post(`presentation=a&state=${waiting.state}${random.pick(companions)}`), [200]),
  },
  {
    name: 'callback: many parameters',
    weight: 4,
    make: (random, { waiting }) => {
      const count = 1 + random.below(random.oneIn(4) ? 6_000 : 30); // fewer bytes than callbackBytes
      const many = Array.from({ length: count }, (_, index) => `&n${index}=1`).join('');
      return shot(post(`presentation=a&state=${waiting.state}${many}`), [count > 14 ? 400 : 200]);
    },
  },
  {
    name: 'callback: broken escapes and bytes',
    weight: 8,
    make: (random, { waiting }) => {
      const body = `presentation=a${random.pick(broken)}&state=${waiting.state}`;
      return shot(post(Buffer.from(body, 'latin1')), [400]);
    },
  },
  {
    name: 'callback: any bytes',
    weight: 6,
    make: (random) => shot(post(random.bytes(random.below(400))), [400]),
  },
  {
    name: 'callback: any text',
    weight: 4,
    make: (random) => shot(post(encodeURI(random.text(400))), [400]),
  },
];
