import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { errorCodes } from '../../../lib/index.js';
import { serviceErrors } from '../../../lib/service/prove/errors.js';
import { checks } from '../../../lib/verify/checks.js';
import { ran, terminal } from './terminal.js';
import { run } from '../../../lib/dev/cli/run.js';

const document = readFileSync('docs/errors.md', 'utf8');

/** The words of an entry, without what Markdown marks. */
function wordsOf(code: string): string[] {
  const [, entry = ''] = new RegExp(`^## ${code}\\n([^]*?)(?=^## |(?![^]))`, 'm').exec(document) ?? [];
  return entry
    .replaceAll(/^```\w*$/gm, '')
    .replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1')
    .replaceAll(/\*\*|`/g, '')
    .split(/\s+/)
    .filter((word) => word !== '');
}

const said = (text: string): string[] =>
  text
    .replaceAll('`', '')
    .split(/\s+/)
    .filter((word) => word !== '');

describe('P36 pidgate explain', () => {
  it.each([...Object.keys(errorCodes), ...Object.keys(serviceErrors)])(
    'P36 %s: the whole entry of docs/errors.md, at every width',
    async (code) => {
      const whole = (await ran(['explain', code], 0)).out();
      const [name, ...words] = said(whole).filter((word) => word !== '-');
      expect([name, words]).toEqual([code, wordsOf(code).filter((word) => word !== '-')]);
      expect(words.length).toBeGreaterThan(15);
      for (const columns of [60, 80, 120]) {
        const at = await ran(['explain', code], 0, { columns });
        expect(said(at.out())).toEqual(said(whole));
        const prose = at
          .out()
          .split('\n')
          .filter((line) => !line.startsWith('    '));
        expect(prose.filter((line) => line.length > columns && line.trim().includes(' '))).toEqual([]);
      }
    },
  );

  it.each(Object.keys(checks))('P36 %s: what the check demands', async (check) => {
    const at = await ran(['explain', check], 0);
    expect(said(at.out()).length).toBeGreaterThan(3);
  });

  it.each([
    [
      ['explain', 'presentation_invalit'],
      'There is no error code or check "presentation_invalit". Did you mean presentation_invalid?',
    ],
    [['explain', '__proto__'], 'There is no error code or check "__proto__".'],
    [['explain'], 'explain needs an error code, such as presentation_invalid, or a check, such as C04.'],
    [['explain', 'busy', 'declined'], 'Unexpected argument "declined".'],
  ])('P36 %j: one sentence, exit code 2', async (argv, sentence) => {
    const at = terminal();
    expect(await run(argv, at)).toBe(2);
    expect(at.err().trimEnd().split('\n').at(-1)).toBe(`pidgate: ${sentence}`);
    expect(at.out()).toBe('');
  });
});
