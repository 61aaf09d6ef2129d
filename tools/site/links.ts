import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/**
 * Finds the links between the pages of a folder that lead to no file, to no element of a page, or to a Markdown file:
 * each has a page, and a browser shows a Markdown file as it was typed.
 */
export function brokenLinks(folder: string): {
  readonly checked: number;
  readonly broken: readonly string[];
} {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.html'),
  );
  const read = (path: string): string => readFileSync(path, 'utf8');
  const idsOf = cached(
    (path) => new Set([...read(path).matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => plain(id))),
  );
  const links = pages.flatMap((page) => {
    const matches = read(join(folder, page)).matchAll(/\s(?:href|src)="([^"]*)"/g);
    return [...new Set([...matches].map(([, link = '']) => plain(link)))].map((link) => ({ page, link }));
  });
  // `http://README.md` is a file's name that was taken for an address.
  const internal = links.filter(
    ({ link }) => !/^([a-z]+:|\/\/)/i.test(link) || /^https?:\/\/[^/]+\.md$/.test(link),
  );
  const broken = internal.filter(({ page, link }) => {
    if (isMarkdown(link)) return true;
    const [path = '', anchor = ''] = link.split('#').map((part) => decodeURIComponent(part));
    const target = path === '' ? page : join(dirname(page), path.replace(/\?.*/, ''));
    const file = join(folder, target.endsWith('/') || target === '.' ? join(target, 'index.html') : target);
    if (relative(folder, file).startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return true;
    return anchor !== '' && file.endsWith('.html') && !idsOf(file).has(anchor);
  });
  return { checked: internal.length, broken: broken.map(({ page, link }) => `${page} -> ${link}`) };
}

const isMarkdown = (link: string): boolean => /\.md$/i.test(link.replace(/[?#].*/, ''));

function cached<T>(make: (key: string) => T): (key: string) => T {
  const known = new Map<string, T>();
  return (key) => {
    const value = known.get(key) ?? make(key);
    known.set(key, value);
    return value;
  };
}

function plain(attribute: string): string {
  return attribute
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
