import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlFor } from '../../../../lib/dev/sandbox/timeline/mask.js';

/** The arguments that a shell makes of each command. */
function argumentsIn(commands: readonly string[]): string[][] {
  const shell = `curl() { printf '%s\\0' "$@"; printf 'END OF IT\\0'; }\n${commands.join('\n')}`;
  const printed = execFileSync('bash', ['-c', shell], { encoding: 'utf8' });
  return printed
    .split('END OF IT\0')
    .slice(0, -1)
    .map((all) => all.split('\0').slice(0, -1));
}

const pieces = [
  "'",
  "''",
  "';id;'",
  "'$(id)'",
  '$(id)',
  '`id`',
  '\\',
  "\\'",
  '"',
  '\n',
  '!!',
  '{a,b}',
  '*',
  '~',
  '&',
  '|',
];

describe('F85 the callback as a command is one command, whatever is in it', () => {
  it.each(pieces.map((piece) => [JSON.stringify(piece), piece] as const))('F85 %s', (_name, piece) => {
    const calls = [piece, `a${piece}b`, `${piece}${piece}`, `${piece} #`].map((text) => ({
      url: `http://localhost:3000/${text}/callback`,
      body: `state=${text}`,
    }));
    const header = 'content-type: application/x-www-form-urlencoded';
    expect(argumentsIn(calls.map(({ url, body }) => curlFor(url, body)))).toEqual(
      calls.map(({ url, body }) => ['-i', url, '-H', header, '--data-raw', body]),
    );
  });
});
