import { expect, test } from '@jest/globals';
import { nightly, seed } from '../../support/seed.js';
import { plantedLimit, plantedSeed, readFound } from './found.js';
import { faults } from './planted.js';
import { playSchedules, printFound } from './run.js';

/** Those that take so many schedules at least. */
const from = (schedules: number): string[] =>
  readFound().flatMap(({ name, schedule }) => (schedule >= schedules ? [name] : []));

test('all but seven planted faults are found within 500 schedules', () => {
  expect(from(500).length).toBeLessThanOrEqual(7);
});

/** What takes long to find is looked for at night. */
const late = nightly ? [] : from(150);
const soon = faults.filter(({ name }) => !late.includes(name));

test.each(soon)('$invariant $name: found, and shown by a few steps', async ({ changes, invariant }) => {
  const [{ found }] = await playSchedules(plantedSeed, plantedLimit, { planted: changes, invariant });
  expect(found?.broken.join('\n')).toMatch(new RegExp(`^${invariant}: `, 'm'));
  expect(found?.plan.actions.length).toBeLessThan(20);
});

/** Without these a run would have shown little. */
const least = ['event flow.confirmed', 'event flow.failed return_wrong_browser', 'is killed', 'lost'];

test('I1 to I10 hold in 500 schedules', async () => {
  const reports = await playSchedules(seed, 500, { processes: 2 });
  expect(reports.map(printFound)).toEqual(['', '']);
  expect(reports.map(({ schedules }) => schedules)).toEqual([250, 250]);
  for (const { seen } of reports)
    for (const what of least) expect([what, seen[what]]).toEqual([what, expect.any(Number)]);
}, 600_000);
