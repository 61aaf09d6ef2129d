import { describe, expect, test } from '@jest/globals';
import { revokedMarker, type FlowRecord, splitValue } from '../../lib/flow/record.js';
import { createRecords, type StoredFlow } from '../../lib/flow/records.js';
import { newSecret, sha256 } from '../../lib/flow/secrets.js';
import type { FlowStore } from '../../lib/types/store.js';
import { memoryStore } from '../../lib/stores/memory.js';
import { turns } from '../support/callbacks.js';
import { testClock } from '../support/clock.js';
import { holdTimers, pass } from '../support/held-timers.js';
import { othersWriteBefore, storeAround } from '../support/stores.js';

const clock = testClock();

function pending(more: Partial<FlowRecord> = {}): FlowRecord {
  const startedAt = clock().getTime();
  return {
    status: 'pending',
    request: 'default',
    issuer: 'xx-test',
    reveal: ['given_name'],
    derived: {},
    question: 'a question',
    startedAt,
    expiresAt: startedAt + 600_000,
    origin: 'https://app.example',
    refused: [],
    ...more,
  };
}

/** Records whose stored values the test can see and change. */
function open(path = '/identity', store: FlowStore = memoryStore({ clock })) {
  const records = createRecords({
    store,
    path,
    clock,
    flowTtl: 600_000,
    isOwnOrigin: (origin) => origin === 'https://app.example',
  });
  return { records, store };
}

function found(read: StoredFlow | 'revoked' | undefined): StoredFlow {
  if (read === undefined || read === 'revoked') throw new Error(`No record: ${read}`);
  return read;
}

