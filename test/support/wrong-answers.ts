/** Something that a hook must not return, and what the kit says that it was. */
export interface WrongAnswer {
  readonly name: string;
  readonly make: () => unknown;
  /** Follows `onSuccess returned `. */
  readonly said: string;
}

const braces = 'If the hook should return nothing, write braces.';
const allowed = `it may return nothing, { redirectTo: '/path' } or { refuse: 'your_code' }. ${braces}`;
const refuseMeant = `did you mean refuse? ${braces}`;
const redirectMeant = `did you mean redirectTo? ${braces}`;
const text = `it must be a string that is not empty. ${braces}`;
const path = `it must be a path such as /welcome. ${braces}`;

class Verdict {
  get refuse(): string {
    return 'too_young';
  }
}
class Row {
  readonly id = 7;
}

const wrong = (name: string, said: string, make: () => unknown): WrongAnswer => ({ name, said, make });

/** What a minor's hook could return by mistake; each one let the person in, or might have. */
export const wrongAnswers: readonly WrongAnswer[] = [
  // Misspelled.
  wrong('refused', `an object with the key refused; ${refuseMeant}`, () => ({ refused: 'too_young' })),
  wrong('Refuse', `an object with the key Refuse; ${refuseMeant}`, () => ({ Refuse: 'too_young' })),
  wrong('REFUSE', `an object with the key REFUSE; ${refuseMeant}`, () => ({ REFUSE: 'too_young' })),
  wrong('refuses', `an object with the key refuses; ${refuseMeant}`, () => ({ refuses: 'too_young' })),
  wrong('refusal', `an object with the key refusal; ${refuseMeant}`, () => ({ refusal: 'too_young' })),
  wrong('refsue', `an object with the key refsue; ${refuseMeant}`, () => ({ refsue: 'too_young' })),
  wrong('a blank after it', `an object with other keys; ${allowed}`, () => ({ 'refuse ': 'too_young' })),
  wrong('an i from elsewhere', `an object with other keys; ${allowed}`, () => ({ refuſe: 'too_young' })),
  wrong('redirect', `an object with the key redirect; ${redirectMeant}`, () => ({ redirect: '/no' })),
  wrong('redirectto', `an object with the key redirectto; ${redirectMeant}`, () => ({ redirectto: '/no' })),
  wrong('redirect_to', `an object with the key redirect_to; ${redirectMeant}`, () => ({
    redirect_to: '/no',
  })),
  wrong('error', `an object with the key error; ${allowed}`, () => ({ error: 'too_young' })),
  wrong('reject', `an object with the key reject; ${allowed}`, () => ({ reject: true })),
  wrong('ok', `an object with the key ok; ${allowed}`, () => ({ ok: false })),
  wrong('redirectTo and refused', `an object with the keys redirectTo and refused; ${refuseMeant}`, () => ({
    redirectTo: '/sorry',
    refused: 'too_young',
  })),
  wrong('refuse and reason', `an object with the keys refuse and reason; ${allowed}`, () => ({
    refuse: 'too_young',
    reason: 'Leon',
  })),
  wrong('a frozen one', `an object with the key refused; ${refuseMeant}`, () =>
    Object.freeze({ refused: 'x' }),
  ),
  wrong('without a prototype', `an object with the key refused; ${refuseMeant}`, () =>
    Object.assign(Object.create(null) as object, { refused: 'too_young' }),
  ),
  // A refusal that is not one.
  wrong('refuse: undefined', `a refuse that is undefined; ${text}`, () => ({ refuse: undefined })),
  wrong('refuse: null', `a refuse that is null; ${text}`, () => ({ refuse: null })),
  wrong('refuse: ""', `a refuse that is an empty string; ${text}`, () => ({ refuse: '' })),
  wrong('refuse: true', `a refuse that is a boolean; ${text}`, () => ({ refuse: true })),
  wrong('refuse: false', `a refuse that is a boolean; ${text}`, () => ({ refuse: false })),
  wrong('refuse: 403', `a refuse that is a number; ${text}`, () => ({ refuse: 403 })),
  wrong('refuse: a list', `a refuse that is an array; ${text}`, () => ({ refuse: ['too_young'] })),
  wrong('refuse: a promise', `a refuse that is an object of the class Promise; ${text}`, () => ({
    refuse: Promise.resolve('too_young'),
  })),
  wrong('refuse: a String', `a refuse that is an object of the class String; ${text}`, () => ({
    refuse: Object('too_young') as unknown,
  })),
  wrong('redirectTo, refuse: undefined', `a refuse that is undefined; ${text}`, () => ({
    redirectTo: '/sorry',
    refuse: undefined,
  })),
  wrong('redirectTo: 7', `a redirectTo that is a number; ${path}`, () => ({ redirectTo: 7 })),
  wrong('redirectTo: null', `a redirectTo that is null; ${path}`, () => ({ redirectTo: null })),
  wrong('redirectTo: a URL', `a redirectTo that is an object of the class URL; ${path}`, () => ({
    redirectTo: new URL('https://app.example/no'),
  })),
  wrong('redirectTo: what has toString', `a redirectTo that is an object; ${path}`, () => ({
    redirectTo: { toString: () => '/no' },
  })),
  // Of another kind.
  wrong('false', `a boolean; ${allowed}`, () => false),
  wrong('true', `a boolean; ${allowed}`, () => true),
  wrong('isNew && sendMail()', `a boolean; ${allowed}`, () => isNew() && {}),
  wrong('a text', `a string; ${allowed}`, () => 'too_young'),
  wrong('an empty text', `an empty string; ${allowed}`, () => ''),
  wrong('0', `a number; ${allowed}`, () => 0),
  wrong('NaN', `a number; ${allowed}`, () => Number.NaN),
  wrong('a bigint', `a bigint; ${allowed}`, () => 0n),
  wrong('a symbol', `a symbol; ${allowed}`, () => Symbol('too_young')),
  wrong('a function', `a function; ${allowed}`, () => () => ({ refuse: 'too_young' })),
  wrong('an empty list', `an array; ${allowed}`, () => []),
  wrong('a list', `an array; ${allowed}`, () => [{ refuse: 'too_young' }]),
  wrong('an Error', `an object of the class RangeError; ${allowed}`, () => new RangeError('Leon')),
  wrong('a Map', `an object of the class Map; ${allowed}`, () => new Map([['refuse', 'too_young']])),
  wrong('a Date', `an object of the class Date; ${allowed}`, () => new Date()),
  // Of a database, a library or a clever hand.
  wrong('a row', `an object with the keys id, given_name and birth_date; ${allowed}`, () => ({
    id: 7,
    given_name: 'Leon',
    birth_date: '2008-01-01',
  })),
  wrong('a long row', `an object with the keys a, b, c, d, e and 2 more; ${allowed}`, () => ({
    a: 1,
    b: 2,
    c: 3,
    d: 4,
    e: 5,
    f: 6,
    'Leon Mustermann': 7,
  })),
  wrong('a row of a class', `an object of the class Row; ${allowed}`, () => new Row()),
  wrong('a getter of a class', `an object of the class Verdict; ${allowed}`, () => new Verdict()),
  wrong('an inherited refusal', `an object; ${allowed}`, () => Object.create({ refuse: 'too_young' })),
  wrong('inherited from nothing', `an object that inherits redirectTo or refuse; ${allowed}`, () =>
    Object.create(Object.assign(Object.create(null) as object, { refuse: 'too_young' })),
  ),
  wrong('a symbol as key', `an object with other keys; ${allowed}`, () => ({ [Symbol('refuse')]: 'x' })),
  wrong('a hidden key', `an object with the key refused; ${refuseMeant}`, () =>
    Object.defineProperty({}, 'refused', { value: 'too_young' }),
  ),
  wrong('a Proxy that shows nothing', `a Proxy; ${allowed}`, () =>
    proxy({}, { get: (_target, key) => (key === 'refuse' ? 'too_young' : undefined) }),
  ),
  wrong('a Proxy of a refusal', `a Proxy; ${allowed}`, () => proxy({ refuse: 'too_young' }, {})),
  wrong('a prototype that is a Proxy', `an object; ${allowed}`, () =>
    Object.create(new Proxy({}, { has: () => false })),
  ),
  wrong('then as a key', `an object with the key then; ${allowed}`, () => keyed('then', 'too_young')),
  wrong('a thenable of false', `a boolean; ${allowed}`, () =>
    keyed('then', (resolve: (value: unknown) => void) => {
      resolve(false);
    }),
  ),
  wrong(
    'a promise of a promise of false',
    `a boolean; ${allowed}`,
    async () => await Promise.resolve(Promise.resolve(false)),
  ),
];

function isNew(): boolean {
  return false;
}

function proxy(target: object, handler: ProxyHandler<object>): unknown {
  return new Proxy(target, handler);
}

function keyed(key: string, value: unknown): unknown {
  return { [key]: value };
}
