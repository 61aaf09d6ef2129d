import { format, inspect } from 'node:util';
import { afterEach, describe, expect, it, jest, test } from '@jest/globals';
import { toIsoDate } from '../../lib/internal/dates.js';
import { lostInJson } from '../../lib/internal/find-unserializable.js';
import { redacted, withHidden } from '../../lib/internal/redacted.js';
import { type Loaded, remote } from '../../lib/internal/remote.js';
import { sanitizeText } from '../../lib/internal/sanitize-text.js';
import { codeOf, systemCodeOf } from '../../lib/internal/system-code.js';
import { TimeoutError, withTimeout, withTimeoutSignal } from '../../lib/internal/timeouts.js';
import { isLoopback, safePath, secureUrl } from '../../lib/internal/urls.js';
import { variants } from '../../lib/types/attributes.js';
import { testClock } from '../support/clock.js';

describe('dates', () => {
  describe('toIsoDate', () => {
    it('reads each variant in its own form', () => {
      expect(toIsoDate('12-08-1964', 'base')).toBe('1964-08-12');
      expect(toIsoDate('1964-08-12', 'derived')).toBe('1964-08-12');
    });

    it('refuses the form of the other variant, never guesses', () => {
      expect(toIsoDate('1964-08-12', 'base')).toBeUndefined();
      expect(toIsoDate('12-08-1964', 'derived')).toBeUndefined();
    });

    const days = '1904-02-29 2000-02-29 2024-02-29 2024-01-31 2024-04-30 2024-12-31'.split(' ');
    const noDays = [
      ...'1900-02-29 2100-02-29 2023-02-29 2024-02-30 2024-01-32 2024-04-31 2024-06-31 2024-09-31'.split(' '),
      ...'2024-11-31 2024-00-10 2024-13-10 2024-10-00 1964-00-00'.split(' '),
    ];
    it.each([...days, ...noDays])('%s is a day of the calendar or not, in both forms', (date) => {
      const expected = days.includes(date) ? date : undefined;
      expect(toIsoDate(date, 'derived')).toBe(expected);
      expect(toIsoDate(date.split('-').toReversed().join('-'), 'base')).toBe(expected);
    });

    const forms =
      '1964 1964-08 1964-8-12 64-08-12 01964-08-12 1964/08/12 12.08.1964 1964-08-12T00:00:00Z -964-08-12';
    it.each([...forms.split(' '), '', ' 1964-08-12', '1964-08-12\n', '١٩٦٤-٠٨-١٢'])('refuses %j', (value) => {
      expect(variants.map((variant) => toIsoDate(value, variant))).toEqual([undefined, undefined]);
    });
  });
});

describe('find unserializable', () => {
  const member = (value: unknown): string | undefined => lostInJson({ a: [1, { b: value }] }, 'kept');

  test.each([
    null,
    undefined,
    '',
    0,
    -1.5,
    true,
    {},
    [],
    [undefined],
    Object.create(null),
    new Date(0),
    { toJSON: () => 1, more: () => 1 },
    { x: undefined },
  ])('nothing is lost of %p', (value) => {
    expect(member(value)).toBeUndefined();
  });

  test.each([
    Number.NaN,
    Infinity,
    () => 1,
    Symbol('x'),
    new Map([[1, 2]]),
    new Set([1]),
    /x/,
    new Error('x'),
  ])('%p is lost, and its place is named', (value) => {
    expect(member(value)).toBe('kept.a.1.b');
  });
});

