import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { root } from '../../support/root.js';
import { seed } from '../../support/seed.js';
import { plantedLimit, readFound } from './found.js';
import { faults } from './planted.js';
import { playSchedules } from './run.js';

test('the same seed is the same trace', async () => {
  const [[one, another], [other]] = await Promise.all([
    playSchedules(seed, 80, { processes: 2 }),
    playSchedules(seed, 40),
  ]);
  expect(one.digest).toBe(other.digest);
  expect(another?.schedules).toBe(40);
  expect(one.digest).not.toBe(another?.digest);
});

const invariants = Array.from({ length: 10 }, (_, at) => `I${at + 1}`);

test('each invariant is a sentence of SECURITY.md, and two planted faults at least break it', () => {
  const security = readFileSync(join(root, 'SECURITY.md'), 'utf8');
  const found = readFound();
  expect(found.map(({ name }) => name)).toEqual(faults.map(({ name }) => name));
  expect(found.filter(({ schedule }) => schedule > plantedLimit)).toEqual([]);
  for (const invariant of invariants) {
    expect([...security.matchAll(new RegExp(`^- \\*\\*${invariant}\\*\\* .+\\.$`, 'gm'))]).toHaveLength(1);
    expect(faults.filter((fault) => fault.invariant === invariant).length).toBeGreaterThan(1);
  }
});

test('what each planted fault changes stands in its file, once', () => {
  const changes = faults.flatMap((fault) => fault.changes);
  const often = changes.filter(
    ({ file, was }) => readFileSync(join(root, file), 'utf8').split(was).length !== 2,
  );
  expect(often).toEqual([]);
});