describe('records', () => {
  holdTimers();

  test("the path is part of id and key: two factories on one store never open what is the other one's", async () => {
    const { records, store } = open();
    const other = open('/other', store).records;
    const state = newSecret();
    const place = records.placeOf(state);
    await records.create(place, pending());
    expect(await other.read(other.placeOf(state))).toBeUndefined();
    expect(await other.read(other.placeOf(state, place.id))).toBeUndefined();
    expect(await records.read(records.placeOf(state, place.id))).toMatchObject({ record: pending() });
  });

  test('a record comes back as it was put there, and its value tells nothing of it', async () => {
    const { records, store } = open();
    const state = newSecret();
    const place = records.placeOf(state);
    await records.create(place, pending({ context: { order: 'marker-order' } }));
    expect(found(await records.read(place)).record).toEqual(pending({ context: { order: 'marker-order' } }));
    const value = (await store.read(place.id))?.value ?? '';
    for (const text of [state, 'marker-order', 'given_name', 'app.example', 'pending']) {
      expect(value).not.toContain(text);
      expect(Buffer.from(value, 'base64url').toString('latin1')).not.toContain(text);
    }
  });

  test('F35 one changed character makes the record unreadable, wherever it stands', async () => {
    const { records, store } = open();
    const place = records.placeOf(newSecret());
    await records.create(place, pending({ status: 'verified', code: sha256('x') }));
    const { id } = place;
    const value = (await store.read(id))?.value ?? '';
    expect(value.length).toBeGreaterThan(200);
    let version = 1;
    for (let at = 0; at < value.length; at += 1) {
      for (const other of [value[at] === 'A' ? 'B' : 'A', value[at] === '.' ? '-' : '.']) {
        await store.replace(id, version, value.slice(0, at) + other + value.slice(at + 1), 600_000);
        version += 1;
        expect([at, other, await records.read(place)]).toEqual([at, other, undefined]);
      }
    }
    await store.replace(id, version, value, 600_000);
    expect(found(await records.read(place)).record.status).toBe('verified');
  });

  test('F35 a value under another id, or with another count of sealings, does not open', async () => {
    const { records, store } = open();
    const [one, two] = [records.placeOf(newSecret()), records.placeOf(newSecret())];
    await records.create(one, pending());
    await records.create(two, pending());
    const value = (await store.read(one.id))?.value ?? '';
    await store.replace(two.id, 1, value, 600_000);
    expect(await records.read(two)).toBeUndefined();
    await store.replace(one.id, 1, value.replace(/^1\.0\./, '1.1.'), 600_000);
    expect(await records.read(one)).toBeUndefined();
  });

  test('a write over what another has written is lost, and says so', async () => {
    const { records } = open();
    const place = records.placeOf(newSecret());
    await records.create(place, pending());
    const first = found(await records.read(place));
    const second = await records.replace(first, pending({ request: 'one' }));
    expect(await records.replace(first, pending({ request: 'two' }))).toBeUndefined();
    expect(found(await records.read(place)).record.request).toBe('one');
    // Who has written may write again without reading.
    expect(await records.replace(found(second), pending({ request: 'three' }))).toBeDefined();
  });

  test('nothing is written after the deadline, or after the lease of the last hook, whatever the store still holds', async () => {
    const { records, store } = open('/identity', memoryStore({ clock: () => new Date(0) }));
    const place = records.placeOf(newSecret());
    const expiresAt = clock().getTime() + 10;
    await records.create(place, pending({ expiresAt }));
    const lease = { holder: 'one', until: expiresAt + 10 };
    const leased = found(
      await records.replace(found(await records.read(place)), pending({ expiresAt, lease })),
    );
    clock.forward(19);
    expect(await records.read(place)).toBeUndefined(); // nobody else begins anything
    const written = found(await records.replace(leased, pending({ expiresAt, lease })));
    clock.forward(1);
    expect(await records.replace(written, pending({ expiresAt: expiresAt + 600_000 }))).toBeUndefined();
    expect((await store.read(place.id))?.version).toBe(written.version);
  });

  test('the store may let go of a record at its deadline, or where the lease lasts longer, at its end', async () => {
    const told: unknown[] = [];
    const store = storeAround(async (call, work, args) => {
      if (call === 'create' || call === 'replace') told.push(args.at(-1));
      return await work();
    }, memoryStore({ clock }));
    const { records } = open('/identity', store);
    const place = records.placeOf(newSecret());
    const record = pending();
    const { expiresAt } = record;
    await records.create(place, record);
    clock.forward(60_000);
    const short = { ...record, lease: { holder: 'one', until: expiresAt - 1 } };
    const second = found(await records.replace(found(await records.read(place)), short));
    const long = { ...record, lease: { holder: 'one', until: expiresAt + 7 } };
    await records.replace(second, long);
    expect(told).toEqual([600_000, 540_000, 540_007]);
  });

  test('a value counts its sealings, in the process that wrote it and in the next one', async () => {
    const { records, store } = open();
    const place = records.placeOf(newSecret());
    const counted: unknown[] = [];
    const count = async () => void counted.push(splitValue((await store.read(place.id))?.value ?? ''));
    await records.create(place, pending());
    await count();
    const first = found(await records.replace(found(await records.read(place)), pending()));
    await count();
    await records.replace(first, pending());
    await count();
    await records.replace(found(await records.read(place)), pending());
    await count();
    expect(counted).toMatchObject([0, 1, 2, 3].map((sealCount) => ({ sealCount })));
  });

  test('F85 only the right code is revoked, once, only while the flow is verified, and for as long as it could have lived', async () => {
    const { records, store } = open();
    const [place, secret] = [records.placeOf(newSecret()), newSecret()];
    const code = sha256(secret);
    await records.create(place, pending({ code }));
    expect(await records.revoke(place.id, secret)).toBe(false);
    await records.replace(found(await records.read(place)), pending({ status: 'verified', code }));
    expect(await records.revoke(place.id, newSecret())).toBe(false);
    expect(await records.revoke(newSecret(), secret)).toBe(false);
    expect([await records.revoke(place.id, secret), await records.revoke(place.id, secret)]).toEqual([
      true,
      false,
    ]);
    expect((await store.read(place.id))?.value).toBe(revokedMarker);
    clock.forward(600_000 - 1);
    expect(await records.read(place)).toBe('revoked');
    clock.forward(1);
    expect(await records.read(place)).toBeUndefined();
  });

  test('a revocation that loses a race against another write tries again', async () => {
    const { around, count } = othersWriteBefore(1);
    const { records } = open('/identity', storeAround(around, memoryStore({ clock })));
    const [place, secret] = [records.placeOf(newSecret()), newSecret()];
    await records.create(place, pending({ status: 'verified', code: sha256(secret) }));
    expect(await records.revoke(place.id, secret)).toBe(true);
    expect(count.writes).toBe(2);
  });

  test('a store that never answers is store_unavailable', async () => {
    const read = async (): Promise<never> => await new Promise(() => {});
    const { records } = open('/identity', { ...memoryStore(), read });
    const failed = records.read(records.placeOf(newSecret())).catch((error: unknown) => error);
    await turns();
    pass(5_000);
    const message = 'The flow store did not answer in time.';
    expect(await failed).toMatchObject({ code: 'store_unavailable', message });
  });

  const refused = Object.assign(new Error('secret of the store'), { code: 'ECONNREFUSED' });
  test.each([
    ['rejects', refused, 'failed (ECONNREFUSED)'],
    ['rejects with something odd', { code: 'not a code: secret' }, 'failed'],
    ['puts words before its code', { code: 'secret: ECONNREFUSED' }, 'failed'],
    ['puts words after its code', { code: 'ECONNREFUSED: secret' }, 'failed'],
    ['rejects with nothing', undefined, 'failed'],
  ])('a store that %s is store_unavailable, and its own words go nowhere', async (_, fault, said) => {
    const down = async (): Promise<never> => await Promise.reject(fault as Error);
    const { records } = open('/identity', { create: down, read: down, replace: down, delete: down });
    const wanted = { code: 'store_unavailable', status: 503, message: `The flow store ${said}.` };
    const place = records.placeOf('x');
    await expect(records.read(place)).rejects.toMatchObject(wanted);
    await expect(records.create(place, pending())).rejects.toMatchObject(wanted);
    await expect(records.remove(place)).rejects.toMatchObject(wanted);
    await expect(records.revoke('x', 'y')).rejects.toMatchObject(wanted);
    expect(await records.read(place).catch((error: Error) => error.cause)).toBeUndefined();
  });

  test('a store that says a new id is taken is broken', async () => {
    const { records } = open();
    const place = records.placeOf(newSecret());
    await records.create(place, pending());
    await expect(records.create(place, pending())).rejects.toMatchObject({ code: 'store_unavailable' });
  });

  test.each(['', 'nonsense', '1.0', '2.0..abc', '1.0..a.b', 'a.b.c'])('%j is no value of ours', (value) => {
    expect(splitValue(value)).toBeUndefined();
  });
});
