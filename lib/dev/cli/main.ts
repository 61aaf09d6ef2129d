#!/usr/bin/env node
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from './run.js';

const { stdout, stderr, stdin, env } = process;

void run(process.argv.slice(2), {
  stdout,
  stderr,
  stdin,
  env,
  cwd: process.cwd(),
  signals: process,
  interactive: stdin.isTTY,
  color: stdout.isTTY && env['NO_COLOR'] === undefined,
  stdio: 'inherit',
  wait: async (ms, signal) => await sleep(ms, undefined, { signal }),
}).then((code) => {
  // An app that doctor has loaded would go on for ever.
  stdout.write('', () => process.exit(code));
});
