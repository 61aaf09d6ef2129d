import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import Environment from '../../test/support/environment.mjs';

/** What to switch off for the tests of a number: checks (`B07`), or one place of a check (`B07 sd-jwt/key-binding.ts:64`). */
const offFor = JSON.parse(env.OFF_FOR);

/** Runs the tests of these numbers, without what is off for them, and skips all others. */
export default class extends Environment {
  handleTestEvent({ name, test }) {
    if (test === undefined) return;
    const number = /^[A-Z]\d\d\b/.exec(test.name)?.[0];
    const off = number === undefined ? undefined : offFor[number];
    if (name === 'test_start') {
      if (off === undefined) test.mode = 'skip';
      this.refused = new Set();
      this.global.isOff = (check, place) => {
        if (check === number) this.refused.add(`${check} ${place}`);
        return off?.includes(check) || off?.includes(`${check} ${place}`);
      };
    }
    if (name === 'test_done' && off !== undefined) {
      this.global.isOff = undefined;
      const outcome = { number, test: test.name, failed: test.errors.length > 0, refused: [...this.refused] };
      appendFileSync(env.OUTCOMES, `${JSON.stringify(outcome)}\n`);
    }
  }
}
