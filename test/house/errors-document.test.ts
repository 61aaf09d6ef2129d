import { execFileSync } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { errorCodes, IdentityError } from '../../lib/index.js';
import { isKitErrorCode } from '../../lib/errors.js';
import { fromService, proveErrors } from '../../lib/service/prove/errors.js';
import { read } from './documents.js';
import { deep } from '../support/deep.js';

const document = read('docs/errors.md');
const [ofCodes = ''] = document.split('\n## What can be set up wrong\n');
const [, ...sections] = ofCodes.split(/^## /m);
const codes = [...Object.keys(errorCodes), ...Object.keys(proveErrors)].toSorted();

describe('docs/errors.md', () => {
  it('is where each error leads, with a fix, and a cause where the sentence does not say it', () => {
    expect(sections.map((section) => section.split('\n')[0])).toEqual(codes);
    for (const [index, code] of codes.entries()) {
      const error = isKitErrorCode(code) ? new IdentityError(code) : fromService(code);
      const [, sentence, cause, fix] = sections[index]?.split('\n\n') ?? [];
      expect([error.docs, sentence]).toEqual([
        `pidgate/docs/errors.md#${code}`,
        expect.stringMatching(/^\*\*.+\*\* \d{3}/),
      ]);
      const [why, how] = cause?.startsWith('Fix: ') ? ['Said.', cause] : [cause, fix];
      expect([why, how]).toEqual([
        expect.stringMatching(/^\S+.*\.$/s),
        expect.stringMatching(/^Fix: \S+ \S+/),
      ]);
    }
  });

  deep.test('has commands that a shell can read', () => {
    const commands = [...document.matchAll(/`(curl [^`]+)`/g)].map(([, command = '']) => command);
    expect(commands).not.toEqual([]);
    for (const command of commands) execFileSync('sh', ['-n'], { input: command, stdio: 'pipe' });
  });

  it('names no code that does not exist', () => {
    const named = [...document.matchAll(/`([a-z_]+)`/g)].map(([, name = '']) => name);
    const likeCodes = named.filter((name) => /^(error|service|store|session|return|hook)_/.test(name));
    expect(likeCodes.filter((name) => !codes.includes(name))).toEqual([]);
  });
});
