import { appendFileSync } from 'node:fs';
import { env } from 'node:process';
import Environment from '../../test/support/environment.mjs';

/** The numbers to switch off for a test whose name begins with a number, by that number. */
const switchedOffFor = JSON.parse(env.SWITCHED_OFF_FOR);

/** Runs each numbered test without the checks that its number stands for, skips the others, and writes what failed. */
export default class extends Environment {
  handleTestEvent({ name, test }) {
    if (test === undefined) return;
    const number = test.name.slice(0, 3);
    const switchedOff = /^...\b/.test(test.name) ? switchedOffFor[number] : undefined;
    if (name === 'test_start') {
      if (switchedOff === undefined) test.mode = 'skip';
      this.global.switchedOff = new Set(switchedOff);
    }
    if (name === 'test_done' && switchedOff !== undefined) {
      this.global.switchedOff = undefined;
      const outcome = { number, test: test.name, hasFailed: test.errors.length > 0 };
      appendFileSync(env.OUTCOMES, `${JSON.stringify(outcome)}\n`);
    }
  }
}
