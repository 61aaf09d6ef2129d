import { describe, expect, it } from '@jest/globals';
import { createJobs } from '../../bridge/jobs.js';
import { memoryStore } from '../../bridge/kit.js';
import { createSeal, sha256 } from '../../bridge/seal.js';
import { testClock } from '../support/clock.js';
import { storeAround } from '../support/stores.js';

const job = {
  id: 'an-id',
  state: 'the-state',
  revealed: ['given_name'],
  sameDevice: false,
  redirectUrl: 'https://shop.example/identity/callback',
  app: { name: 'Shop', url: 'https://shop.example' },
  request: { id: 'a-transaction', link: 'haip-vp://?x' },
  hookKey: 'a-key',
};

const sealed = 'a stored job was sealed under another BRIDGE_SECRET, or was changed';

function openJobs(secret = 'one secret') {
  const [clock, seen] = [testClock(), [] as string[]];
  const store = storeAround(async (_call, work, args) => {
    seen.push(...args.map(String));
    return await work();
  }, memoryStore({ clock }));
  const now = () => clock().getTime();
  return { clock, now, seen, store, jobs: createJobs(store, [secret], now) };
}

describe('a job', () => {
  it('is a compare-and-swap: of two changes of one version, one is made', async () => {
    const { jobs, now } = openJobs();
    await jobs.create({ ...job, startedAt: now() });
    const stored = await jobs.read(job.id);
    const changes = await Promise.all(['a', 'b'].map(async (owner) => await jobs.change(stored!, { owner })));
    expect(changes.filter((change) => change !== undefined)).toHaveLength(1);
  });

  it('leaves after ten minutes, however often it was changed', async () => {
    const { jobs, now, clock } = openJobs();
    await jobs.create({ ...job, startedAt: now() });
    clock.forward(9 * 60_000);
    await jobs.change((await jobs.read(job.id))!, { owner: 'a' });
    clock.forward(60_000);
    expect(await jobs.read(job.id)).toBeUndefined();
  });

  it('is sealed: the store learns neither id nor state, nor what is in it', async () => {
    const { jobs, now, seen } = openJobs();
    await jobs.create({ ...job, startedAt: now(), answer: { presentation: 'the-proof' } });
    await jobs.claim('nonce', 'the-nonce', job.id);
    await jobs.claim('state', 'the-state', job.id);
    expect(seen.length).toBeGreaterThan(6);
    for (const secret of ['an-id', 'the-state', 'the-proof', 'the-nonce', 'shop.example']) {
      expect(seen.join('\n')).not.toContain(secret);
    }
  });

  it('does not open under another secret, nor under another name', async () => {
    const { jobs, now, store } = openJobs();
    await jobs.create({ ...job, startedAt: now() });
    await expect(createJobs(store, ['another secret'], now).read(job.id)).rejects.toThrow(sealed);
    const seal = createSeal(['one secret']);
    const closed = seal.close('text', 'job.one');
    expect(seal.open(closed, 'job.one')).toBe('text');
    expect(() => seal.open(closed, 'job.another')).toThrow(sealed);
    expect(() => seal.open(closed.slice(0, 20), 'job.one')).toThrow(sealed);
  });
});

it('F149 secrets change in three steps, while two processes share the jobs', async () => {
  const { store, now, jobs: old } = openJobs('old');
  await old.create({ ...job, startedAt: now() });
  const reads = createJobs(store, ['old', 'new'], now); // 1: opens both, and seals as the others do
  await reads.change((await reads.read(job.id))!, { owner: 'one' });
  expect((await old.read(job.id))?.job.owner).toBe('one');
  const seals = createJobs(store, ['new', 'old'], now); // 2: all processes can open the new one
  await seals.change((await seals.read(job.id))!, { owner: 'two' });
  expect((await reads.read(job.id))?.job.owner).toBe('two');
  await expect(old.read(job.id)).rejects.toThrow(sealed);
  expect((await createJobs(store, ['new'], now).read(job.id))?.job.owner).toBe('two'); // 3: the old one leaves
});

it('what another version of the bridge has stored is no job: its page says to start again', async () => {
  const { store, jobs } = openJobs();
  await store.create(`job.${sha256(job.id)}`, createSeal(['one secret']).close('{}', 'any'), 600_000);
  expect(await jobs.read(job.id)).toBeUndefined();
});

it('a nonce is one job’s, for as long as that is open', async () => {
  const { jobs, clock } = openJobs();
  expect(await jobs.claim('nonce', 'n', 'one')).toBe(true);
  expect(await jobs.claim('nonce', 'n', 'one')).toBe(true);
  expect(await jobs.claim('nonce', 'n', 'another')).toBe(false);
  clock.forward(10 * 60_000);
  expect(await jobs.claim('nonce', 'n', 'another')).toBe(true);
});
