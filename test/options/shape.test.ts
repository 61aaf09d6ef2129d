import { describe, expect, test } from '@jest/globals';
import { optionMembers } from '../../lib/options/options.js';
import { read } from '../../tools/contents.js';
import { configured, good, refusal } from './settings.js';

describe('unknown options', () => {
  test.each([
    [{ succesRedirect: '/' }, 'Unknown option succesRedirect. Did you mean successRedirect?'],
    [{ limits: { hookTimout: '3s' } }, 'Unknown option hookTimout of limits. Did you mean hookTimeout?'],
    [
      { limits: { timeout: 3 } },
      'Unknown option timeout of limits. Known options: requestTimeout, verifyTimeout, hookTimeout, callbackBytes, contextBytes, keptBytes, concurrentStarts, concurrentVerifications.',
    ],
    [{ routes: { callbck: '/x' } }, 'Unknown option callbck of routes. Did you mean callback?'],
    [
      { questions: { age: { reveal: ['birth_date'], purpos: 'x' } } },
      'Unknown option purpos of questions.age. Did you mean purpose?',
    ],
    [
      { questions: { age: { reveal: ['birth_date'], maxAge: '1d' } } },
      'Unknown option maxAge of questions.age. Known options: reveal, derived, purpose, reasons, keptAs, keep, allow, keepFor, successRedirect, otherWay, ways, issuer.',
    ],
    [{ reveall: undefined }, 'Unknown option reveall. Did you mean reveal?'],
    [{ derived: { country: 'DE' } }, 'Unknown option country of derived. Known options: nationality.'],
  ])('%j', (change, message) => {
    expect(refusal(change)).toBe(message);
  });

  test('a name that is like none gets the list', () => {
    expect(refusal({ zzzzzzzz: 1 })).toMatch(
      /^Unknown option zzzzzzzz\. Known options: reveal, derived, .*onEvent\.$/,
    );
  });
});

describe('undefined is absent', () => {
  test('everywhere that an option has a default or may be left out', () => {
    const restrictions = ['allow', 'keepFor', 'subject']; // F91
    const absent = Object.keys(optionMembers).filter(
      (name) => ![...Object.keys(good), ...restrictions].includes(name),
    );
    const undefinedOnes = Object.fromEntries(absent.map((name) => [name, undefined]));
    const plain = configured();
    const changed = configured(undefinedOnes);
    expect(JSON.parse(JSON.stringify(changed))).toEqual(JSON.parse(JSON.stringify(plain)));
    expect([changed.questions.get('default')?.keepFor, changed.flowTtl, changed.path]).toEqual([
      28_800_000,
      600_000,
      '/identity',
    ]);
  });

  test('inside limits, routes, questions, derived and trust', () => {
    const config = configured({
      limits: { hookTimeout: undefined },
      routes: { start: undefined },
      questions: { age: { reveal: ['birth_date'], purpose: undefined, keep: undefined }, gone: undefined },
      derived: { nationality: undefined },
      trust: { ...good.trust, 'xx-sandbox': undefined },
    });
    expect(config.limits.hookTimeout).toBe(10_000);
    expect(config.routes.start).toBe('/start');
    expect([...config.questions.keys()]).toEqual(['default', 'age']);
    expect(config.questions.get('default')?.derived).toEqual({});
    expect(Object.keys(config.trust)).toEqual(['de-ausweis']);
  });

  test('null is not', () => {
    for (const name of 'keepFor flowTtl limits routes questions derived trust keep path variant'.split(' ')) {
      expect(refusal({ [name]: null })).toMatch(new RegExp(`^Option ${name}: `));
    }
  });
});

