import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { curlFor } from '../../../../lib/dev/sandbox/timeline/curl.js';

/** The arguments that a shell makes of a command. */
function argumentsIn(command: string): string[] {
  const shell = `curl() { printf '%s\\0' "$@"; }\n${command}`;
  return execFileSync('bash', ['-c', shell], { encoding: 'utf8' }).split('\0').slice(0, -1);
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
    for (const text of [piece, `a${piece}b`, `${piece}${piece}`, `${piece} #`]) {
      const url = `http://localhost:3000/${text}/callback`;
      expect(argumentsIn(curlFor(url, `state=${text}`))).toEqual([
        '-i',
        url,
        '-H',
        'content-type: application/x-www-form-urlencoded',
        '--data-raw',
        `state=${text}`,
      ]);
    }
  });
});
