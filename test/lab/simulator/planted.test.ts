import { expect, test } from '@jest/globals';
import { nightly, seed } from '../../support/seed.js';
import { plantedLimit, plantedSeed, readFound } from './found.js';
import { type PlantedFault, faults } from './planted.js';
import { playSchedules, printFound } from './run.js';

/** Those that take so many schedules at least. */
const from = (schedules: number): string[] =>
  readFound().flatMap(({ name, schedule }) => (schedule >= schedules ? [name] : []));

test('all but seven planted faults are found within 500 schedules', () => {
  expect(from(500).length).toBeLessThanOrEqual(7);
});

/** By day, one of each invariant that is found soon. The others, and those that take long, are looked for at night. */
const late = from(150);
const soon = faults.filter(({ name }) => nightly || !late.includes(name));
const played = soon.filter(
  (fault) => nightly || soon.filter(({ invariant }) => invariant === fault.invariant).indexOf(fault) === 0,
);
/** By day play begins with the schedule that found the fault. */
const firstOf = (name: string): number =>
  (nightly ? undefined : readFound().find((row) => row.name === name)?.schedule) ?? 1;
/** Making a schedule short takes longer than finding it: by day, one shows that it works. */
const isShortened = (fault: PlantedFault): boolean =>
  nightly || fault === played.find(({ invariant }) => invariant === 'I3');

test.each(played)('$invariant $name: found', async (fault) => {
  const { name, changes: planted, invariant } = fault;
  const [first, most] = [firstOf(name), isShortened(fault) ? 19 : Infinity];
  const playing = { planted, invariant, first, isShortened: isShortened(fault) };
  const [{ found }] = await playSchedules(plantedSeed, plantedLimit, playing);
  expect(found?.broken.join('\n')).toMatch(new RegExp(`^${invariant}: `, 'm'));
  expect(found?.plan.actions.length).toBeLessThanOrEqual(most);
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
