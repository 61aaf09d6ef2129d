import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';

export const root: string = join(import.meta.dirname, '..');

export interface Page {
  readonly title: string;
  /** From the root of the project, such as `docs/errors.md`. */
  readonly path: string;
  readonly about: string;
}

export interface Section {
  readonly name: string;
  readonly pages: readonly Page[];
}

export function read(path: string): string {
  return readFileSync(join(root, path), 'utf8');
}

/** Reads the list of documents, `docs/README.md`: a heading for each section, a line for each page. */
export function contents(list: string = read('docs/README.md')): Section[] {
  const sections = list.split(/^## /m).slice(1);
  return sections.map((section) => {
    const [name = '', ...lines] = section.trim().split('\n');
    const pages = lines.flatMap((line) => {
      if (line === '') return [];
      const [, title, path, about] = /^- \[(.+?)\]\((.+?)\): (.+)$/.exec(line) ?? [];
      if (!title || !path || !about) throw new Error(`docs/README.md: not "- [title](path): about": ${line}`);
      return [{ title, path: posix.join('docs', path), about }];
    });
    return { name, pages };
  });
}