describe('F38 hidden', () => {
  it('prints names without values, at any depth and with hidden members shown', () => {
    const result = { attributes: redacted({ given_name: 'MARKER', nationality: ['MARKER'] }) };
    for (const shown of [
      inspect(result),
      format('%s %o %O', result.attributes, result.attributes, result),
      inspect(result, { showHidden: true, depth: 9 }),
    ]) {
      expect(shown).not.toContain('MARKER');
      expect(shown).toContain('[hidden]');
      expect(shown).toContain('given_name');
    }
  });

  it('is the same object to everyone else', () => {
    const values = { given_name: 'Erika' };
    expect(redacted(values)).toBe(values);
    expect(redacted(values).given_name).toBe('Erika');
    expect(Object.keys(values)).toEqual(['given_name']);
    expect(JSON.stringify(values)).toBe('{"given_name":"Erika"}');
    expect(values).toEqual({ given_name: 'Erika' });
  });

  it('a hidden text is read by its name, and is in no copy, JSON or print', () => {
    const args = withHidden({ step: 1 }, 'text', 'MARKER');
    expect(args.text).toBe('MARKER');
    expect([JSON.stringify(args), { ...args }]).toEqual(['{"step":1}', { step: 1 }]);
    for (const shown of [
      inspect(args),
      inspect({ args }, { showHidden: true }),
      format('%o %O', args, args),
    ]) {
      expect(shown).toContain('text: [hidden]');
      expect(shown).not.toContain('MARKER');
    }
  });

  it('may be asked twice', () => {
    expect(inspect(redacted(redacted({ a: 'MARKER' })))).toBe('{ a: [hidden] }');
  });
});

describe('printable', () => {
  it('leaves plain text of any script', () => {
    expect(sanitizeText('Größe: 東京 🙂', 100)).toBe('Größe: 東京 🙂');
  });

  it('takes out what controls, redirects or hides', () => {
    expect(sanitizeText('a\u0000b\u007fc\u009bd\u200be\u202ef\u2066g\u2028h\u2029i\ufeffj', 100)).toBe(
      'a b c d e f g h i j',
    );
  });

  it('never leaves half a character, so that the text survives every encoding', () => {
    const cut = sanitizeText(`${'x'.repeat(9)}🙂`, 10);
    expect(cut).toBe('x'.repeat(9));
    expect(encodeURIComponent(sanitizeText('a\ud83db', 10))).toBe('a%20b');
  });
});

describe('system code', () => {
  const coded = (code: unknown, more: object = {}): Error =>
    Object.assign(new Error('SECRET'), { code, ...more });
  const hostile = {
    get code(): string {
      throw new Error('SECRET');
    },
  };

  describe('the code of what was thrown', () => {
    test.each([
      [coded('ECONNREFUSED'), 'ECONNREFUSED'],
      [coded('42P01'), '42P01'],
      [new TypeError('fetch failed', { cause: coded('ENOTFOUND') }), 'ENOTFOUND'],
      [
        new TypeError('fetch failed', { cause: coded(undefined, { errors: [coded('ECONNRESET')] }) }),
        'ECONNRESET',
      ],
      [coded('Erika Mustermann'), undefined],
      [coded(20), undefined],
      ['ECONNREFUSED', undefined],
      [undefined, undefined],
      [null, undefined],
      [hostile, undefined],
    ])('%#', (thrown, code) => {
      expect(codeOf(thrown)).toBe(code);
    });

    test('of an app it is a code of the system, or none', () => {
      expect(systemCodeOf(coded('ERIKA', { cause: coded('EPIPE') }))).toBe('EPIPE');
      expect(systemCodeOf(coded('ERIKA'))).toBeUndefined();
    });
  });
});

