import { expect, test } from '@jest/globals';
import { readReturnCode } from '../../lib/flow/return-code.js';

const half = 'A'.repeat(43);

test.each([
  [`${half}.${half}`, { id: half, secret: half }],
  [`${half}.${half}.${half}`, undefined],
  [half, undefined],
  [`A${half}.${half}`, undefined],
  [`${half}.${half}A`, undefined],
  [`${half}.`, undefined],
  [`${half}.${'A'.repeat(42)}B`, undefined],
  [`${'B'.repeat(43)}.${half}`, undefined],
  [[half, half], undefined],
  [undefined, undefined],
])('the code %j reads as %j', (given, code) => {
  expect(readReturnCode(given)).toEqual(code);
});
