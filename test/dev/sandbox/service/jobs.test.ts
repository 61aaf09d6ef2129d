import { describe, expect, it } from '@jest/globals';
import { createAccounts } from '../../../../lib/dev/sandbox/service/accounts.js';
import { type JobPlan, createJobs } from '../../../../lib/dev/sandbox/service/jobs.js';
import { createTimeline } from '../../../../lib/dev/sandbox/timeline/timeline.js';

const clock = (): Date => new Date(0);
const account = createAccounts(undefined, undefined).working;

function plan(): JobPlan {
  const request = { issuer: 'xx-sandbox', revealed: ['given_name' as const], state: 's', same_device: false };
  const person = {
    given_name: 'Erika',
    family_name: 'Mustermann',
    birth_date: '1964-08-12',
    nationality: ['DE'],
  };
  return {
    account,
    request,
    person,
    scenario: 'approve',
    flow: createTimeline(clock).open('xx-sandbox', 'approve'),
    app: { name: undefined, purposes: {} },
  };
}

describe('Memory', () => {
  it('holds so many requests; the oldest leaves', () => {
    const jobs = createJobs(clock, { jobs: 3, states: 3 });
    const made = Array.from({ length: 5 }, () => jobs.open(plan()).id);
    expect(made.map((id) => jobs.find(id) !== undefined)).toEqual([false, false, true, true, true]);
  });

  it('holds so many states; the oldest may come again', () => {
    const jobs = createJobs(clock, { jobs: 3, states: 3 });
    const claimed = ['a', 'b', 'c', 'd', 'd', 'b', 'a'].map((state) => jobs.claim(account, state));
    expect(claimed).toEqual([true, true, true, true, false, false, true]);
  });

  it('tells the states of two accounts apart', () => {
    const jobs = createJobs(clock);
    const other = createAccounts(undefined, undefined).working;
    expect([jobs.claim(account, 'a'), jobs.claim(other, 'a')]).toEqual([true, true]);
  });
});