describe('what each option must be', () => {
  test.each(Object.keys(optionMembers).filter((name) => name !== 'pages'))('%s: no symbol', (name) => {
    expect(refusal({ [name]: Symbol('marker') })).toMatch(new RegExp(`^Option ${name}: must `));
  });

  test.each([undefined, null, 7, 'x', [], () => good])('the options themselves: not %p', (options) => {
    expect(refusal(options)).toBe('The options must be an object.');
  });

  const pathLike = 'must be a path such as /identity, not /';
  const questionName = 'the names of questions may contain letters, digits, - and _, and must not be default';
  const fourFunctions = 'must have the functions create, read, replace and delete';
  test.each([
    ['reveal', 'given_name', 'must be a list of at least one attribute id'],
    ['reveal', [], 'must be a list of at least one attribute id'],
    ['derived', ['DE'], 'must be an object'],
    ['purpose', '', 'must be a non-empty string (for several languages, set pages.texts.es.purpose)'],
    ['questions', [], 'must be an object of questions'],
    ['questions.default', { default: { reveal: ['given_name'] } }, questionName],
    ['questions.a b', { 'a b': { reveal: ['given_name'] } }, questionName],
    ['questions.age.reveal', { age: {} }, 'must be a list of at least one attribute id'],
    ['apiKey', 7, 'must be a string or a function'],
    ['apiKey', '', 'must be a string or a function'],
    ['issuer', '', 'must be a non-empty string'],
    ['trust', [], 'must be an object by issuer id'],
    ['allowSandbox', 'yes', 'must be true or false'],
    ['path', 'identity', pathLike],
    ['path', '/a/../b', pathLike],
    ['path', '/:name', pathLike],
    ['appUrl', [], 'must be an origin or a list of origins'],
    ['appUrl', () => 'https://shop.example', 'must be an origin or a list of origins'],
    ['routes.start', { start: 'start' }, 'must be a path such as /start, or false'],
    ['routes.return', { return: true }, 'must be a path such as /start, or false'],
    ['sameDevice', 'always', "must be 'auto', a boolean or a function"],
    ['store', {}, fourFunctions],
    ['store', { create() {}, read() {}, replace() {} }, fourFunctions],
    ['limits.callbackBytes', { callbackBytes: '256kb' }, 'must be a whole number from 1 to 262144'],
    ['limits.callbackBytes', { callbackBytes: 262_145 }, 'must be a whole number from 1 to 262144'],
    ['limits.concurrentStarts', { concurrentStarts: 1.5 }, 'must be a whole number of at least 1'],
    ['variant', 'v2', "must be 'base' or 'derived'"],
    ['confirm', 'later', "must be 'return' or 'callback'"],
  ])('%s: not %p', (where, value, must) => {
    const [name = ''] = where.split('.');
    expect(refusal({ [name]: value })).toBe(`Option ${where}: ${must}.`);
  });

  test('an attribute that is nearly one is named', () => {
    expect(refusal({ reveal: ['given_name', 'birthdate'] })).toMatch(
      /^Option reveal\[1\]: must be 'family_name', .* or an age such as 'age_over_18'\. Did you mean birth_date\?$/,
    );
    expect(refusal({ questions: { age: { reveal: ['birth-date'] } } })).toMatch(
      /^Option questions\.age\.reveal\[0\]: .* Did you mean birth_date\?$/,
    );
    expect(refusal({ reveal: ['marker-of-a-stranger'] })).not.toContain('Did you mean');
    expect(refusal({ reveal: [7] })).not.toContain('Did you mean');
  });
});

describe('durations', () => {
  test('are milliseconds, or a number with its unit', () => {
    const units = { '250ms': 250, '30s': 30_000, '10m': 6e5, '8h': 288e5, '30d': 2_592e6, '1.5h': 54e5 };
    for (const [keepFor, ms] of [[1, 1], ...Object.entries(units)])
      expect(configured({ keepFor }).questions.get('default')?.keepFor).toBe(ms);
  });

  const must = "must be milliseconds or a string such as '30s', '10m', '8h', '30d'";
  test('are nothing else', () => {
    const texts = ['', '10 m', 'eight hours', ...'10 -1d 0s 1w 8H 9e9d 1e400d 999999999999d'.split(' ')];
    for (const keepFor of [0, -1, Number.NaN, Infinity, true, ...texts])
      expect(refusal({ keepFor })).toBe(`Option keepFor: ${must}.`);
    expect(refusal({ keepFor: {} })).toBe(`Option keepFor.atMost: ${must}.`);
  });

  test('what a timer must wait for is bounded by what a timer can', () => {
    for (const name of ['requestTimeout', 'verifyTimeout', 'hookTimeout']) {
      expect(configured({ limits: { [name]: '24d' } }).limits).toMatchObject({ [name]: 24 * 86_400_000 });
      expect(refusal({ limits: { [name]: '25d' } })).toBe(`Option limits.${name}: ${must}, at most 24 days.`);
    }
    expect(refusal({ flowTtl: '25d' })).toBe(`Option flowTtl: ${must}, at most 24 days.`);
  });

  test('docs/options.md says the default of each limit', () => {
    const said = [...read('docs/options.md').matchAll(/^\| `(\w+)` +\| (\d+)(?: (s|kB))? +\|/gm)];
    const units = { s: 1_000, kB: 1_024, '': 1 };
    const limits = said.map(([, name = '', count, unit = '']) => [
      name,
      Number(count) * units[unit as keyof typeof units],
    ]);
    const { limits: ours } = configured();
    expect(Object.fromEntries(limits.filter(([name]) => Object.hasOwn(ours, String(name))))).toEqual(ours);
  });
});
