import { describe, expect, test } from '@jest/globals';
import { ask, IdentityError } from '../../lib/index.js';
import { configured, refusal } from './settings.js';

/** What `ask` says of a question that no type has judged. */
function refused(question: unknown): string {
  try {
    ask(question as never);
  } catch (error) {
    if (error instanceof IdentityError && error.code === 'config_invalid') return error.message;
    throw error;
  }
  throw new Error('ask accepted it');
}

describe('ask', () => {
  test('returns a frozen value that bears a mark which every copy of the package knows', () => {
    const reveal: ('birth_date' | 'given_name')[] = ['birth_date'];
    const age = ask({ reveal, purpose: 'For your age.', keepFor: '30d', successRedirect: undefined });
    reveal.push('given_name');
    expect(age).toMatchObject({ reveal: ['birth_date'], purpose: 'For your age.', keepFor: 2_592_000_000 });
    expect(Object.isFrozen(age) && Object.isFrozen(age.reveal)).toBe(true);
    const reasons = { door: 'For the door.' };
    const door = ask({
      reveal,
      reasons,
      otherWay: { url: '/desk' },
      keepFor: { atMost: '1d', for: () => '1h' },
    });
    for (const member of Object.values(door)) expect(Object.isFrozen(member)).toBe(true);
    expect(Object.isFrozen(reasons)).toBe(false); // the caller's own
    expect(Object.getOwnPropertySymbols(age)).toEqual([Symbol.for('pidgate.ask')]);
  });

  test('leaves keep as it is: it can be tested alone', () => {
    const question = ask({ reveal: ['given_name'], keep: ({ attributes }) => attributes.given_name.length });
    const result = { attributes: { given_name: 'Erika' } } as never;
    expect(question.keep?.(result)).toBe(5);
  });

  test.each([
    [undefined, 'Option ask: must be an object.'],
    [{ reveal: [] }, 'Option ask.reveal: must be a list of at least one attribute id.'],
    [{ reveal: ['given_name'], purposes: 'x' }, 'Unknown option purposes of ask. Did you mean purpose?'],
    [
      { reveal: ['given_name'], derived: { age: '18' } },
      'Unknown option age of ask.derived. Known options: nationality.',
    ],
    [{ reveal: ['given_name'], keep: true }, 'Option ask.keep: must be a function.'],
  ])('%j is refused', (question, message) => {
    expect(refused(question)).toBe(message);
  });
});

describe('the questions of a factory', () => {
  test('are values of ask, or plain objects that it takes for them', () => {
    const keep = (): string => 'kept';
    const question = { reveal: ['birth_date'], keep, keepFor: '1h', successRedirect: '/in' } as const;
    const { requests } = configured({ requests: { value: ask(question), plain: question } });
    const { name: _value, ...value } = requests.get('value') ?? {};
    const { name: _plain, ...plain } = requests.get('plain') ?? {};
    expect(value).toEqual(plain);
    expect(value).toMatchObject({ keep, keepFor: 3_600_000, successRedirect: '/in' });
  });

  test('have a keepFor of their own, or that of the options', () => {
    const brief = ask({ reveal: ['birth_date'], keepFor: '10m' });
    const general = ask({ reveal: ['birth_date'] });
    const { requests } = configured({ keepFor: '30d', requests: { brief, general } });
    expect([...requests.values()].map(({ name, keepFor }) => [name, keepFor])).toEqual([
      ['default', 2_592_000_000],
      ['brief', 600_000],
      ['general', 2_592_000_000],
    ]);
  });

  test('need no default one', () => {
    const requests = { age: ask({ reveal: ['birth_date'] }) };
    expect([...configured({ reveal: undefined, requests }).requests.keys()]).toEqual(['age']);
  });

  test.each([{}, { requests: {} }, { requests: undefined }])('are at least one: not %j', (options) => {
    expect(refusal({ reveal: undefined, ...options })).toBe(
      'Option reveal is missing: name the attributes to ask for, or questions made by ask in requests.',
    );
  });

  test.each([
    ['keep', () => 'x'],
    ['purpose', 'Why'],
    ['derived', { nationality: 'DE' }],
  ])('%s belongs to a question', (name, value) => {
    const requests = { age: { reveal: ['birth_date'] } };
    expect(refusal({ reveal: undefined, requests, [name]: value })).toBe(
      `Option ${name}: belongs to a question, and without reveal there is none at the top. ` +
        `Set reveal, or move ${name} into ask.`,
    );
  });

  test('a text for the page of the default one is unknown where there is none', () => {
    const requests = { age: { reveal: ['birth_date'] } };
    const pages = { texts: { en: { purpose: 'Why' } } };
    expect(refusal({ reveal: undefined, requests, pages })).toContain('Unknown option purpose');
  });
});
