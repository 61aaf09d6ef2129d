import { expect, test } from '@jest/globals';
import { seed } from '../../support/seed.js';
import { plantedLimit, plantedSeed } from './found.js';
import { faults } from './planted.js';
import { playSchedules, printFound } from './run.js';

test.each(faults)('$invariant $name: found, and shown by a few steps', async ({ changes, invariant }) => {
  const [{ found }] = await playSchedules(plantedSeed, plantedLimit, { planted: changes, invariant });
  expect(found?.broken.join('\n')).toMatch(new RegExp(`^${invariant}: `, 'm'));
  expect(found?.plan.actions.length).toBeLessThan(16);
});

test('I1 to I10 hold in 10,000 schedules', async () => {
  const reports = await playSchedules(seed, 10_000, { processes: 2 });
  expect(reports.map(printFound)).toEqual(['', '']);
  expect(reports.map(({ schedules }) => schedules)).toEqual([5_000, 5_000]);
}, 1_200_000);
