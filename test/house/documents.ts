import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../support/root.js';

/** A fenced block of a document. */
export interface Block {
  /** Document and line, such as `README.md:31`. */
  readonly place: string;
  readonly language: string;
  readonly code: string;
}

/** All documents of the project, by their path from its root. */
export function documents(): string[] {
  const top = readdirSync(root).filter((name) => name.endsWith('.md'));
  const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return [...top, 'test/lab/simulator/README.md', ...docs];
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

export function blocksOf(path: string, text = read(path)): Block[] {
  return [...text.matchAll(/^```(\S*)\n(.*?)^```$/gms)].map(({ index, 1: language = '', 2: code = '' }) => ({
    place: `${path}:${text.slice(0, index).split('\n').length}`,
    language,
    code,
  }));
}

/** The examples in the comments of lib. */
export function examples(): Block[] {
  const files = readdirSync(join(root, 'lib'), { recursive: true, encoding: 'utf8' });
  return files
    .filter((name) => name.endsWith('.ts'))
    .flatMap((name) => {
      const text = read(`lib/${name}`);
      return [...text.matchAll(/^ *\* ```(\S*)\n((?: *\*.*\n)*?) *\* ```$/gm)].map(
        ({ index, 1: language = '', 2: code = '' }) => ({
          place: `lib/${name}:${text.slice(0, index).split('\n').length}`,
          language,
          code: code.replaceAll(/^ *\* ?/gm, ''),
        }),
      );
    });
}
