import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

/** Finds the links between the pages of a folder that lead to no file, or to no element of a page. */
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
  const internal = links.filter(({ link }) => !/^([a-z]+:|\/\/)/i.test(link));
  const broken = internal.filter(({ page, link }) => {
    const [path = '', anchor = ''] = link.split('#').map((part) => decodeURIComponent(part));
    const target = path === '' ? page : join(dirname(page), path.replace(/\?.*/, ''));
    const file = join(folder, target.endsWith('/') || target === '.' ? join(target, 'index.html') : target);
    if (relative(folder, file).startsWith('..') || !existsSync(file) || !statSync(file).isFile()) return true;
    return anchor !== '' && file.endsWith('.html') && !idsOf(file).has(anchor);
  });
  return { checked: internal.length, broken: broken.map(({ page, link }) => `${page} -> ${link}`) };
}

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
