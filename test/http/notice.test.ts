import { describe, expect, test } from '@jest/globals';
import type { IdentityEvent } from '../../lib/index.js';
import { silentHelp } from '../../lib/http/help/help.js';
import { createLog } from '../../lib/http/log.js';
import { createNotice } from '../../lib/http/notice.js';
import { testClock } from '../support/clock.js';

type Heard = Omit<IdentityEvent, 'at'>;

function listening(asksWallets = false) {
  const heard: string[] = [];
  const write = (line: string): void => void heard.push(line);
  const clock = testClock();
  const log = createLog({ logger: { error: write, warn: write }, clock }, silentHelp);
  return {
    heard,
    notice: createNotice({ clock, flowTtl: 600_000, log, inMemory: false, asksWallets }),
    clock,
  };
}

const refused = (check: string, question = 'age'): Heard => ({
  type: 'callback.refused',
  flow: 'F',
  question,
  code: 'presentation_invalid',
  check,
});
const times = (count: number, work: () => void): void => {
  for (let time = 0; time < count; time += 1) work();
};

test('three returns in a row without their session, and none well between: why that may be so for all', () => {
  const { heard, notice } = listening();
  const elsewhere: Heard = { type: 'flow.failed', flow: 'F', code: 'return_wrong_browser' };
  times(2, () => {
    times(2, () => notice(elsewhere));
    notice({ type: 'flow.confirmed', flow: 'F', question: 'age' });
  });
  expect(heard).toEqual([]);
  times(9, () => notice(elsewhere));
  expect(heard).toEqual([
    expect.stringMatching(
      /^pidgate: return_wrong_browser, three times in a row: .* one session secret, and set 'trust proxy'\. See npx pidgate explain return_wrong_browser$/,
    ),
  ]);
});

test('F61 wallets that fetch a request and never answer: the line names both addresses', () => {
  const { heard, notice, clock } = listening(true);
  const flow = (type: Heard['type']) => notice({ type, flow: 'F', question: 'age' });
  times(39, () => {
    flow('flow.started');
    flow('flow.requested');
  });
  clock.forward(600_000);
  expect(heard).toEqual([]);
  flow('flow.started');
  expect(heard).toEqual([
    'pidgate: 40 verifications were started and none was answered: do wallets reach /request and /callback, and do they accept the access certificate?',
  ]);
});

describe('F67 presentations that are refused', () => {
  test.each<[string, Heard]>([
    ['a good presentation', { type: 'flow.verified', flow: 'F', question: 'age' }],
    ['one that a hook refused', { type: 'flow.failed', flow: 'F', question: 'age', code: 'refused' }],
    ['another number', refused('B07')],
  ])('F67 it is not all of them after %s in between', (_name, between) => {
    const { heard, notice } = listening();
    times(9, () => notice(refused('C02')));
    notice(between);
    times(9, () => notice(refused('C02')));
    expect(heard).toEqual([]);
    notice({ type: 'flow.verified', flow: 'G', question: 'other' });
    notice(refused('C02', 'other'));
    notice(refused('C02'));
    expect(heard).toEqual([
      'pidgate: presentation_invalid (question age): all fail with C02: the trust entry does not match. See npx pidgate explain presentation_invalid',
    ]);
  });

  test.each(['C04', 'C07', 'B10', 'B11'])('F67 where all fail with %s, it is a clock', (check) => {
    const { heard, notice } = listening();
    times(10, () => notice(refused(check)));
    expect(heard.at(-1)).toContain(`all fail with ${check}: check this machine's clock.`);
  });
});
