import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import ts from 'typescript';
import { IdentityError, errorCodes, isKitErrorCode } from '../../lib/errors.js';
import { fromService, serviceErrors } from '../../lib/service/prove/errors.js';

const folder = new URL('../../docs/errors/', import.meta.url);
const files = readdirSync(folder).toSorted();
const codes = [...Object.keys(errorCodes), ...Object.keys(serviceErrors)].toSorted();

const read = (file: string): string => readFileSync(new URL(file, folder), 'utf8');

interface Fence {
  readonly language: string;
  readonly code: string;
}

const fencesOf = (page: string): Fence[] =>
  [...page.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map(([, language = '', code = '']) => ({ language, code }));

/** What is wrong with a fence, if anything. */
function faultOf({ language, code }: Fence): string | undefined {
  if (language === 'ts') {
    const { diagnostics = [] } = ts.transpileModule(code, { reportDiagnostics: true });
    const [first] = diagnostics;
    return first && ts.flattenDiagnosticMessageText(first.messageText, '\n');
  }
  if (language !== 'sh') return `a language that nothing checks: ${language}`;
  try {
    execFileSync('sh', ['-n'], { input: code, stdio: 'pipe' });
    return undefined;
  } catch (error) {
    return String(error);
  }
}

describe('docs/errors', () => {
  it('has a page for every code, and no other', () => {
    expect(files).toEqual(codes.map((code) => `${code}.md`));
  });

  it.each(files)('%s tells status, cause and fix', (file) => {
    const code = file.replace(/\.md$/, '');
    const page = read(file);
    const error = isKitErrorCode(code) ? new IdentityError(code) : fromService(code);
    const prose = page.replaceAll(/^```.*?^```$/gms, '');
    const sections = prose.split(/^## /m);

    expect(page.split('\n').slice(0, 3)).toEqual([
      `# ${code}`,
      '',
      `HTTP ${error.status}. Retryable: ${error.retryable ? 'yes' : 'no'}.`,
    ]);
    expect(sections.slice(1).map((section) => section.split('\n')[0])).toEqual([
      'What happened',
      'Likely causes',
      'Fix',
    ]);
    expect(sections.slice(1).filter((section) => section.trim().split(/\s+/).length < 10)).toEqual([]);
    expect(fencesOf(page).map(faultOf).filter(Boolean)).toEqual([]);
    expect(error.docs).toBe(`pidgate/docs/errors/${file}`);
  });

  it('would notice a fence that is broken', () => {
    expect(fencesOf('a\n```ts\nconst a = ;\n```\nb\n```sh\necho "\n```\n').map(faultOf)).toEqual([
      'Expression expected.',
      expect.stringContaining('Command failed'),
    ]);
    expect(faultOf({ language: 'js', code: '' })).toContain('js');
    expect(faultOf({ language: 'ts', code: 'const a: number = 1' })).toBeUndefined();
    expect(faultOf({ language: 'sh', code: 'echo a' })).toBeUndefined();
  });

  it('names no page that does not exist', () => {
    const named = new Set(
      files.flatMap((file) => [...read(file).matchAll(/`([a-z_]+)`/g)].map(([, it]) => it)),
    );
    const looksLikeOurs = [...named].filter((name) =>
      /^(error|service|store|session|return|hook)_/.test(name ?? ''),
    );
    expect(looksLikeOurs.filter((name) => !codes.includes(name ?? ''))).toEqual([]);
  });
});
