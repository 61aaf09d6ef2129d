/** Something that a hook must not return, and what the kit says that it was. */
export interface WrongAnswer {
  readonly name: string;
  readonly make: () => unknown;
  /** Follows `onSuccess returned `. */
  readonly said: string;
}

const braces = 'If the hook should return nothing, write braces.';
const allowed = `it may return nothing or { redirectTo: '/path' } or { refuse: 'your_code' }. ${braces}`;
const refuseMeant = `did you mean refuse? ${braces}`;
const redirectMeant = `did you mean redirectTo? ${braces}`;
const refusal = `a refuse that is no word of your own; write { refuse: 'your_code' }: small letters, digits and _, and none of pidgate's codes. ${braces}`;
const path = `a redirectTo that is not a string; it must be a path such as /welcome. ${braces}`;
const notPlain = `an object that is not plain; ${allowed}`;

class Verdict {
  get refuse(): string {
    return 'too_young';
  }
}
class Row {
  readonly id = 7;
}

const wrong = (name: string, said: string, make: () => unknown): WrongAnswer => ({ name, said, make });
const misspelled = (key: string, meant: string): WrongAnswer =>
  wrong(key, `an object with the key ${key}; ${meant}`, () => ({ [key]: 'too_young' }));

/** What a minor's hook could return by mistake; each one let the person in, or might have. */
export const wrongAnswers: readonly WrongAnswer[] = [
  misspelled('refused', refuseMeant),
  misspelled('Refuse', refuseMeant),
  misspelled('refusal', refuseMeant),
  misspelled('refsue', refuseMeant),
  misspelled('redirect', redirectMeant),
  misspelled('redirect_to', redirectMeant),
  misspelled('error', allowed),
  misspelled('then', allowed),
  wrong('a blank after it', `an object with other keys; ${allowed}`, () => ({ 'refuse ': 'too_young' })),
  wrong('a symbol as key', `an object with other keys; ${allowed}`, () => ({ [Symbol('refuse')]: 'x' })),
  wrong('redirectTo and refused', `an object with the keys redirectTo, refused; ${refuseMeant}`, () => ({
    redirectTo: '/sorry',
    refused: 'too_young',
  })),
  wrong('refuse and reason', `an object with the keys refuse, reason; ${allowed}`, () => ({
    refuse: 'too_young',
    reason: 'Leon',
  })),
  wrong('a proxy', notPlain, () => new Proxy({}, {})),
  wrong('without a prototype', `an object with the key refused; ${refuseMeant}`, () =>
    Object.assign(Object.create(null) as object, { refused: 'too_young' }),
  ),
  wrong('a hidden key', `an object with the key refused; ${refuseMeant}`, () =>
    Object.defineProperty({}, 'refused', { value: 'too_young' }),
  ),
  wrong('a long row', `an object with the keys a, b, c, d, e, others; ${allowed}`, () => ({
    a: 1,
    b: 2,
    c: 3,
    d: 4,
    e: 5,
    f: 6,
    'Leon Mustermann': 7,
  })),
  wrong('refuse: undefined', refusal, () => ({ refuse: undefined })),
  wrong('refuse: ""', refusal, () => ({ refuse: '' })),
  wrong('refuse: in capitals', refusal, () => ({ refuse: 'tooYoung' })),
  wrong('refuse: a sentence', refusal, () => ({ refuse: 'too young' })),
  wrong('refuse: of 65 letters', refusal, () => ({ refuse: 'a'.repeat(65) })),
  wrong('refuse: a code of pidgate', refusal, () => ({ refuse: 'declined' })),
  wrong('refuse: a code of the service', refusal, () => ({ refuse: 'error_account' })),
  wrong('refuse: true', refusal, () => ({ refuse: true })),
  wrong('refuse: a promise', refusal, () => ({ refuse: Promise.resolve('too_young') })),
  wrong('refuse: a String', refusal, () => ({ refuse: Object('too_young') as unknown })),
  wrong('redirectTo, refuse: undefined', refusal, () => ({ redirectTo: '/sorry', refuse: undefined })),
  wrong('redirectTo: null', path, () => ({ redirectTo: null })),
  wrong('redirectTo: a URL', path, () => ({ redirectTo: new URL('https://app.example/no') })),
  wrong('false', `a boolean; ${allowed}`, () => false),
  wrong('a text', `a string; ${allowed}`, () => 'too_young'),
  wrong('0', `a number; ${allowed}`, () => 0),
  wrong('a function', `a function; ${allowed}`, () => () => ({ refuse: 'too_young' })),
  wrong('a list', notPlain, () => [{ refuse: 'too_young' }]),
  wrong('an Error', notPlain, () => new RangeError('Leon')),
  wrong('a Map', notPlain, () => new Map([['refuse', 'too_young']])),
  wrong('a Date', notPlain, () => new Date()),
  wrong('a row of a class', notPlain, () => new Row()),
  wrong('a getter of a class', notPlain, () => new Verdict()),
  wrong('an inherited refusal', notPlain, () => Object.create({ refuse: 'too_young' })),
  wrong('inherited from nothing', notPlain, () =>
    Object.create(Object.assign(Object.create(null) as object, { refuse: 'too_young' })),
  ),
  wrong('a promise of a promise of false', `a boolean; ${allowed}`, async () => {
    return await Promise.resolve(Promise.resolve(false));
  }),
];