describe('urls', () => {
  /** The words of a text: addresses, without a space in them. */
  const words = (text: string): string[] => text.trim().split(/\s+/);

  describe('isLoopback', () => {
    const local =
      'localhost LOCALHOST:1 acme.localhost:1 a.b.LOCALHOST 127.0.0.1 127.9.9.9 [::1]:80 2130706433 0x7f.1';
    it.each(words(local))('is true for http://%s', (host) => {
      expect(isLoopback(new URL(`http://${host}`))).toBe(true);
    });

    const foreign = `localhost.evil.example evil-localhost localhost.localhost.example 127.0.0.1.evil.example evil.example/localhost localhost@evil.example
    0.0.0.0 [::] 128.0.0.1 192.168.0.1 a127.0.0.1.nip.io`;
    it.each(words(foreign))('is false for http://%s', (host) => {
      expect(isLoopback(new URL(`http://${host}`))).toBe(false);
    });
  });

  describe('secureUrl', () => {
    it('takes https anywhere', () => {
      expect(secureUrl('https://service.example/x', false)?.href).toBe('https://service.example/x');
      expect(secureUrl('https://localhost:1/', false)?.href).toBe('https://localhost:1/');
      expect(secureUrl('HTTPS:\\\\service.example', true)?.href).toBe('https://service.example/');
    });

    it('takes http on this machine only where that is allowed', () => {
      expect(secureUrl('http://127.0.0.1:3000', true)?.href).toBe('http://127.0.0.1:3000/');
      expect(secureUrl('http://127.0.0.1:3000', false)).toBeUndefined();
      expect(secureUrl('http://service.example', true)).toBeUndefined();
    });

    const bad = `service.example /path //service.example https:// javascript:alert(1)
    javascript://localhost/%0aalert(1) ftp://localhost/ ws://localhost/ file:///etc/passwd data:text/html,x
    blob:https://service.example/1 https://user@service.example https://:password@service.example
    http://user@localhost`;
    const noText = [undefined, null, 5, {}, new URL('https://service.example')];
    it.each([...words(bad), '', ...noText])('refuses %p', (value) => {
      expect(secureUrl(value, true)).toBeUndefined();
    });
  });

  const origin = 'https://shop.example';

  describe('F13 safePath', () => {
    it.each([
      ['/', '/'],
      ['/club', '/club'],
      ['/club/7?tab=a&next=//evil.example#part', '/club/7?tab=a&next=//evil.example#part'],
      ['/a/../b', '/b'],
      ['/a//b', '/a//b'],
      ['/@evil.example', '/@evil.example'],
      ['/https://evil.example', '/https://evil.example'],
      ['/größe', '/gr%C3%B6%C3%9Fe'],
      ['/a b', '/a%20b'],
    ])('%s stands as %s', (path, location) => {
      expect(safePath(path, origin)).toBe(location);
      expect(new URL(location, origin).origin).toBe(origin);
    });

    const noPaths =
      'club https://evil.example/ https://shop.example/club https:/evil.example javascript:alert(1) ?a=b #a';
    const elsewhere = `//evil.example ///evil.example /.//evil.example /..//evil.example /a/..//evil.example
    /%2e//evil.example /%2E%2e//evil.example /..%2fbank /club%2f%2e./..%2Fbank /club%2F%2E%2e /%2fevil.example
    /%2F/evil.example /.%2f/../%2fevil.example /%5cevil.example /%5Cevil.example`;
    const backslashes = ['/\\evil.example', '\\\\evil.example', '/a\\b'];
    const controls = [
      '/\tevil.example',
      '/\n/evil.example',
      '\t//evil.example',
      ' //evil.example',
      '/a\u0085b',
    ];
    const encodedControls = '/a%0d%0aset-cookie:x /a%00 /a%7f';
    const noText = [undefined, null, ['/club'], { toString: () => '/club' }];
    it.each([
      ...words(noPaths),
      ...words(elsewhere),
      ...backslashes,
      ...controls,
      ...words(encodedControls),
      `/${'a'.repeat(2_000)}`,
      '',
      ...noText,
    ])('refuses %j', (path) => {
      expect(safePath(path, origin)).toBeUndefined();
    });

    it('returns undefined if the origin is none', () => {
      expect(safePath('/club', 'null')).toBeUndefined();
    });

    it.each([
      ['/', '/'],
      ['/../app/club', '/club'],
      ['/club/../x', '/x'],
      ['/a%2f...%2fb', '/a%2f...%2fb'],
      ['/../application', undefined],
      ['/../app', undefined],
      ['/..', undefined],
      ['/%2e%2e/bank', undefined],
      ['/..%2fbank', undefined],
      ['/.//evil.example', undefined],
    ])('%s below a prefix: %s', (path, location) => {
      expect(safePath(path, 'https://shop.example/app')).toBe(location);
    });
  });
});

describe('timeouts', () => {
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  describe('within', () => {
    it('returns what the work returns, awaited or not, and leaves no timer', async () => {
      jest.useFakeTimers();
      expect(await withTimeout(1000, () => Promise.resolve('late'))).toBe('late');
      expect(await withTimeout(1000, () => 'at once')).toBe('at once');
      expect(jest.getTimerCount()).toBe(0);
    });

    it('fails as the work fails, thrown or rejected, and leaves no timer', async () => {
      jest.useFakeTimers();
      const fault = new Error('mine');
      await expect(withTimeout(1000, () => Promise.reject(fault))).rejects.toBe(fault);
      await expect(
        withTimeout(1000, () => {
          throw fault;
        }),
      ).rejects.toBe(fault);
      expect(jest.getTimerCount()).toBe(0);
    });

    it('fails at the deadline, if the work goes on', async () => {
      jest.useFakeTimers();
      const outcome = withTimeout(1000, () => new Promise(() => undefined)).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(1000);
      expect(await outcome).toBeInstanceOf(TimeoutError);
    });

    it('fails at the deadline too where what goes on is no native promise', async () => {
      jest.useFakeTimers();
      const never = new Proxy({}, { get: () => () => undefined }) as Promise<never>; // such a `then` too
      const outcome = withTimeout(1000, () => never).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(1000);
      expect(await outcome).toBeInstanceOf(TimeoutError);
    });

    it('waits, where the time is longer than a timer can be, as long as it can', async () => {
      jest.useFakeTimers();
      const work = withTimeout(2 ** 40, () => new Promise((resolve) => setTimeout(resolve, 60_000, 'done')));
      await jest.advanceTimersByTimeAsync(60_000);
      expect(await work).toBe('done');
    });
  });

  describe('stoppedWithin', () => {
    it('does not tell work that was in time to stop', async () => {
      let signal: AbortSignal | undefined;
      await withTimeoutSignal(1000, (given) => void ({ signal } = given));
      expect(signal?.aborted).toBe(false);
    });

    it('tells the work to stop at the deadline, and fails whether it listens or not', async () => {
      jest.useFakeTimers();
      let signal: AbortSignal | undefined;
      const outcome = withTimeoutSignal(1000, (given) => {
        ({ signal } = given);
        return new Promise(() => undefined);
      }).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(999);
      expect(signal?.aborted).toBe(false);
      await jest.advanceTimersByTimeAsync(1);
      expect(await outcome).toBeInstanceOf(TimeoutError);
      expect(signal?.reason).toBe(await outcome);
    });

    it('makes the signal where it is asked for: one, and an aborted one once the deadline has passed', async () => {
      const Controller = AbortController;
      const made = jest.spyOn(globalThis, 'AbortController').mockImplementation(() => new Controller());
      let given: { readonly signal: AbortSignal } | undefined;
      const work = async (deadline: { readonly signal: AbortSignal }) => {
        given = deadline;
        return await new Promise(() => undefined);
      };
      expect(await withTimeoutSignal(1000, () => 'done')).toBe('done');
      const late = await withTimeoutSignal(10, work).catch((error: unknown) => error);
      expect(made).not.toHaveBeenCalled();
      const { signal } = given ?? {};
      expect([signal?.reason, given?.signal, made.mock.calls.length]).toEqual([late, signal, 1]);
    });

    it('says that the deadline passed, not how the work took it', async () => {
      jest.useFakeTimers();
      const outcome = withTimeoutSignal(1000, async ({ signal }) => {
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('aborted')));
        });
      }).catch((error: unknown) => error);
      await jest.advanceTimersByTimeAsync(1000);
      expect(await outcome).toBeInstanceOf(TimeoutError);
    });
  });
});

describe('remote', () => {
  const cooldown = 30_000;

  /** A source of which the test ends each load, and a clock that it moves. */
  function source(stillCounts?: (value: string) => boolean) {
    const clock = testClock(Date.UTC(2026, 7, 12));
    const loads: {
      readonly end: (loaded: Partial<Loaded<string>> & { value: string }) => void;
      readonly fail: (error: Error) => void;
    }[] = [];
    const { current, renew, latest } = remote<string, { readonly clock: () => Date }>({
      load: async () =>
        await new Promise((resolve, reject) => {
          const at = clock().getTime();
          loads.push({ end: (loaded) => resolve({ at, freshUntil: at + 1000, ...loaded }), fail: reject });
        }),
      cooldown,
      ...(stillCounts && { stillCounts }),
    });
    const outcome = async (promise: Promise<string>) => await promise.catch((error: unknown) => error);
    return {
      clock,
      loads,
      latest,
      current: async () => await outcome(current({ clock })),
      renew: async () => await outcome(renew({ clock })),
    };
  }
  const away = new Error('away');

  describe('F75 what others publish is kept in one way', () => {
    test('F75 all who need it share one load, and keep it while it is fresh', async () => {
      const { current, loads, clock, latest } = source();
      const waiting = [current(), current(), current()];
      expect(loads).toHaveLength(1);
      expect(latest()).toBeUndefined();
      loads[0]?.end({ value: 'one' });
      expect(await Promise.all(waiting)).toEqual(['one', 'one', 'one']);
      clock.forward(999);
      expect(await current()).toBe('one');
      clock.forward(1);
      const next = current();
      expect(loads).toHaveLength(2);
      loads[1]?.end({ value: 'two' });
      expect(await next).toBe('two');
      expect(latest()).toBe('two');
    });

    test('F75 a failure stands for the cooldown, for those who ask and those who renew', async () => {
      const { current, renew, loads, clock } = source();
      const waiting = [current(), current()];
      loads[0]?.fail(away);
      expect(await Promise.all(waiting)).toEqual([away, away]);
      clock.forward(cooldown - 1);
      expect([await current(), await renew()]).toEqual([away, away]);
      expect(loads).toHaveLength(1);
      clock.forward(1);
      const next = current();
      loads[1]?.end({ value: 'one' });
      expect(await next).toBe('one');
    });

    test('F75 a clock that was set back ends a cooldown, and what was loaded ahead of it', async () => {
      const { current, loads, clock } = source();
      const failing = current();
      loads[0]?.fail(away);
      expect(await failing).toBe(away);
      clock.forward(-cooldown);
      const ahead = current();
      loads[1]?.end({ value: 'ahead', freshUntil: Infinity });
      expect(await ahead).toBe('ahead');
      clock.forward(-1);
      const anew = current();
      expect(loads).toHaveLength(3);
      loads[2]?.end({ value: 'anew' });
      expect(await anew).toBe('anew');
    });

    test('F75 nobody waits while the last value counts, and a failure takes nothing away from it', async () => {
      const { current, loads, clock } = source();
      const first = current();
      loads[0]?.end({ value: 'one', countsUntil: clock().getTime() + 100_000 });
      expect(await first).toBe('one');
      clock.forward(1000);
      expect([await current(), await current()]).toEqual(['one', 'one']);
      expect(loads).toHaveLength(2);
      loads[1]?.fail(away);
      await new Promise((resolve) => setImmediate(resolve));
      expect(await current()).toBe('one');
      expect(loads).toHaveLength(2);
      clock.forward(99_000);
      const next = current(); // it counts no more, and the failure is old
      expect(loads).toHaveLength(3);
      loads[2]?.fail(away);
      expect(await next).toBe(away);
    });

    test('F75 a renewal is made however fresh the value is, once in the cooldown', async () => {
      const { current, renew, loads, clock } = source();
      const first = current();
      loads[0]?.end({ value: 'one', freshUntil: Infinity });
      expect(await first).toBe('one');
      const renewals = [renew(), renew()];
      expect(loads).toHaveLength(2);
      expect(await current()).toBe('one');
      loads[1]?.end({ value: 'two', freshUntil: Infinity });
      expect(await Promise.all(renewals)).toEqual(['two', 'two']);
      clock.forward(cooldown - 1);
      expect(await renew()).toBe('two');
      expect(loads).toHaveLength(2);
      clock.forward(1);
      const later = renew();
      loads[2]?.fail(away);
      expect(await later).toBe(away);
      expect(await current()).toBe('two');
    });

    test('F75 what has stopped counting is loaded anew, under way or not', async () => {
      let counts = 'one';
      const { current, loads } = source((value) => value === counts);
      const first = current();
      counts = 'two';
      loads[0]?.end({ value: 'one', freshUntil: Infinity });
      while (loads.length === 1) await new Promise((resolve) => setImmediate(resolve));
      loads[1]?.end({ value: 'two', freshUntil: Infinity });
      expect(await first).toBe('two');
      counts = 'three';
      const next = current();
      loads[2]?.end({ value: 'three' });
      expect(await next).toBe('three');
    });
  });
});
